/** What an edit may ask of the device and of the processor, counted instead of timed. */

import { createHash } from "node:crypto";
import { statSync, writeFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { Place } from "../../test/place.ts";

const mebibyte = 1024 * 1024;

describe("an edit", () => {
  it.each([4096, 9 * mebibyte])(
    "P5 asks for three flushes before its result, and none more, at %d bytes",
    async (sizeBytes) => {
      const place = new Place();
      const path = place.path("a.txt");
      const half = "x".repeat(sizeBytes / 2);
      writeFileSync(path, `${half}one${half}`);
      const syncs: string[] = [];
      const engine = await place.watched((call) => {
        if (call.name.endsWith(".sync")) syncs.push(call.name);
        return call.proceed();
      });
      await engine.edit({ path, oldString: "one", newString: "two" });
      syncs.length = 0; // The first one made the store.
      await engine.edit({ path, oldString: "two", newString: "three" });
      expect(syncs).toEqual(["file.sync", "directory.sync", "target.sync"]);
    },
  );

  it("P2 hashes a large file once and a half, and never reads it whole", async () => {
    const place = new Place();
    const path = place.path("a.txt");
    const half = "x".repeat(8 * mebibyte);
    writeFileSync(path, `${half}one${half}`);
    const { size } = statSync(path);
    let hashed = 0;
    const real = createHash("sha256").constructor.prototype as { update(data: unknown): unknown };
    const update = vi.spyOn(real, "update");
    let largest = 0;
    const engine = await place.watched((call) => {
      const [buffer] = call.args;
      if (call.name === "target.read" && buffer instanceof Uint8Array) {
        largest = Math.max(largest, buffer.length);
      }
      return call.proceed();
    });
    await engine.edit({ path, oldString: "one", newString: "two" });
    for (const [data] of update.mock.calls) hashed += (data as { length: number }).length;
    update.mockRestore();
    expect(hashed / size).toBeGreaterThan(1);
    expect(hashed / size).toBeLessThan(1.6);
    expect(largest).toBeLessThanOrEqual(mebibyte);
  });
});
