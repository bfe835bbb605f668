// Bad input of every kind: one clear error, nothing changed, nothing left behind (Q5, I8).
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import { abilities, needs } from "../../../../native/test/abilities.ts";
import { failureOf, Place } from "../../test/place.ts";
import type { EditRequest, EngineOptions } from "../options.ts";

const swap = { oldString: "x", newString: "y" };

async function refusal(
  place: Place,
  request: EditRequest,
  options: EngineOptions = {},
): Promise<string> {
  const engine = await place.engine(options);
  const failure = await failureOf(engine.edit(request));
  expect(failure.effect).toBe("none");
  expect(place.storeNames()).toEqual([]);
  return failure.code;
}

describe("edit() refuses", () => {
  it("Q5 requests that mean nothing", async () => {
    const place = new Place();
    const path = place.path("a");
    writeFileSync(path, "x\n");
    const bad = [
      { path: "", ...swap },
      { path: "a\0b", ...swap },
      { path, oldString: "", newString: "y" },
      { path, oldString: "x", newString: "x" },
      { path, oldString: "x" },
      { path },
      { path, edits: [] },
      { path, ...swap, edits: [swap] },
      { path, ...swap, expectedReplacements: 0 },
      { path, ...swap, expectedReplacements: 1.5 },
      { path, ...swap, expectedSha256: "" },
      { path, ...swap, lineEndings: "dos" },
      { path, oldString: "\ud800", newString: "y" },
      { path: 7, ...swap },
      { path, oldString: 1, newString: 2 },
    ] as EditRequest[];
    for (const request of bad) {
      expect(await refusal(place, request), JSON.stringify(request)).toBe("FE_INVALID_REQUEST");
    }
    expect(readFileSync(path, "utf8")).toBe("x\n");
  });

  it("Q5 what is no regular file, without opening it: a FIFO does not hang", async (context) => {
    const place = new Place();
    mkdirSync(place.path("dir"));
    expect(await refusal(place, { path: place.path("dir"), ...swap })).toBe("FE_NOT_REGULAR");
    needs(context, "fifos");
    execFileSync("mkfifo", [place.path("fifo")]);
    expect(await refusal(place, { path: place.path("fifo"), ...swap })).toBe("FE_NOT_REGULAR");
    expect(await refusal(place, { path: "/dev/null", ...swap })).toBe("FE_NOT_REGULAR");
    expect(await refusal(place, { path: "/", ...swap })).toBe("FE_NOT_REGULAR");
    expect(await refusal(place, { path: "/proc/self/comm", ...swap })).toBe("FE_UNSUPPORTED");
  });

  it("Q5 what is not there", async () => {
    const place = new Place();
    writeFileSync(place.path("a"), "x\n");
    if (abilities.symlinks) {
      symlinkSync("nowhere", place.path("dangling"));
      symlinkSync("loop", place.path("loop"));
      const engine = await place.engine();
      const dangling = await failureOf(engine.edit({ path: place.path("dangling"), ...swap }));
      expect(dangling.message).toMatch(/it is a symbolic link that leads to nothing$/u);
    }
    for (const name of ["missing", "missing/deeper", "a/below", "dangling", "loop"]) {
      expect(await refusal(place, { path: place.path(name), ...swap }), name).toBe("FE_NOT_FOUND");
    }
  });

  it("Q5 text that is not there, is ambiguous, overlaps itself, or has another count", async () => {
    const place = new Place();
    const path = place.path("a");
    writeFileSync(path, "aaa b b\n");
    const before = statSync(path, { bigint: true }).mtimeNs;
    expect(await refusal(place, { path, oldString: "z", newString: "y" })).toBe("FE_NO_MATCH");
    expect(await refusal(place, { path, oldString: "b", newString: "y" })).toBe(
      "FE_AMBIGUOUS_MATCH",
    );
    expect(await refusal(place, { path, oldString: "aa", newString: "y" })).toBe(
      "FE_AMBIGUOUS_MATCH",
    );
    const counted = { path, oldString: "b", newString: "y", replaceAll: true };
    expect(await refusal(place, { ...counted, expectedReplacements: 3 })).toBe("FE_COUNT_MISMATCH");
    expect(statSync(path, { bigint: true }).mtimeNs).toBe(before);
  });

  it("what lies outside the roots, by .. and by a link inside a root", async () => {
    const place = new Place();
    mkdirSync(place.path("root"));
    writeFileSync(place.path("secret"), "x\n");
    writeFileSync(place.path("rootless"), "x\n");
    if (abilities.symlinks) {
      symlinkSync("../secret", place.path("root/link"));
      symlinkSync("..", place.path("root/up"));
    }
    const options = { roots: [place.path("root")] };
    const byLink = abilities.symlinks ? ["root/link", "root/up/secret", "root/up/absent"] : [];
    const outside = [...byLink, "root/../secret", "secret", "rootless"];
    // What is not there is refused just as what is: a caller learns nothing of it.
    const absent = ["absent", "root/../absent", "absent/deeper/still", "/absent"];
    for (const name of [...outside, ...absent]) {
      const code = await refusal(place, { path: place.path(name), ...swap }, options);
      expect(code, name).toBe("FE_OUTSIDE_ROOT");
    }
    const engine = await place.engine(options);
    for (const name of byLink) {
      const { hint } = await failureOf(engine.edit({ path: place.path(name), ...swap }));
      expect(hint).toMatch(/^What counts is where it leads, .*all links\. Allowed: /u);
    }
    expect(readFileSync(place.path("secret"), "utf8")).toBe("x\n");
  });

  it("Q5 a target below a root that was moved since, and says that it is gone", async () => {
    const place = new Place();
    const root = place.path("root");
    const path = place.path("root/f");
    mkdirSync(root);
    writeFileSync(path, "x\n");
    const engine = await place.engine({ roots: [root] });
    const told = async (): Promise<string> =>
      (await failureOf(engine.edit({ path, ...swap }))).message;
    renameSync(root, place.path("moved"));
    const gone = `the allowed directory "${root}" is not there any more`;
    expect(await told()).toContain(gone);
    if (abilities.symlinks) {
      symlinkSync("moved", root);
      expect(await told()).toContain(gone);
      unlinkSync(root);
    }
    // Of a root that is there, its name beside the path says enough.
    mkdirSync(root);
    const beside = { path: place.path("moved/f"), ...swap };
    expect((await failureOf(engine.edit(beside))).message).toContain("outside the allowed roots");
    expect(readFileSync(place.path("moved/f"), "utf8")).toBe("x\n");
  });

  it("a target inside the recovery directory", async () => {
    const place = new Place();
    const engine = await place.engine();
    writeFileSync(place.path("a"), "x\n");
    await engine.edit({ path: place.path("a"), ...swap });
    writeFileSync(`${place.store}/notes`, "x\n");
    const failure = await failureOf(engine.edit({ path: `${place.store}/notes`, ...swap }));
    expect(failure.code).toBe("FE_POLICY_DENIED");
  });

  it("S28 a version above the limit: before and after each, never their sum", async () => {
    const place = new Place();
    const path = place.path("a");
    writeFileSync(path, `x${"-".repeat(99)}`);
    const grow = { path, oldString: "x", newString: "yy" };
    expect(await refusal(place, grow, { maxFileBytes: 99 })).toBe("FE_FILE_TOO_LARGE");
    expect(await refusal(place, grow, { maxFileBytes: 100 })).toBe("FE_FILE_TOO_LARGE");
    const engine = await place.engine({ maxFileBytes: 101 });
    expect((await engine.edit(grow)).bytesAfter).toBe(101);
    const tiny = await place.engine({ maxFileBytes: 1 });
    const { message } = await failureOf(tiny.edit(grow));
    expect(message).toMatch(/it has 101 bytes, and the size limit is 1 byte$/);
  });

  it("S29 S30 a version above 128 MiB before it is read, limit or not", async () => {
    const place = new Place();
    const path = place.path("huge");
    writeFileSync(path, "x");
    truncateSync(path, 129 * 1024 * 1024);
    for (const maxFileBytes of [undefined, Number.POSITIVE_INFINITY]) {
      const calls: string[] = [];
      const engine = await place.watched(
        (call) => {
          calls.push(call.name);
          return call.proceed();
        },
        maxFileBytes === undefined ? {} : { maxFileBytes },
      );
      const failure = await failureOf(engine.edit({ path, ...swap }));
      expect(failure.code).toBe("FE_FILE_TOO_LARGE");
      expect(calls.filter((name) => /openFor|read|directory/.test(name))).toEqual([]);
    }
    expect(place.storeNames()).toEqual([]);
  });

  it("S30 an after-version above 128 MiB as soon as the count is known", async () => {
    const place = new Place();
    const path = place.path("many");
    writeFileSync(path, "x".repeat(900 * 1024));
    const newString = "y".repeat(150);
    const request = { path, oldString: "x", newString, replaceAll: true };
    const calls: string[] = [];
    const engine = await place.watched(
      (call) => {
        calls.push(call.name);
        return call.proceed();
      },
      { maxFileBytes: Number.POSITIVE_INFINITY },
    );
    const failure = await failureOf(engine.edit(request));
    expect(failure.code).toBe("FE_FILE_TOO_LARGE");
    expect(calls).not.toContain("directory.createUnnamedFile");
    expect(place.storeNames()).toEqual([]);
  });
});
