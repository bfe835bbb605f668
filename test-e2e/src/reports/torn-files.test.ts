// Reports of files that were empty, cut, padded or half new after an edit, or in its midst.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { OsError } from "@fe/native";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { needs } from "../../../native/test/abilities.ts";
import { failureOf, Place } from "../../../packages/engine/test/place.ts";
import { pageText } from "../../../scripts/docs/page-text.mjs";
import { CommandFolder, fileState, replace } from "../harness/command.ts";
import { editCall, greeting, startRaw } from "../harness/mcp.ts";
import { mountMemory, unmountAll } from "../harness/mounts.ts";

let folder: CommandFolder;

beforeEach(async () => {
  folder = await CommandFolder.create();
});

afterEach(async () => {
  unmountAll();
  await folder[Symbol.asyncDispose]();
});

describe("a reader beside the edit", () => {
  it("3C-6 that maps the file lives on unless the edit makes it shorter, as is told", async (c) => {
    needs(c, "shell");
    const place = new Place();
    const path = place.path("f");
    const size = 64 * 1024;
    writeFileSync(path, `<a>${"x".repeat(size)}`);
    // Looks at every page of its mapping, over and over; a page beyond the end is SIGBUS.
    const program = `
import mmap, sys
with open(sys.argv[1], "rb") as file:
    view = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
print("mapped", flush=True)
for line in sys.stdin:
    total = sum(view[at] for at in range(0, len(view), 4096))
    print("alive", flush=True)
`;
    const child = spawn("python3", ["-c", program, path], { stdio: ["pipe", "pipe", "ignore"] });
    const closed = once(child, "close");
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<unknown> => (await lines.next()).value;
    expect(await next()).toBe("mapped");
    const lengths: unknown[] = [];
    const engine = await place.watched((call) => {
      if (call.name === "target.setLength") lengths.push(call.args[0]);
      return call.proceed();
    });
    const edit = (oldString: string, newString: string) =>
      engine.edit({ path, oldString, newString });
    await edit("<a>", "<b>");
    await edit("<b>", `<longer>${"y".repeat(5000)}`);
    // Neither of these was ever made shorter, not even for a moment.
    expect(lengths).toEqual([]);
    child.stdin.write("look\n");
    expect(await next()).toBe("alive");
    await edit(`${"y".repeat(5000)}${"x".repeat(size)}`, "");
    expect(lengths).toEqual(["<longer>".length]);
    child.stdin.write("look\n");
    expect((await closed)[1]).toBe("SIGBUS");
    const told = "looks beyond the new end of a file that it has mapped is killed (SIGBUS)";
    expect(pageText("docs/protocol.md").includes(told)).toBe(true);
  });
});

describe("a write that ends early", () => {
  it("3A-9 leaves all bytes in place when the recovery store's disk is full", async (context) => {
    const data = `${folder.dataPath}-small`;
    await mkdir(data, { mode: 0o700 });
    mountMemory(context, data, 128);
    execFileSync("chmod", ["700", data]);
    const path = await folder.write("f", `needle\n${"x".repeat(200_000)}\n`);
    const state = await fileState(path);
    const refused = await folder.fe(
      replace(path, "needle", "a longer text", "--user-data-dir", data, "--json"),
    );
    expect(refused.exit).toBe(1);
    expect(JSON.parse(refused.out).error).toMatchObject({ code: "FE_NO_SPACE", effect: "none" });
    expect(await fileState(path)).toEqual(state);
    const listed = await folder.fe(["recovery", "list", "--user-data-dir", data, "--json"]);
    expect(JSON.parse(listed.out).records).toEqual([]);
    // A smaller file has room there.
    const small = await folder.write("small", "needle\n");
    const options = ["--user-data-dir", data];
    expect((await folder.fe(replace(small, "needle", "pin", ...options))).exit).toBe(0);
  });

  it("3A-9 leaves all bytes in place when file and store share the full disk", async (context) => {
    const disk = folder.file("disk");
    await mkdir(disk);
    mountMemory(context, disk, 512);
    await mkdir(`${disk}/data`, { mode: 0o700 });
    const path = `${disk}/f`;
    await writeFile(path, `needle\n${"x".repeat(100_000)}\n`);
    await writeFile(`${disk}/rest`, "r".repeat(360_000));
    const state = await fileState(path);
    const refused = await folder.fe(
      replace(path, "needle", "a longer text", "--user-data-dir", `${disk}/data`, "--json"),
    );
    expect(refused.exit, refused.out).toBe(1);
    expect(JSON.parse(refused.out).error).toMatchObject({ code: "FE_NO_SPACE", effect: "none" });
    expect(await fileState(path)).toEqual(state);
  });

  it("3A-10 goes on after each short write, to the last of 8 KiB", async () => {
    const place = new Place();
    const path = place.path("f");
    writeFileSync(path, `start\nneedle\n${"tail ".repeat(100)}`);
    const newString = "0123456789abcdef".repeat(512);
    let short = 0;
    const engine = await place.watched((call) => {
      if (!/^(target\.overwrite|file\.write)$/u.test(call.name)) return call.proceed();
      const [bytes, position] = call.args as [Uint8Array, number];
      if (bytes.length < 2) return call.proceed();
      short += 1;
      return call.proceed(bytes.subarray(0, Math.floor(bytes.length / 2)), position);
    });
    const result = await engine.edit({ path, oldString: "needle", newString });
    expect(result.status).toBe("applied");
    expect(short).toBeGreaterThan(10);
    expect(readFileSync(path, "utf8")).toBe(`start\n${newString}\n${"tail ".repeat(100)}`);
  });

  it("3A-10 brings the bytes before back if the rest cannot be written", async () => {
    const place = new Place();
    const path = place.path("f");
    const before = `start\nneedle\n${"tail ".repeat(100)}`;
    writeFileSync(path, before);
    let writes = 0;
    const engine = await place.watched((call) => {
      if (call.name !== "target.overwrite") return call.proceed();
      writes += 1;
      if (writes > 1) throw new OsError("EIO", "pwrite", { path });
      return call.proceed((call.args[0] as Uint8Array).subarray(0, 4096), call.args[1]);
    });
    const newString = "0123456789abcdef".repeat(512);
    const failure = await failureOf(engine.edit({ path, oldString: "needle", newString }));
    expect(failure.code).toBe("FE_OUTCOME_UNKNOWN");
    const resolver = await place.engine();
    await resolver.recovery.resolve(failure.record?.id ?? "", { keep: "before" });
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  it("3A-11 ends where the shorter text ends, and has no byte that nobody wrote", async () => {
    for (const [oldLength, newLength] of [
      [5000, 10],
      [5000, 0],
      [9 * 1024 * 1024, 10],
    ] as const) {
      const path = await folder.write("f", `head\n${"o".repeat(oldLength)}\ntail\n`);
      await folder.write("old", "o".repeat(oldLength));
      const wanted = `head\n${"n".repeat(newLength)}\ntail\n`;
      const texts = ["--old-file", "old", `--new-string=${"n".repeat(newLength)}`];
      expect((await folder.fe(["edit", path, ...texts])).exit).toBe(0);
      const bytes = await readFile(path);
      expect([bytes.length, bytes.includes(0)]).toEqual([wanted.length, false]);
      expect(bytes.toString()).toBe(wanted);
    }
  });
});

describe("a character that is cut in two", () => {
  it("3C-14 keeps every byte, wherever the pieces end in which a file is read", async () => {
    const place = new Place();
    const engine = await place.engine();
    const path = place.path("f");
    const mib = 1024 * 1024;
    for (const shift of [0, 1, 2, 3]) {
      // 4 bytes each, so each of the shifts puts another part of one on every boundary.
      const body = "😀".repeat((9 * mib) / 4);
      const text = `${"-".repeat(shift)}needle${body}end: 中`;
      writeFileSync(path, text);
      await engine.edit({ path, oldString: "end: 中", newString: "end: 文字" });
      await engine.edit({ path, oldString: "needle", newString: "pin" });
      const wanted = `${"-".repeat(shift)}pin${body}end: 文字`;
      expect(readFileSync(path).equals(Buffer.from(wanted)), `${shift}`).toBe(true);
    }
  });

  it("3C-14 keeps every character of a text that comes in pieces of one byte", async () => {
    const path = await folder.write("f", "old 中文\n");
    const server = startRaw(folder, ["--root", folder.path]);
    server.send(...greeting);
    const call = `${JSON.stringify(editCall(1, path, "old 中文", "new 😀é"))}\n`;
    for (const byte of Buffer.from(call)) {
      server.child.stdin.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    await server.lines(2);
    server.child.stdin.end();
    await server.ended();
    expect(await readFile(path, "utf8")).toBe("new 😀é\n");
    const pieces = await folder.fe(["edit", "f", "--old-file", "-", "--new-string", "last 字"], {
      input: "new 😀é",
    });
    expect(pieces.exit).toBe(0);
    expect(await readFile(path, "utf8")).toBe("last 字\n");
  });
});
