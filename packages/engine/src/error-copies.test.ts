// Two copies of the package in one process.
import { describe, expect, it, vi } from "vitest";
import { FeError } from "./errors.ts";

describe("FeError", () => {
  it("is an instance of the class of another copy of the package; nothing else is", async () => {
    vi.resetModules();
    const other = (await import("./errors.ts")).FeError;
    expect(other).not.toBe(FeError);
    const error = new other("FE_BUSY", "busy");
    expect(error instanceof FeError).toBe(true);
    expect(Object.getPrototypeOf(error)).not.toBe(FeError.prototype);
    class Special extends FeError {}
    expect(error instanceof Special).toBe(false);
    expect(new Special("FE_BUSY", "busy") instanceof Special).toBe(true);
    for (const value of [new Error("x"), { code: "FE_BUSY" }, null, "FE_BUSY", undefined]) {
      expect((value as unknown) instanceof FeError).toBe(false);
    }
  });
});
