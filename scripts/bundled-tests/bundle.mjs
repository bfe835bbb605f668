// Bundles tests into plain JavaScript for a Node without vitest and without this workspace.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsup";

const root = fileURLToPath(new URL("../..", import.meta.url));
const here = fileURLToPath(new URL(".", import.meta.url));

/**
 * @typedef {object} Place how the Node that runs the tests names a file of the copy
 * @property {(file: string) => string} pathOf `file`: relative to the root, with `/`
 * @property {(file: string) => string} urlOf
 */

/** Parts of vitest, which pnpm keeps where only vitest finds them. */
function vitestAliases() {
  const ofRoot = createRequire(path.join(root, "package.json"));
  const ofVitest = createRequire(ofRoot.resolve("vitest/package.json"));
  const ofExpect = createRequire(ofVitest.resolve("@vitest/expect"));
  const parts = ["expect", "pretty-format", "runner", "snapshot", "spy"].map((part) => {
    const name = `@vitest/${part}`;
    return [name, ofVitest.resolve(name)];
  });
  return { ...Object.fromEntries(parts), chai: ofExpect.resolve("chai") };
}

/**
 * A test finds fixtures and programs by its own place, and all of them share one vitest and one
 * addon; so each source knows where it would stand in the copy.
 *
 * @param {Place} place
 */
function asInTheWorkspace({ pathOf, urlOf }) {
  const vitest = { path: urlOf("scripts/bundled-tests/vitest.mjs"), external: true };
  const addon = { path: urlOf("native/binding.cjs"), external: true };
  /** @type {NonNullable<import("tsup").Options["esbuildPlugins"]>[number]} */
  const plugin = {
    name: "as-in-the-workspace",
    setup(builder) {
      // Patterns of Go, which knows no flag.
      builder.onResolve({ filter: /^vitest$|\/vitest\.mjs$/ }, ({ kind }) =>
        kind === "entry-point" ? undefined : vitest,
      );
      builder.onResolve({ filter: /\/binding\.cjs$/ }, () => addon);
      builder.onLoad({ filter: /\.(?:ts|mjs)$/ }, ({ path: file }) => {
        if (file.includes("node_modules") || file.startsWith(here)) return undefined;
        const source = readFileSync(file, "utf8");
        if (!source.includes("import.meta")) return undefined;
        const own = path.relative(root, file).replaceAll(path.sep, "/");
        const contents = source
          .replaceAll("import.meta.url", JSON.stringify(urlOf(own)))
          .replaceAll("import.meta.dirname", JSON.stringify(pathOf(path.posix.dirname(own))));
        return { contents, loader: file.endsWith(".ts") ? "ts" : "js" };
      });
    },
  };
  return plugin;
}

/**
 * @param {readonly string[]} folders below the root
 * @returns {string[]} the files of tests in them and below, relative to the root
 */
export function testsIn(folders) {
  return folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".test.ts"))
      .map((file) => path.posix.join(folder, file.replaceAll(path.sep, "/")))
      .sort(),
  );
}

/**
 * Each test becomes one file, as vitest gives each its own modules; it stands in the copy where its
 * source stands here.
 *
 * @param {string} copy the folder that stands for the root
 * @param {Place} place
 * @param {readonly string[]} tests relative to the root
 * @param {readonly string[]} [programs] that the tests start, likewise
 */
export async function bundleTests(copy, place, tests, programs = []) {
  const own = ["main", "vitest"].map((name) => `scripts/bundled-tests/${name}.mjs`);
  const sources = [...own, ...tests, ...programs];
  await build({
    entry: Object.fromEntries(
      sources.map((file) => [file.replace(/\.m?[jt]s$/u, ""), path.join(root, file)]),
    ),
    outDir: copy,
    format: ["esm"],
    outExtension: () => ({ js: ".mjs" }),
    target: "node20",
    splitting: false,
    dts: false,
    silent: true,
    config: false,
    // `node:test` has no other name.
    removeNodeProtocol: false,
    tsconfig: path.join(root, "tsconfig.base.json"),
    noExternal: [/^[^.]/u],
    esbuildPlugins: [asInTheWorkspace(place)],
    esbuildOptions(options) {
      options.alias = vitestAliases();
      // For libraries that are CommonJS.
      const lines = ['import { createRequire as requireFrom } from "node:module";'];
      lines.push('import { fileURLToPath as pathOfUrl } from "node:url";');
      lines.push("const require = requireFrom(import.meta.url);");
      lines.push("const __filename = pathOfUrl(import.meta.url);");
      options.banner = { js: lines.join("\n") };
    },
  });
}
