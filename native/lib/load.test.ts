import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { loadAddon, loadAddonFrom, NativeUnavailableError } from "./load.ts";

test("loadAddon() gives one object, however often it is called", () => {
  expect(loadAddon()).toBe(loadAddon());
});

/** A folder with what the package holds there. */
function packageFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "fe-load-"));
  writeFileSync(path.join(folder, "binding.cjs"), "");
  return folder;
}

test("Q5 a missing addon is explained: what was tried, and what to do", () => {
  const directory = packageFolder();
  const cause = new Error("No native build was found\nmore");
  const load = (): never => {
    throw cause;
  };
  try {
    loadAddonFrom({ directory, load });
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(NativeUnavailableError);
    if (!(error instanceof NativeUnavailableError)) return;
    expect(error.cause).toBe(cause);
    const release = path.join(directory, "build", "Release");
    expect(error.tried.join("\n")).toContain(`${release} (not there)`);
    expect(error.message).toContain(path.join(directory, "prebuilds", process.platform));
    expect(error.message).toContain("npx node-gyp rebuild");
    expect(error.message).not.toContain("bundler");
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test.each([
  [undefined, false],
  ["/nowhere", true],
])("Q5 code that a bundler took out of the package says so: folder %s", (directory, hasTried) => {
  const load = (): never => {
    throw new Error("not found");
  };
  try {
    loadAddonFrom({ directory, load });
    expect.unreachable();
  } catch (error) {
    if (!(error instanceof NativeUnavailableError)) throw error;
    expect(error.message).toContain("esbuild --external:@fe/native");
    expect(error.message).not.toContain("node-gyp rebuild");
    expect(error.tried.length > 0).toBe(hasTried);
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
  const directory = packageFolder();
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
