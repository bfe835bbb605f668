import { expect, test } from "vitest";
import { loadAddon, loadAddonFrom, NativeUnavailableError } from "./load.ts";

test("loadAddon() gives one object, however often it is called", () => {
  expect(loadAddon()).toBe(loadAddon());
});

test("Q5 a missing addon is explained: what was tried, and what to do", () => {
  const cause = new Error("No native build was found\nmore");
  const load = (): never => {
    throw cause;
  };
  try {
    loadAddonFrom({ directory: "/nowhere", load });
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(NativeUnavailableError);
    if (!(error instanceof NativeUnavailableError)) return;
    expect(error.cause).toBe(cause);
    expect(error.tried.join("\n")).toContain("/nowhere/build/Release (not there)");
    expect(error.message).toContain("/nowhere/prebuilds/");
    expect(error.message).toContain("npx node-gyp rebuild");
  }
});
