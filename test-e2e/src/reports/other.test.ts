// Reports that are of no other kind: what is no file, what is too large, who holds a file open.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { OsError } from "@fe/native";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { needs } from "../../../native/test/abilities.ts";
import { strandEdit } from "../../../packages/engine/test/orphans.ts";
import { failureOf, Place, placeWithFile } from "../../../packages/engine/test/place.ts";
import { CommandFolder, fileState, replace } from "../harness/command.ts";
import { startMcp } from "../harness/mcp.ts";

let folder: CommandFolder;

beforeEach(async () => {
  folder = await CommandFolder.create();
});

afterEach(async () => {
  await folder[Symbol.asyncDispose]();
});

const edit = { oldString: "one", newString: "1" };

describe("what cannot be edited", () => {
  it("3C-1 is told at once: a FIFO, a socket, a device, a directory", async (context) => {
    needs(context, "fifos", "devices");
    execFileSync("mkfifo", [folder.file("fifo")]);
    mkdirSync(folder.file("directory"));
    const socket = createServer().listen(folder.file("socket"));
    await once(socket, "listening");
    await using server = await startMcp(folder, folder.path);
    for (const name of ["fifo", "socket", "directory", "/dev/null"]) {
      for (const more of [[], ["--dry-run"]]) {
        const refused = await folder.fe(replace(name, "one", "1", "--json", ...more));
        expect([name, refused.exit]).toEqual([name, 6]);
        expect(JSON.parse(refused.out).error.code).toBe("FE_NOT_REGULAR");
      }
    }
    const input = { file_path: folder.file("fifo"), old_string: "one", new_string: "1" };
    expect((await server.call("edit_file", input)).code).toBe("FE_NOT_REGULAR");
    socket.close();
  });

  it("3C-5 by its size is refused before it is read, with memory as before", async () => {
    const place = new Place();
    const path = place.path("huge");
    writeFileSync(path, "one\n");
    truncateSync(path, 5 * 1024 ** 3);
    const reads: string[] = [];
    for (const maxFileBytes of [undefined, Number.POSITIVE_INFINITY]) {
      const engine = await place.watched(
        (call) => {
          if (/^(reader|target)\.read$/u.test(call.name)) reads.push(call.name);
          return call.proceed();
        },
        maxFileBytes === undefined ? {} : { maxFileBytes },
      );
      const { rss } = process.memoryUsage();
      for (const attempt of [engine.edit({ path, ...edit }), engine.preview({ path, ...edit })]) {
        expect((await failureOf(attempt)).code).toBe("FE_FILE_TOO_LARGE");
      }
      expect(process.memoryUsage().rss - rss).toBeLessThan(32 * 1024 ** 2);
    }
    expect(reads).toEqual([]);
    expect(place.storeNames()).toEqual([]);
  });
});

describe("a file that another program holds", () => {
  it("3C-12 by a lease, or by running it, is busy and as it was", async (context) => {
    needs(context, "waitingForExclusion");
    const path = await folder.write("f", "one two\n");
    const program = `
import fcntl, os, sys
held = os.open(sys.argv[1], os.O_RDONLY)
fcntl.fcntl(held, fcntl.F_SETLEASE, fcntl.F_RDLCK)
import signal
signal.signal(signal.SIGIO, signal.SIG_IGN)
print("held", flush=True)
sys.stdin.read()`;
    const holder = spawn("python3", ["-c", program, path], { stdio: ["pipe", "pipe", "ignore"] });
    const closed = once(holder, "close");
    const lines = createInterface({ input: holder.stdout })[Symbol.asyncIterator]();
    if ((await lines.next()).value !== "held") context.skip("no lease can be had here");
    const state = await fileState(path);
    const refused = await folder.fe(replace("f", "one", "1", "--json"));
    expect([refused.exit, JSON.parse(refused.out).error.code]).toEqual([75, "FE_BUSY"]);
    expect(await fileState(path)).toEqual(state);
    holder.stdin.end();
    await closed;
    expect((await folder.fe(replace("f", "one", "1"))).exit).toBe(0);
    const running = folder.file("running");
    copyFileSync("/bin/sleep", running);
    chmodSync(running, 0o755);
    const child = spawn(running, ["600"]);
    await once(child, "spawn");
    const busy = await folder.fe(replace("running", "GNU", "gnu", "--replace-all", "--json"));
    expect([busy.exit, JSON.parse(busy.out).error.code]).toEqual([75, "FE_BUSY"]);
    expect(readFileSync(running).equals(readFileSync("/bin/sleep"))).toBe(true);
    child.kill("SIGKILL");
    await once(child, "close");
    expect(await folder.storeFiles()).toEqual([]);
  });

  it("3C-12 [simulated: Windows] by a share that denies writing, is busy", async () => {
    const place = new Place();
    const path = place.path("f");
    writeFileSync(path, "one two\n");
    let refusals = 2;
    const engine = await place.watched((call) => {
      if (call.name === "pinned.openForWriting" && refusals-- > 0) {
        throw new OsError("EBUSY", "open", { path });
      }
      return call.proceed();
    });
    const failure = await failureOf(engine.edit({ path, ...edit }));
    expect(failure).toMatchObject({ code: "FE_BUSY", retryable: true, effect: "none" });
    expect(readFileSync(path, "utf8")).toBe("one two\n");
    expect(place.storeNames()).toEqual([]);
    // It may be waited for like any other program.
    const result = await engine.edit({ path, ...edit }, { waitMs: 5000 });
    expect(result.status).toBe("applied");
  });
});

describe("a rename that is refused for a moment", () => {
  /** The first so many renames in the store are refused, as a scanner makes Windows do. */
  function refusing(place: Place, code: string, times: number): ReturnType<Place["watched"]> {
    let left = times;
    return place.watched((call) => {
      // Without unnamed files a record gets its name by a rename too.
      if (call.name === "directory.createUnnamedFile") throw new OsError("EOPNOTSUPP", "open", {});
      if (call.name === "directory.rename" && left-- > 0) throw new OsError(code, "rename", {});
      return call.proceed();
    });
  }

  it.each(["EPERM", "EACCES", "EBUSY"])(
    "3C-13 [simulated: Windows] (%s) is tried again: to publish, and to reclaim a record",
    async (code) => {
      const { place, path } = placeWithFile("one two\n");
      const engine = await refusing(place, code, 2);
      expect((await engine.edit({ path, ...edit })).status).toBe("applied");
      await strandEdit(place, path, { oldString: "two", newString: "2" }, "torn");
      writeFileSync(path, "1 two\n");
      const next = await refusing(place, code, 2);
      const result = await next.edit({ path, oldString: "1", newString: "I" });
      expect(result.recovered?.decision).toMatch(/interrupted/u);
      expect(readFileSync(path, "utf8")).toBe("I two\n");
      expect(place.records()).toEqual([]);
    },
  );

  it("3C-13 [simulated: Windows] that stays so ends the edit, all as before", async () => {
    const { place, path } = placeWithFile("one two\n");
    const id = await strandEdit(place, path, edit, "torn");
    writeFileSync(path, "one two\n");
    const engine = await refusing(place, "EBUSY", Number.POSITIVE_INFINITY);
    const failure = await failureOf(engine.edit({ path, oldString: "two", newString: "2" }));
    expect(failure).toMatchObject({ status: "failed", effect: "none" });
    expect(readFileSync(path, "utf8")).toBe("one two\n");
    expect(place.records()).toEqual([`${id}.fer`]);
  });
});
