// What closing an engine may do to an answer: nothing.
import type { Engine } from "@fe/engine";
import { describe, expect, it } from "vitest";
import { withEngine } from "./context.ts";

const failing = {
  close: () => Promise.reject(new Error("the late sync\u001b[1m failed")),
} as unknown as Engine;

describe("withEngine()", () => {
  it("I10 keeps the answer of an edit that was done when closing fails, and says so", async () => {
    const told: string[] = [];
    const tell = async (text: string): Promise<void> => {
      told.push(text);
    };
    expect(
      await withEngine(
        async () => failing,
        {},
        async () => "applied",
        tell,
      ),
    ).toBe("applied");
    expect(told).toEqual([expect.stringMatching(/^warning: the late sync.* failed\n$/)]);
    expect(told.join()).not.toContain("\u001b");
    expect(
      await withEngine(
        async () => failing,
        {},
        async () => 1,
      ),
    ).toBe(1);
  });

  it("reports the first error, not what closing meets after it", async () => {
    const use = async (): Promise<never> => {
      throw new Error("first");
    };
    await expect(withEngine(async () => failing, {}, use)).rejects.toThrow("first");
  });
});
