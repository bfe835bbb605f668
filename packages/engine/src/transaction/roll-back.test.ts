// A write that fails while the kernel keeps everyone else out, on real files: what is put back.
import { readFileSync } from "node:fs";
import { OsError } from "@fe/native";
import { describe, expect, it } from "vitest";
import { failureOf, placeWithFile } from "../../test/place.ts";

const before = `${"a".repeat(3000)}needle${"z".repeat(3000)}`;
const edit = { oldString: "needle", newString: "a much longer text" };

describe("an edit whose write fails with others kept out", () => {
  it("B2 rolls back a write that fails, and says so", async () => {
    for (const [errno, code] of [
      ["ENOSPC", "FE_NO_SPACE"],
      ["EIO", "FE_IO"],
    ] as const) {
      const { place, path } = placeWithFile(before);
      let writes = 0;
      const engine = await place.watchedWithExclusion(async (call) => {
        if (call.name !== "target.overwrite") return call.proceed();
        writes += 1;
        if (writes === 1) return call.proceed((call.args[0] as Uint8Array).subarray(0, 7), 3000);
        if (writes === 2) throw new OsError(errno, "pwrite", { path });
        return call.proceed();
      });
      const failure = await failureOf(engine.edit({ path, ...edit }));
      expect(failure).toMatchObject({ code, effect: "rolled_back", status: "failed" });
      expect(readFileSync(path, "utf8")).toBe(before);
      expect(place.storeNames()).toEqual([]);
    }
  });

  it("B2 never rolls back after a failed sync: what is durable is not known", async () => {
    const { place, path } = placeWithFile(before);
    const engine = await place.watchedWithExclusion((call) => {
      if (call.name === "target.sync") throw new OsError("EIO", "fsync", { path });
      return call.proceed();
    });
    const failure = await failureOf(engine.edit({ path, ...edit }));
    expect(failure).toMatchObject({ code: "FE_OUTCOME_UNKNOWN", effect: "unknown" });
  });

  it("finds a full disk before a byte has changed", async () => {
    const { place, path } = placeWithFile(before);
    const calls: string[] = [];
    const engine = await place.watchedWithExclusion((call) => {
      calls.push(call.name);
      if (call.name === "target.reserve") throw new OsError("ENOSPC", "fallocate", { path });
      return call.proceed();
    });
    const failure = await failureOf(engine.edit({ path, ...edit }));
    expect(failure).toMatchObject({ code: "FE_NO_SPACE", effect: "none" });
    expect(calls).not.toContain("target.overwrite");
    expect(place.storeNames()).toEqual([]);
  });
});
