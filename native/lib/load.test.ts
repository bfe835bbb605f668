import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
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
    const release = path.join("/nowhere", "build", "Release");
    expect(error.tried.join("\n")).toContain(`${release} (not there)`);
    expect(error.message).toContain(path.join("/nowhere", "prebuilds", process.platform));
    expect(error.message).toContain("npx node-gyp rebuild");
  }
});

/** With what node-gyp-build itself does in such a folder. */
function messageFor(directory: string): string {
  const find: (folder: string) => unknown = createRequire(import.meta.url)("node-gyp-build");
  try {
    loadAddonFrom({ directory, load: () => find(directory) });
  } catch (error) {
    if (error instanceof NativeUnavailableError) return error.message;
  }
  return expect.unreachable();
}

test("Q5 D2 the explanation names the files that are there, though none is for this system", () => {
  const directory = mkdtempSync(path.join(tmpdir(), "fe-load-"));
  try {
    const prebuilds = path.join(directory, "prebuilds", `${process.platform}-${process.arch}`);
    mkdirSync(prebuilds, { recursive: true });
    expect(messageFor(directory)).toContain(`${prebuilds} (no addon in it)`);
    writeFileSync(path.join(prebuilds, "@fe+native.napi.abi1.node"), "");
    expect(messageFor(directory)).toContain(`${prebuilds} (@fe+native.napi.abi1.node)`);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
