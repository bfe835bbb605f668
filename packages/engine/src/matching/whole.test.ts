import { afterSource, bytesSource } from "@fe/journal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { locateWhole } from "./whole.ts";

describe("locateWhole()", () => {
  it("B10 makes the one content of the other, by one splice no longer than need be", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(text, text, async (from, to) => {
        const before = bytesSource(Buffer.from(from));
        const { splices } = await locateWhole(before, Buffer.from(to), {});
        const after = afterSource(before, splices);
        const bytes = Buffer.alloc(after.sizeBytes);
        await after.read(bytes, 0);
        expect(bytes.toString()).toBe(to);
        expect(splices.length).toBe(from === to ? 0 : 1);
        const [splice] = splices;
        if (splice === undefined) return;
        const removed = from.slice(splice.offsetBytes, splice.offsetBytes + splice.removedBytes);
        const inserted = Buffer.from(splice.inserted).toString();
        if (removed === "" || inserted === "") return;
        expect(removed[0]).not.toBe(inserted[0]);
        expect(removed.at(-1)).not.toBe(inserted.at(-1));
      }),
    );
  });
});
