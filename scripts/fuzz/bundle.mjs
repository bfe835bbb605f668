// Bundles one fuzz target with the sources that it is about, so that Node can run it, and so that a
// fault can be planted in one of them on the way.
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "tsup";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * A fault to be planted: `find` stands once in the file, and is replaced.
 *
 * @typedef {object} Fault
 * @property {string} file
 * @property {string} find
 * @property {string} replace
 */

/** @param {Fault} fault */
function plant({ file, find, replace }) {
  const text = readFileSync(path.join(root, file), "utf8");
  const parts = text.split(find);
  // Else it would be the mutant of nothing, and pass for one that nobody catches.
  if (parts.length !== 2) throw new Error(`"${find}" stands ${parts.length - 1} times in ${file}`);
  return parts.join(replace);
}

/**
 * @param {Fault | undefined} fault
 * @returns {import("tsup").Options["esbuildPlugins"]}
 */
function plugins(fault) {
  return [
    {
      name: "addon",
      setup(build) {
        // No target calls the addon; its finder only has to be found.
        const binding = pathToFileURL(path.join(root, "native", "binding.cjs")).href;
        build.onResolve({ filter: /binding\.cjs$/ }, () => ({ path: binding, external: true }));
      },
    },
    {
      name: "fault",
      setup(build) {
        if (fault === undefined) return;
        build.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
          if (file !== path.join(root, fault.file)) return undefined;
          return { contents: plant(fault), loader: "ts" };
        });
      },
    },
  ];
}

/**
 * @param {string} file of the target, from the root
 * @param {string} folder where the bundle is put
 * @param {Fault} [fault]
 * @returns {Promise<string>} the bundle
 */
export async function bundleTarget(file, folder, fault) {
  const name = path.basename(file, ".ts");
  await build({
    entry: {
      [name]: path.join(root, file),
      random: path.join(root, "native/testing/seeded-random.ts"),
    },
    outDir: folder,
    format: ["esm"],
    outExtension: () => ({ js: ".mjs" }),
    target: "node20",
    splitting: false,
    clean: false,
    dts: false,
    silent: true,
    config: false,
    treeshake: false,
    tsconfig: path.join(root, "tsconfig.base.json"),
    noExternal: [/^[^.]/u],
    // For the CommonJS among what is bundled.
    banner: {
      js: 'import { createRequire as r } from "node:module"; const require = r(import.meta.url);',
    },
    esbuildPlugins: plugins(fault) ?? [],
  });
  return path.join(folder, `${name}.mjs`);
}
