// What a caller learns whom `authorize` refuses: that it was refused, and nothing of the file.
import { chmodSync, linkSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { abilities } from "../../../../native/test/abilities.ts";
import { strandEdit } from "../../test/orphans.ts";
import { failureOf, type Place, placeWithFile } from "../../test/place.ts";
import type { EditRequest } from "../options.ts";

const text = "one\ntwo\ntwo\nthree\n";

/** Requests whose answers say something of what the file holds. */
const telling: Readonly<Record<string, Omit<EditRequest, "path">>> = {
  "a miss": { oldString: "ONE", newString: "1" },
  "an ambiguity": { oldString: "two", newString: "2" },
  "a wrong count": { oldString: "two", newString: "2", replaceAll: true, expectedReplacements: 3 },
  "a hash": { oldString: "one", newString: "1", expectedSha256: "0".repeat(64) },
  "an edit that changes nothing": {
    edits: [
      { oldString: "one", newString: "1" },
      { oldString: "1", newString: "one" },
    ],
  },
  "an edit that would be done": { oldString: "one", newString: "1" },
};

describe("authorize()", () => {
  it.each(Object.keys(telling))("S4 refuses before anything is read: %s", async (what) => {
    const { place, path } = placeWithFile(text);
    const request = { path, ...(telling[what] ?? {}) } as EditRequest;
    const reads: string[] = [];
    const engine = await place.watched(
      (call) => {
        if (/^(reader|target)\./.test(call.name)) reads.push(call.name);
        return call.proceed();
      },
      { authorize: () => false },
    );
    for (const attempt of [engine.edit, engine.preview]) {
      const failure = await failureOf(attempt.call(engine, request));
      expect(failure).toMatchObject({ code: "FE_POLICY_DENIED", effect: "none", path });
      expect(failure.message).toBe(`Cannot edit "${path}": authorize refused`);
      expect(failure.miss).toBeUndefined();
    }
    expect(reads).toEqual([]);
    expect(place.storeNames()).toEqual([]);
    expect(readFileSync(path, "utf8")).toBe(text);
    // Without the hook each of them says something: so that is what it keeps back.
    const free = await place.engine();
    const told = await free.preview(request).catch((error: unknown) => error);
    expect((told as { code?: string }).code).not.toBe("FE_POLICY_DENIED");
  });

  it("S4 refuses before a record in the way is told of", async () => {
    const { place, path } = placeWithFile(text);
    await strandEdit(place, path, { oldString: "one", newString: "1" }, "torn");
    const engine = await place.engine({ authorize: () => false });
    const failure = await failureOf(engine.edit({ path, oldString: "torn", newString: "x" }));
    expect(failure).toMatchObject({ code: "FE_POLICY_DENIED", record: undefined });
  });

  it("is asked once before and once under the lock, and the file is opened once", async () => {
    const { place, path } = placeWithFile(text);
    const order: string[] = [];
    const engine = await place.watched(
      (call) => {
        if (/openForWriting|overwrite/.test(call.name)) order.push(call.name);
        return call.proceed();
      },
      {
        authorize: ({ path: asked, realPath, identity, permission }) => {
          expect({ asked, realPath }).toEqual({ asked: path, realPath: path });
          expect(identity.file).toBeGreaterThan(0n);
          if (abilities.modes) expect(permission.mode).toBe(0o644);
          order.push(place.storeNames().length === 0 ? "asked" : "asked under the lock");
          return true;
        },
      },
    );
    chmodSync(path, 0o644);
    await engine.edit({ path, oldString: "one", newString: "1" });
    const once = ["pinned.openForWriting", "target.overwrite"];
    expect(order).toEqual(["asked", "asked under the lock", ...once]);
  });

  it("S5 what came to be while it thought is what is edited", async () => {
    const { place, path } = placeWithFile(text);
    let asked = 0;
    const engine = await place.engine({
      authorize: () => {
        asked += 1;
        if (asked === 1) writeFileSync(path, "others\none\n");
        return true;
      },
    });
    await engine.edit({ path, oldString: "one", newString: "1" });
    expect(readFileSync(path, "utf8")).toBe("others\n1\n");
  });

  it("S2 S4 does not count for another file, nor for another permission", async () => {
    const changes: readonly [string, (path: string, place: Place) => void][] = [
      // Write protection is the one permission that Node can change on every system.
      ["FE_PERMISSION_CHANGED", (path) => chmodSync(path, 0o404)],
      [
        "FE_TARGET_REPLACED",
        (path, place) => {
          renameSync(path, place.path("old"));
          writeFileSync(path, text);
        },
      ],
    ];
    for (const [code, change] of changes) {
      const { place, path } = placeWithFile(text);
      const engine = await place.before("pinned.openForWriting", () => change(path, place), {
        authorize: () => true,
      });
      const failure = await failureOf(engine.edit({ path, oldString: "one", newString: "1" }));
      expect(failure.code).toBe(code);
      expect(readFileSync(path, "utf8")).toBe(text);
      expect(place.storeNames()).toEqual([]);
    }
  });

  it("may itself look at the file by a preview, and its edit of it is busy", async () => {
    const { place, path } = placeWithFile(text);
    linkSync(path, place.path("b"));
    const seen: string[] = [];
    const engine = await place.engine({
      authorize: async () => {
        const request = { path: place.path("b"), oldString: "one", newString: "1" };
        seen.push((await engine.preview(request)).status);
        seen.push((await failureOf(engine.edit(request))).code);
        return true;
      },
    });
    expect((await engine.edit({ path, oldString: "one", newString: "1" })).status).toBe("applied");
    expect(seen.slice(0, 2)).toEqual(["unchanged", "FE_BUSY"]);
  });

  it("is asked before beforeCommit is shown anything", async () => {
    const { place, path } = placeWithFile(text);
    const order: string[] = [];
    const engine = await place.engine({
      authorize: () => order.push("authorize") > 0,
      beforeCommit: () => order.push("beforeCommit") > 0,
    });
    await engine.edit({ path, oldString: "one", newString: "1" });
    expect(order).toEqual(["authorize", "beforeCommit", "authorize"]);
  });
});
