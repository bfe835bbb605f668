// A copy of what the tests need from this workspace, for Node on Windows: the tests as bundles
// where their sources stand here, the files that they read, and the packages as a consumer has
// them.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { bundleTests } from "../bundled-tests/bundle.mjs";
import { cacheFolder } from "../tools/tools.mjs";
import { programs } from "./tests.mjs";
import { windowsPath } from "./wine.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const notCopied = new Set(["node_modules", "dist", "build", "build-types", ".turbo"]);

/** @param {string} from @param {string} to */
function copyFolder(from, to) {
  cpSync(from, to, { recursive: true, dereference: true });
}

/**
 * @param {string} name of a library
 * @param {string} user the folder of a package that depends on it
 */
function libraryFolder(name, user) {
  const require = createRequire(path.join(realpathSync(user), "package.json"));
  return path.dirname(require.resolve(`${name}/package.json`));
}

/** @param {string} modules a folder `node_modules` @param {string} file of the addon */
function installPackages(modules, file) {
  const native = path.join(root, "native");
  const addon = path.join(modules, "@fe", "native");
  for (const name of ["package.json", "binding.cjs", "dist", file]) {
    copyFolder(path.join(native, name), path.join(addon, name));
  }
  for (const name of ["cli", "mcp"]) {
    for (const part of ["package.json", "THIRD-PARTY.md", "bin", "dist"]) {
      const from = path.join(root, "packages", name, part);
      copyFolder(from, path.join(modules, "@fe", name, part));
    }
  }
  const command = path.join(root, "packages", "cli");
  const encodings = libraryFolder("iconv-lite", command);
  const libraries = {
    "node-gyp-build": libraryFolder("node-gyp-build", native),
    diff: libraryFolder("diff", command),
    "iconv-lite": encodings,
    "safer-buffer": libraryFolder("safer-buffer", encodings),
  };
  for (const [name, folder] of Object.entries(libraries)) {
    copyFolder(folder, path.join(modules, name));
  }
}

/**
 * @param {string} prebuilt file of the addon, below `native/prebuilds`
 * @param {readonly string[]} tests
 * @returns {Promise<{ folder: string, sha256: string }>} the copy; the checksum of that file
 */
export async function makeCopy(prebuilt, tests) {
  const folder = path.join(cacheFolder, "windows");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ["README.md", "packages", "docs"]) {
    const filter = (/** @type {string} */ file) => !notCopied.has(path.basename(file));
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true, filter });
  }
  const file = path.join("prebuilds", prebuilt);
  for (const name of ["package.json", "binding.cjs", "test", file]) {
    copyFolder(path.join(root, "native", name), path.join(folder, "native", name));
  }
  installPackages(path.join(folder, "node_modules"), file);
  const place = {
    pathOf: (/** @type {string} */ file) => windowsPath(path.join(folder, file)),
    // The drive Z: of Wine is this system's root.
    urlOf: (/** @type {string} */ file) =>
      pathToFileURL(path.join(folder, file)).href.replace("file:///", "file:///Z:/"),
  };
  await bundleTests(folder, place, tests, programs);
  const addon = readFileSync(path.join(folder, "native", file));
  return { folder, sha256: createHash("sha256").update(addon).digest("hex") };
}
