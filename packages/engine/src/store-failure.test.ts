// Failures of the recovery store: nobody is sent to the wrong disk, or told that a file is missing
// that is there.
import { readFileSync } from "node:fs";
import { OsError } from "@fe/native";
import { describe, expect, it } from "vitest";
import { strandEdit } from "../test/orphans.ts";
import { failureOf, placeWithFile } from "../test/place.ts";

const swap = { oldString: "two", newString: "2" };

describe("a failing recovery store", () => {
  it.each([
    ["EROFS", "FE_PERMISSION_DENIED", "its filesystem is read-only"],
    ["EACCES", "FE_PERMISSION_DENIED", "the system does not permit it"],
    ["ENOSPC", "FE_NO_SPACE", "there is no space left"],
    ["EDQUOT", "FE_NO_SPACE", "the quota is used up"],
    // As a missing file would be; but the file is there.
    ["ENOENT", "FE_IO", "it cannot be made where it should be"],
    ["EIO", "FE_IO", "the system answered EIO to openat"],
  ])("Q5 is named if it answers %s to the key lock", async (code, expected, state) => {
    const { place, path } = placeWithFile("one\ntwo\nthree\n");
    const engine = await place.watched((call) => {
      if (!/^directory\.(openFile|createFile|makeDirectory)/u.test(call.name))
        return call.proceed();
      throw new OsError(code, "openat");
    });
    const failure = await failureOf(engine.edit({ path, ...swap }));
    expect(failure).toMatchObject({ code: expected, effect: "none" });
    expect(failure.message).toBe(
      `Cannot edit "${path}": the recovery store "${place.store}" cannot be used: ${state}`,
    );
    if (code !== "EIO") expect(failure.hint).toContain("`userDataDirectory`");
  });

  it.each(["ENOSPC", "EROFS", "EACCES"])(
    "Q5 is not to be changed for another where it holds a record, if it answers %s",
    async (code) => {
      const { place, path } = placeWithFile("one\ntwo\nthree\n");
      const watch = () =>
        place.watched((call) => {
          if (!/^directory\.(openFile|openOrCreateFile|createFile)$/u.test(call.name))
            return call.proceed();
          if (/\.fer$/u.test(String(call.args[0]))) return call.proceed();
          throw new OsError(code, "openat");
        });
      const before = await failureOf((await watch()).edit({ path, ...swap }));
      expect(before.hint).toContain("choose another user-data directory");
      const id = await strandEdit(place, path, swap, "torn\n");
      const failure = await failureOf(
        (await watch()).edit({ path, oldString: "torn", newString: "x" }),
      );
      expect(failure.message).toContain(`the recovery store "${place.store}" cannot be used`);
      expect(failure.hint).toMatch(
        /; with another .* a record that stands here would be passed over$/u,
      );
      expect(failure.hint).not.toContain("choose");
      // The file is torn still, and its record is what says so.
      expect(place.storeNames().join()).toContain(id.slice(0, 8));
    },
  );

  it("Q5 is not to be changed for another where nobody can look into it", async () => {
    const { place, path } = placeWithFile("one\ntwo\nthree\n");
    await strandEdit(place, path, swap, "torn\n");
    const engine = await place.watched((call) => {
      if (!/^directory\.|^openStoreDirectory/u.test(call.name)) return call.proceed();
      throw new OsError("EACCES", "openat");
    });
    const failure = await failureOf(engine.edit({ path, ...swap }));
    expect(failure.code).toBe("FE_PERMISSION_DENIED");
    expect(failure.message).toContain(place.store);
    expect(failure.hint).not.toContain("choose");
  });

  it.each(["ENOSPC", "EROFS"])("Q5 is named if it answers %s to the record", async (code) => {
    const { place, path } = placeWithFile("one\ntwo\nthree\n");
    const engine = await place.watched((call) => {
      if (!/\.write$/u.test(call.name)) return call.proceed();
      throw new OsError(code, "pwrite");
    });
    const failure = await failureOf(engine.edit({ path, ...swap }));
    expect(failure.effect).toBe("none");
    expect(failure.message).toContain(`Cannot save a record for "${path}": the recovery store`);
    expect(place.storeNames()).toEqual([]);
    expect(readFileSync(path, "utf8")).toBe("one\ntwo\nthree\n");
  });

  it("Q5 is named if it cannot save what a resolution replaces", async () => {
    const { place, path } = placeWithFile("one\ntwo\nthree\n");
    const id = await strandEdit(place, path, swap, "torn\n");
    const engine = await place.watched((call) => {
      if (!/\.write$/u.test(call.name)) return call.proceed();
      throw new OsError("ENOSPC", "pwrite");
    });
    const failure = await failureOf(engine.recovery.resolve(id, { keep: "before" }));
    expect(failure).toMatchObject({ code: "FE_NO_SPACE", effect: "none" });
    expect(failure.message).toContain(`Cannot save what stands in "${path}": the recovery store`);
    expect(failure.hint).toBe("Free space (or quota) on the filesystem of the store");
    expect(readFileSync(path, "utf8")).toBe("torn\n");
  });

  it.each(["ENOSPC", "EROFS"])("Q5 is named if it answers %s to a resolution", async (code) => {
    const { place, path } = placeWithFile("one\ntwo\nthree\n");
    const id = await strandEdit(place, path, swap, "torn\n");
    const engine = await place.watched((call) => {
      if (!/^directory\.(openFile|openOrCreateFile|createFile)$/u.test(call.name))
        return call.proceed();
      if (call.args[0] !== undefined && /\.fer$/u.test(String(call.args[0]))) return call.proceed();
      throw new OsError(code, "openat");
    });
    const failure = await failureOf(engine.recovery.resolve(id, { keep: "before" }));
    expect(failure.message).toContain(`of "${path}": the recovery store "${place.store}" cannot`);
    // The record is in this store and in no other.
    expect(failure.hint).not.toContain("userDataDirectory");
    expect(readFileSync(path, "utf8")).toBe("torn\n");
  });
});
