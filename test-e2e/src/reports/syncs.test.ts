// Reports of systems on which a sync is refused, unknown, or fails.
import { readFileSync, writeFileSync } from "node:fs";
import { OsError } from "@fe/native";
import { describe, expect, it } from "vitest";
import { strandEdit } from "../../../packages/engine/test/orphans.ts";
import { failureOf, type Place, placeWithFile } from "../../../packages/engine/test/place.ts";
import { pageText } from "../../../scripts/docs/page-text.mjs";

const before = "one two\n";
const edit = { oldString: "one", newString: "1" };

describe("a sync of the store's directory", () => {
  it.each(["EINVAL", "EOPNOTSUPP", "ENOSYS"])(
    "3A-42 that is unknown (%s) is a refusal that says so, and is documented",
    async (code) => {
      const { place, path } = placeWithFile(before);
      const engine = await place.watched((call) => {
        if (call.name === "directory.sync") throw new OsError(code, "fsync", {});
        return call.proceed();
      });
      const failure = await failureOf(engine.edit({ path, ...edit }));
      expect(failure).toMatchObject({ code: "FE_UNSUPPORTED", effect: "none" });
      expect(failure.message).toMatch(/cannot make names durable/u);
      expect(failure.hint).toMatch(/user-data directory/u);
      expect(readFileSync(path, "utf8")).toBe(before);
      expect(place.records()).toEqual([]);
      const { advice } = await engine.examine();
      expect(advice.join()).toMatch(/No edit is possible.*names/u);
      const told = /recovery directory is on a filesystem that cannot make names durable/u;
      expect(told.test(pageText("docs/errors.md"))).toBe(true);
    },
  );

  it("3A-42 that fails (EIO) is never told as durable, at whichever of them it fails", async () => {
    for (const failing of [1, 2, 3, 4, 5]) {
      const { place, path } = placeWithFile(before);
      let syncs = 0;
      const engine = await place.watched((call) => {
        if (call.name !== "directory.sync") return call.proceed();
        syncs += 1;
        if (syncs === failing) throw new OsError("EIO", "fsync", {});
        return call.proceed();
      });
      const outcome = await engine.edit({ path, ...edit }).catch((error: unknown) => error);
      if (syncs < failing) {
        expect(outcome).toMatchObject({ status: "applied", durability: "synced" });
        break;
      }
      expect(outcome).toMatchObject({ status: "failed", effect: "none" });
      expect(readFileSync(path, "utf8")).toBe(before);
      expect(place.records()).toEqual([]);
    }
  });
});

describe("a sync of the file", () => {
  const failures = ["EINVAL", "EOPNOTSUPP", "EIO"];

  it.each(failures)(
    "3C-11 that is refused (%s) is not told as durable: both versions are kept",
    async (code) => {
      const { place, path } = placeWithFile(before);
      const engine = await place.watched((call) => {
        if (call.name === "target.sync") throw new OsError(code, "fsync", { path });
        return call.proceed();
      });
      const failure = await failureOf(engine.edit({ path, ...edit }));
      expect(failure).toMatchObject({ code: "FE_OUTCOME_UNKNOWN", effect: "unknown" });
      const id = failure.record?.id ?? "";
      expect((await place.versionOf(id, "before")).toString()).toBe(before);
      expect((await place.versionOf(id, "after")).toString()).toBe("1 two\n");
      const wanted =
        /F_FULLFSYNC; fsync only where the filesystem has no such call.*not tell the two/u;
      expect(wanted.test(pageText("docs/platforms.md"))).toBe(true);
    },
  );

  /** As on Windows, which flushes only what is open for writing. */
  function flushesOnlyForWriting(place: Place): ReturnType<Place["watched"]> {
    return place.watched((call) => {
      if (call.name === "reader.sync") throw new OsError("EPERM", "fsync", {});
      return call.proceed();
    });
  }

  it("3A-43 [simulated: Windows] is made by a handle that may write: reclaim", async () => {
    const { place, path } = placeWithFile(before);
    await strandEdit(place, path, edit, "torn");
    writeFileSync(path, before);
    const engine = await flushesOnlyForWriting(place);
    const result = await engine.edit({ path, oldString: "two", newString: "2" });
    expect(result).toMatchObject({ status: "applied", durability: "synced" });
    expect(result.recovered?.decision).toMatch(/interrupted/u);
    expect(readFileSync(path, "utf8")).toBe("one 2\n");
    expect(place.records()).toEqual([]);
  });

  it.each(["current", "before", "after"] as const)(
    "3A-43 [simulated: Windows] is made by a handle that may write: keep %s",
    async (keep) => {
      const { place, path } = placeWithFile(before);
      const id = await strandEdit(place, path, edit, "torn");
      const engine = await flushesOnlyForWriting(place);
      await engine.recovery.resolve(id, { keep });
      const texts = { current: "torn", before, after: "1 two\n" };
      expect(readFileSync(path, "utf8")).toBe(texts[keep]);
      expect(place.records()).toEqual([]);
    },
  );

  it("3A-43 [simulated: Windows] keeps the record where no such handle can be had", async () => {
    const { place, path } = placeWithFile(before);
    const id = await strandEdit(place, path, edit, "torn");
    const engine = await place.watched((call) => {
      if (call.name === "reader.sync") throw new OsError("EPERM", "fsync", {});
      if (call.name === "pinned.openForWriting") throw new OsError("EACCES", "open", { path });
      return call.proceed();
    });
    const failure = await failureOf(engine.recovery.resolve(id, { keep: "current" }));
    expect(failure.code).toBe("FE_PERMISSION_DENIED");
    expect(place.records()).toEqual([`${id}.fer`]);
  });
});
