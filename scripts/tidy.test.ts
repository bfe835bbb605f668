import { describe, expect, it } from "vitest";
import { tidy } from "./tidy.mjs";

const entries = new Map([
  ["@fe/native", "native/lib/index.ts"],
  ["@fe/native/testing", "native/testing/index.ts"],
  ["@fe/journal", "packages/journal/src/index.ts"],
  ["@fe/reconcile", "packages/reconcile/src/index.ts"],
  ["@fe/engine", "packages/engine/src/index.ts"],
]);
const journal = "packages/journal/src/index.ts";
const reconcile = "packages/reconcile/src/index.ts";
const engine = "packages/engine/src/index.ts";
const journalTest = "packages/journal/src/index.test.ts";

/** `file: rule` of every finding, sorted. */
function findings(tree: Record<string, string>): string[] {
  return tidy(new Map(Object.entries(tree)), entries)
    .map(({ file, rule }) => `${file}: ${rule}`)
    .sort();
}

describe("tidy()", () => {
  it("is content with files that keep the rules", () => {
    const tree = {
      "native/lib/index.ts": `import fs from "node:fs";\nexport const now = Date.now();\nfs;`,
      [journal]: `import { now } from "@fe/native";\nexport const anyone = now;`,
      [reconcile]: `import type { Facts } from "@fe/native";\nexport type F = Facts;`,
      [engine]: `export { write } from "./transaction/mutate.ts";`,
      "packages/engine/src/transaction/mutate.ts": "export const write = (f) => f.overwrite();",
      "packages/cli/src/main.ts": `import "@fe/engine";\nprocess.exitCode = 1;`,
      [journalTest]: `import fs from "node:fs";\nimport "@fe/native/testing";\nDate.now();`,
      "native/src/walk_linux.cc": "#ifdef __linux__\n#endif\n",
      "native/src/open_file_windows.cc": "#ifdef _WIN32\n#endif\n",
      "native/src/js_args.cc": "#include <napi.h>\n",
    };
    expect(findings(tree)).toEqual([]);
  });

  const broken: readonly [rule: string, file: string, text: string][] = [
    ["system-import", journal, `import { open } from "node:fs/promises";`],
    ["system-import", journal, `import os from "os";`],
    ["system-import", engine, `await import("node:child_process");`],
    ["process", engine, "export const home = process.env.HOME;"],
    ["process", engine, "export const home = globalThis.process.env.HOME;"],
    ["process", engine, `console.log("x");`],
    ["clock-and-chance", engine, "export const now = Date.now();"],
    ["clock-and-chance", engine, "export const now = new Date();"],
    ["clock-and-chance", engine, "export const chance = Math.random();"],
    ["clock-and-chance", engine, "export const id = crypto.randomUUID();"],
    ["clock-and-chance", engine, `import { randomUUID } from "node:crypto";\nrandomUUID();`],
    ["platform-test", engine, `export const w = (os) => os.platform === "win32";`],
    ["target-write", engine, "export const w = (file) => file.overwrite();"],
    ["target-write", journal, "export const w = (file) => file.setLength(0);"],
    ["pure", reconcile, "export async function decide() {}"],
    ["pure", reconcile, `export { sameFile } from "@fe/native";`],
    ["any", journal, "export const x: any = 1;"],
    ["only", journalTest, `it.only("x", () => {});`],
    ["only", journalTest, `describe.sequential.only("x", () => {});`],
    ["unfinished", journal, `// ${"TO"}DO: the rest`],
    ["line-length", journal, `// ${"x".repeat(98)}`],
    ["file-length", journal, "//\nexport {};\n".repeat(151)],
    ["function-length", journal, `export function f() {\n${"f();\n".repeat(69)}}`],
    ["arrow", journal, `export * from "@fe/engine";`],
    ["arrow", engine, `export * from "@fe/native/testing";`],
    ["deep-import", engine, `export * from "@fe/journal/src/record.ts";`],
    ["deep-import", engine, `export * from "../../journal/src/index.ts";`],
    ["import-ending", journal, `export * from "./record.js";`],
    ["unused-file", "packages/journal/src/record.ts", "export {};"],
    ["unused-file", "test-e2e/src/harness/child.ts", "export {};"],
    ["native-layer", "native/src/identity_posix.cc", "#include <napi.h>"],
    ["native-system", "native/src/os.h", "#if defined(_WIN32)"],
    // Not a suffix that binding.gyp has.
    ["native-system", "native/src/open_file_win.cc", "#ifdef _WIN32"],
  ];
  it.each(broken)("reports %s in %s: %s", (rule, file, text) => {
    expect([...new Set(findings({ [file]: text }))]).toEqual([`${file}: ${rule}`]);
  });

  it("reports a cycle of two files once", () => {
    const a = "packages/engine/src/a.ts";
    const tree = {
      [engine]: `export * from "./a.ts";`,
      [a]: `export * from "./b.ts";`,
      "packages/engine/src/b.ts": `export * from "./a.ts";`,
    };
    expect(findings(tree)).toEqual([`${a}: cycle`]);
  });

  it("reports a source that only a test imports", () => {
    const record = "packages/journal/src/record.ts";
    const tree = { [journalTest]: `import "./record.ts";`, [record]: "export {};" };
    expect(findings(tree)).toEqual([`${record}: unused-file`]);
  });

  it("accepts a long file whose header says why", () => {
    const text = `// Longer than 300 lines because it is a table.\n${"export {};\n".repeat(301)}`;
    expect(findings({ [journal]: text })).toEqual([]);
  });

  it("does not take a member or a local name for the global", () => {
    const text = "export const f = (process, os) => [process.pid, os.process, { console: 1 }];";
    expect(findings({ [journal]: text })).toEqual([]);
  });
});
