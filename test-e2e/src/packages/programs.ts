/** The programs of the consumers. Each is told the file to edit, and prints `ok` or what it saw. */

const edit = `
  const file = process.argv[2];
  const engine = await openEngine({ userDataDirectory: process.env.FE_USER_DATA_DIR });
  const { status } = await engine.edit({ path: file, oldString: "draft", newString: "final" });
  await engine.close();
  console.log(status, readFileSync(file, "utf8"));
`;

export const esmProgram = `
  import { readFileSync } from "node:fs";
  import { FeError, openEngine } from "@fe/engine";
  import "@fe/journal";
  import "@fe/reconcile";
  import "@fe/native/testing";
  if (!(FeError.prototype instanceof Error)) throw new Error("FeError is no error");
  ${edit}`;

export const cjsProgram = `
  const { readFileSync } = require("node:fs");
  const { openEngine } = require("@fe/engine");
  require("@fe/journal");
  require("@fe/reconcile");
  require("@fe/native/testing");
  (async () => {${edit}})();`;

/** Four threads load the addon at once, and each takes the identity of the same file. */
export const workerProgram = `
  const { Worker, isMainThread, parentPort, workerData } = require("node:worker_threads");
  const native = require("@fe/native");
  const identify = async (file) => {
    const os = native.createNodeOs();
    const { parent, target, targetStatus } = await os.openTarget(file);
    await target.close();
    await parent.close();
    return JSON.stringify(native.identityToJson(targetStatus.identity));
  };
  const inWorker = () => new Promise((resolve, reject) => {
    const worker = new Worker(__filename, { workerData: process.argv[2] });
    worker.on("message", resolve).on("error", reject);
  });
  (async () => {
    if (!isMainThread) return parentPort.postMessage(await identify(workerData));
    const found = await Promise.all([1, 2, 3, 4].map(inWorker));
    const own = await identify(process.argv[2]);
    console.log(found.every((text) => text === own) ? "ok" : found.join());
  })();`;

/** As Electron's main process looks to the loader. */
export const electronProgram = `
  Object.defineProperty(process.versions, "electron", { value: "38.0.0" });
  const { createNodeOs } = require("@fe/native");
  const { basename } = require("node:path");
  createNodeOs().self().then(({ pid }) => {
    console.log(pid === process.pid ? "ok" : pid, basename(process.execPath));
  });`;

/** Names what the loader of `@fe/native` takes, relative to the package. */
export const whichAddonProgram = `
  const path = require("node:path");
  const engine = require.resolve("@fe/engine");
  const native = path.dirname(require.resolve("@fe/native/package.json", { paths: [engine] }));
  const { path: find } = require(require.resolve("node-gyp-build", { paths: [native] }));
  console.log(path.relative(native, find(native)));`;

export const unavailableProgram = `
  const { createNodeOs, NativeUnavailableError } = require("@fe/native");
  try { createNodeOs(); } catch (error) {
    console.log(error instanceof NativeUnavailableError);
    console.log(error.message);
  }`;

/** For a bundler: tells that the import went well, and how opening an engine ends. */
export const bundledProgram = `
  import { openEngine } from "@fe/engine";
  console.log("imported");
  openEngine({ userDataDirectory: process.env.FE_USER_DATA_DIR }).then(
    (engine) => engine.close().then(() => console.log("opened")),
    ({ code, message, hint }) => console.log(code, message, hint),
  );`;

/** Types as a program sees them, in a module and in a script. */
export const typedProgram = `
  import { type EditResult, type Engine, FeError, openEngine } from "@fe/engine";
  import { createNodeOs, type Os, sameFile } from "@fe/native";
  import { SeededRandom } from "@fe/native/testing";
  export async function run(path: string): Promise<EditResult> {
    const engine: Engine = await openEngine({ roots: [path] });
    // @ts-expect-error: a path is text
    await engine.edit({ path: 1, oldString: "a" }).catch((error: FeError) => error.code);
    return engine.edit({ path, oldString: "a", newString: "b" });
  }
  export const os: Os = createNodeOs();
  export const functions: readonly unknown[] = [sameFile, SeededRandom, FeError];`;
