// Bundles tests into plain JavaScript for a Node without vitest.
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsup";

const root = fileURLToPath(new URL("../..", import.meta.url));
const here = fileURLToPath(new URL(".", import.meta.url));

/** vitest's `expect`, which pnpm keeps where only vitest finds it. */
function vitestAliases() {
  const ofRoot = createRequire(path.join(root, "package.json"));
  const ofVitest = createRequire(ofRoot.resolve("vitest/package.json"));
  const ofExpect = createRequire(ofVitest.resolve("@vitest/expect"));
  return {
    vitest: path.join(here, "vitest.mjs"),
    "@vitest/expect": ofVitest.resolve("@vitest/expect"),
    chai: ofExpect.resolve("chai"),
  };
}

/**
 * @param {readonly string[]} folders below the root
 * @returns {string[]} the files of tests directly in them, but those that read fixtures beside them
 */
export function testsIn(folders) {
  return folders.flatMap((name) =>
    readdirSync(path.join(root, name))
      .filter((file) => file.endsWith(".test.ts") && !file.startsWith("fuzz-inputs."))
      .map((file) => path.join(root, name, file)),
  );
}

/**
 * @param {string} folder where they are put; the package is the folder above it
 * @param {readonly string[]} tests
 * @param {readonly string[]} [programs] that the tests start, beside them
 * @returns {Promise<string[]>} names of the files that describe tests
 */
export async function bundleTests(folder, tests, programs = []) {
  await build({
    entry: [path.join(here, "main.mjs"), ...tests, ...programs],
    outDir: folder,
    format: ["esm"],
    outExtension: () => ({ js: ".mjs" }),
    target: "node20",
    splitting: true,
    clean: true,
    dts: false,
    silent: true,
    config: false,
    tsconfig: path.join(root, "tsconfig.base.json"),
    noExternal: [/^[^.]/u],
    external: [/binding\.cjs$/u],
    esbuildOptions(options) {
      options.alias = vitestAliases();
      options.entryNames = "[name]";
      // For libraries that are CommonJS.
      const lines = ['import { createRequire as requireFrom } from "node:module";'];
      lines.push("const require = requireFrom(import.meta.url);");
      options.banner = { js: lines.join("\n") };
    },
  });
  return tests.map((file) => `${path.basename(file, ".ts")}.mjs`);
}
