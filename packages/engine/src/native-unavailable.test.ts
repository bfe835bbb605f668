// The addon cannot be loaded: what the library says then.
import { describe, expect, it, vi } from "vitest";
import { failureOf } from "../test/place.ts";
import { openEngine } from "./engine.ts";

vi.mock("@fe/native", async (importOriginal) => {
  const original = await importOriginal<typeof import("@fe/native")>();
  return {
    ...original,
    createNodeOs: () => {
      throw new original.NativeUnavailableError(["/nowhere (not there)"], new Error("no file"));
    },
  };
});

describe("openEngine()", () => {
  it("Q5 says which addon is missing and how to get it, as FE_NATIVE_UNAVAILABLE", async () => {
    const failure = await failureOf(openEngine());
    expect(failure).toMatchObject({
      code: "FE_NATIVE_UNAVAILABLE",
      status: "failed",
      effect: "none",
      retryable: false,
    });
    expect(failure.message).toMatch(/\/nowhere \(not there\)/u);
    expect(failure.message).toMatch(/node-gyp rebuild/u);
  });
});
