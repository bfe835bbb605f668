import { createHash } from "node:crypto";
import type { Splice } from "@fe/journal";
import { describe, expect, it } from "vitest";
import { defaultSizes } from "./limits.ts";
import { smallImages } from "./small-images.ts";
import { WorkMeter } from "./work-meter.ts";

const sumOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const before = Buffer.alloc(3_000_000, "0123456789");
const put = (offsetBytes: number, removedBytes: number, inserted: string | Buffer): Splice => ({
  offsetBytes,
  removedBytes,
  inserted: Buffer.from(inserted as string),
});

describe("smallImages()", () => {
  it.each([
    ["at the beginning", [put(0, 1, "x")]],
    ["just before what both begin with is hashed once", [put(65_535, 1, "x")]],
    ["from where it is", [put(65_536, 1, "x")]],
    ["in the middle and at the end", [put(1_500_000, 3, ""), put(3_000_000, 0, "the end")]],
    ["at the end", [put(3_000_000, 0, "more")]],
  ])("has the after-image and both sums of a change %s", async (_, splices) => {
    const images = await smallImages(before, splices, defaultSizes, new WorkMeter(undefined));
    let wanted = before;
    for (const { offsetBytes, removedBytes, inserted } of [...splices].reverse()) {
      const tail = wanted.subarray(offsetBytes + removedBytes);
      wanted = Buffer.concat([wanted.subarray(0, offsetBytes), inserted, tail]);
    }
    expect(images.beforeSum).toBe(sumOf(before));
    expect(images.after?.sha256).toBe(sumOf(wanted));
    expect(Buffer.compare(images.after?.bytes ?? Buffer.alloc(0), wanted)).toBe(0);
  });

  it.each([
    ["that changes nothing", []],
    ["that makes the file large", [put(0, 0, Buffer.alloc(defaultSizes.bufferedBytes))]],
  ])("has only the sum of the file of a change %s", async (_, splices) => {
    const images = await smallImages(before, splices, defaultSizes, new WorkMeter(undefined));
    expect(images).toEqual({ beforeSum: sumOf(before), after: undefined });
  });

  it("ends with the signal's reason between two pieces", async () => {
    const gone = new AbortController();
    gone.abort(new Error("enough"));
    const meter = new WorkMeter(gone.signal);
    const images = smallImages(before, [put(9, 1, "x")], defaultSizes, meter);
    await expect(images).rejects.toThrow("enough");
  });
});
