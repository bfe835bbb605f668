// What others do between two steps: the edit notices, or keeps their change, and never loses a
// byte.
import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { OsError } from "@fe/native";
import { describe, expect, it } from "vitest";
import { needs } from "../../../../native/test/abilities.ts";
import { failureOf, type Place, placeWithFile, publishing } from "../../test/place.ts";

const swap = { oldString: "two", newString: "2" };

/** The last call of step 9, and the first of step 11. */
const endOfPrepare = [publishing, "directory.sync"];
const atMutation = "target.overwrite";

async function conflictAfterPrepare(place: Place, act: () => unknown): Promise<string> {
  const engine = await place.beforeNext(endOfPrepare, act);
  const failure = await failureOf(engine.edit({ path: place.path("d/a"), ...swap }));
  expect(failure.effect).toBe("none");
  expect(place.storeNames()).toEqual([]);
  return failure.code;
}

describe("an edit that is prepared", () => {
  it("S1 S13 reads, writes and verifies through one handle", async () => {
    const { place } = placeWithFile("one\ntwo\nthree\n", "d/a");
    const opens: string[] = [];
    const engine = await place.watched((call) => {
      if (/openFor(Reading|Writing)|target\./.test(call.name)) opens.push(call.name);
      return call.proceed();
    });
    await engine.edit({ path: place.path("d/a"), ...swap });
    expect(opens.filter((name) => name.startsWith("pinned.openFor"))).toEqual([
      "pinned.openForWriting",
    ]);
    const first = opens.indexOf("target.overwrite");
    expect(opens.slice(0, first)).toContain("target.read");
    expect(opens.slice(first)).toContain("target.read");
  });

  it("S2 stops when the target was replaced, and leaves the new file alone", async () => {
    const { place } = placeWithFile("one\ntwo\nthree\n", "d/a");
    const code = await conflictAfterPrepare(place, () => {
      writeFileSync(place.path("d/new"), "one\ntwo\nthree\n");
      // Not over it: Windows refuses that while it is open.
      renameSync(place.path("d/a"), place.path("d/old"));
      renameSync(place.path("d/new"), place.path("d/a"));
    });
    expect(code).toBe("FE_TARGET_REPLACED");
    expect(readFileSync(place.path("d/a"), "utf8")).toBe("one\ntwo\nthree\n");
  });

  it("S2 stops where the name by which it is opened again leads elsewhere", async () => {
    const { place } = placeWithFile("one\ntwo\nthree\n", "d/a");
    const engine = await place.watched((call) => {
      if (call.name === "pinned.openForWriting") throw new OsError("ESTALE", "open", {});
      return call.proceed();
    });
    const failure = await failureOf(engine.edit({ path: place.path("d/a"), ...swap }));
    expect(failure).toMatchObject({ code: "FE_TARGET_REPLACED", effect: "none" });
    expect(place.storeNames()).toEqual([]);
  });

  it("S2 stops when the target was removed", async (context) => {
    needs(context, "removedNames");
    const { place } = placeWithFile("one\ntwo\nthree\n", "d/a");
    const code = await conflictAfterPrepare(place, () => unlinkSync(place.path("d/a")));
    expect(code).toBe("FE_TARGET_REPLACED");
  });

  it("S2 stops when a link took the target's place", async (context) => {
    needs(context, "symlinks");
    const { place } = placeWithFile("one\ntwo\nthree\n", "d/a");
    writeFileSync(place.path("outside"), "one\ntwo\nthree\n");
    const code = await conflictAfterPrepare(place, () => {
      unlinkSync(place.path("d/a"));
      symlinkSync("../outside", place.path("d/a"));
    });
    expect(code).toBe("FE_TARGET_REPLACED");
    expect(readFileSync(place.path("outside"), "utf8")).toBe("one\ntwo\nthree\n");
  });

  it("S3 stops when the parent was swapped, even if the same inode is in the new one", async () => {
    const { place } = placeWithFile("one\ntwo\nthree\n", "d/a");
    const code = await conflictAfterPrepare(place, () => {
      renameSync(place.path("d"), place.path("old"));
      mkdirSync(place.path("d"));
      linkSync(place.path("old/a"), place.path("d/a"));
    });
    expect(code).toBe("FE_PARENT_REPLACED");
    expect(readFileSync(place.path("d/a"), "utf8")).toBe("one\ntwo\nthree\n");
  });

  it("S3 stops when a link took the parent's place", async (context) => {
    needs(context, "symlinks");
    const { place } = placeWithFile("one\ntwo\nthree\n", "d/a");
    const code = await conflictAfterPrepare(place, () => {
      renameSync(place.path("d"), place.path("old"));
      symlinkSync("old", place.path("d"));
    });
    expect(code).toBe("FE_TARGET_REPLACED");
  });

  it("S4 stops when mode or owner changed", async () => {
    const { place } = placeWithFile("one\ntwo\nthree\n", "d/a");
    const act = (): void => chmodSync(place.path("d/a"), 0o400);
    expect(await conflictAfterPrepare(place, act)).toBe("FE_PERMISSION_CHANGED");
    expect(readFileSync(place.path("d/a"), "utf8")).toBe("one\ntwo\nthree\n");
  });

  it("S5 stops when any other byte changed after the record was made", async () => {
    const { place } = placeWithFile("one\ntwo\nthree\n", "d/a");
    const act = (): void => appendFileSync(place.path("d/a"), "four\n");
    expect(await conflictAfterPrepare(place, act)).toBe("FE_CONTENT_CHANGED");
    expect(readFileSync(place.path("d/a"), "utf8")).toBe("one\ntwo\nthree\nfour\n");
  });

  it("S5 judges by content: a same-size change is seen", async () => {
    const { place } = placeWithFile("one\ntwo\nthree\n", "d/a");
    const act = (): void => writeFileSync(place.path("d/a"), "one\ntwo\nTHREE\n");
    expect(await conflictAfterPrepare(place, act)).toBe("FE_CONTENT_CHANGED");
    const engine = await place.beforeNext(endOfPrepare, () => chmodSync(place.path("d/a"), 0o644));
    expect((await engine.edit({ path: place.path("d/a"), ...swap })).status).toBe("applied");
  });

  it("S2 S14 keeps the record when the target is replaced while it is written", async () => {
    const { place } = placeWithFile("one\ntwo\nthree\n", "d/a");
    const engine = await place.before(atMutation, () => {
      renameSync(place.path("d/a"), place.path("d/moved"));
      writeFileSync(place.path("d/a"), "new\n");
    });
    const failure = await failureOf(engine.edit({ path: place.path("d/a"), ...swap }));
    expect(failure).toMatchObject({ code: "FE_OUTCOME_UNKNOWN", effect: "unknown" });
    expect(failure.message).toMatch(/opened holds all of the new bytes.*its path leads elsewhere/u);
    expect(failure.record?.id).toMatch(/^[0-9a-f]{64}$/);
    expect(place.records()).toHaveLength(1);
    expect(readFileSync(place.path("d/a"), "utf8")).toBe("new\n");
    expect(readFileSync(place.path("d/moved"), "utf8")).toBe("one\n2\nthree\n");
  });

  it("I8 a refused edit leaves bytes and modification time as they were", async () => {
    const { place } = placeWithFile("one\ntwo\nthree\n", "d/a");
    const before = statSync(place.path("d/a"), { bigint: true });
    const act = (): void => chmodSync(place.path("d"), 0o755);
    const abort = new AbortController();
    const engine = await place.beforeNext(endOfPrepare, () => {
      act();
      abort.abort();
    });
    const failure = await failureOf(
      engine.edit({ path: place.path("d/a"), ...swap }, { signal: abort.signal }),
    );
    expect(failure.code).toBe("FE_ABORTED");
    const after = statSync(place.path("d/a"), { bigint: true });
    expect(after.mtimeNs).toBe(before.mtimeNs);
    expect(place.storeNames()).toEqual([]);
  });

  it("honours an abort signal no more once the first byte is written", async () => {
    const { place } = placeWithFile("one\ntwo\nthree\n", "d/a");
    const abort = new AbortController();
    const engine = await place.before(atMutation, () => abort.abort());
    const result = await engine.edit(
      { path: place.path("d/a"), ...swap },
      { signal: abort.signal },
    );
    expect(result.status).toBe("applied");
  });

  it("S5 keeps bytes that were appended while it compared the others", async () => {
    const { place } = placeWithFile("one\ntwo\nthree\n", "d/a");
    let reads = 0;
    const engine = await place.watched(async (call) => {
      const answer = await call.proceed();
      if (call.name === "target.read" && ++reads === 2) {
        appendFileSync(place.path("d/a"), "four\n");
      }
      return answer;
    });
    const failure = await failureOf(engine.edit({ path: place.path("d/a"), ...swap }));
    expect(failure.code).toBe("FE_CONTENT_CHANGED");
    expect(readFileSync(place.path("d/a"), "utf8")).toBe("one\ntwo\nthree\nfour\n");
  });
});
