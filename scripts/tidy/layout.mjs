// Where things may stand: the tables that the rules of tidy read. A new exception is a new line
// here, with its reason.

/** The longest file, function (in lines) and line (in characters) that need no excuse. */
export const limits = { fileLines: 300, functionLines: 70, lineCharacters: 100 };

/** A file header that contains this, followed by the reason, may exceed `limits.fileLines`. */
export const longFileExcuse = "Longer than 300 lines because";

/**
 * Which packages a package's sources may import. `bench` and `test-e2e` are not listed: they drive
 * the others from outside and may import any entry.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const mayImport = {
  native: [],
  "packages/journal": ["@fe/native"],
  "packages/reconcile": ["@fe/native"],
  "packages/engine": ["@fe/reconcile", "@fe/journal", "@fe/native"],
  "packages/cli": ["@fe/engine"],
  "packages/mcp": ["@fe/engine"],
};

/** Packages that only compute: no promise, and of other packages only types. */
export const purePackages = ["packages/reconcile"];

/** Modules through which a program reaches the system. */
export const systemModules = [
  ...["fs", "os", "child_process", "process", "cluster", "worker_threads"],
  ...["net", "dgram", "dns", "http", "https", "http2", "tls", "tty", "readline"],
];

/** Who may import them. A name that ends in `/` stands for all below it. */
export const mayTouchSystem = [
  "native/lib/",
  "packages/cli/src/main.ts",
  // Loads `main.ts`, from what was compiled before.
  "packages/cli/src/start.ts",
  // Copies for another program, and that program; apart, since `main.ts` loads it only for these.
  "packages/cli/src/workshop.ts",
];

/** Who may use `process` and `console`. */
export const mayUseProcess = [
  ...mayTouchSystem,
  "packages/mcp/src/server.ts",
  // `process.nextTick` is the one way to know that every microtask has run.
  "native/testing/simulated-scheduler.ts",
];

/** Who may read a clock or draw a random number; others ask `Os`, so a run can be replayed. */
export const mayUseClockAndChance = ["native/lib/"];

/** Who may compare `os.platform` or its like; all others ask for a capability with a name. */
export const mayTestPlatform = [
  "native/",
  // The place of the user-data directory is a convention of each platform, not a capability.
  "packages/journal/src/user-data.ts",
];

/** The methods of an open target that change the user's file, and the files that may use them. */
export const targetWriteMethods = ["overwrite", "setLength", "setMode"];
export const mayWriteTarget = ["native/", "packages/engine/src/transaction/mutate.ts"];

/** Files that something outside the sources runs; the entries of the packages are known besides. */
export const entryFiles = [
  "packages/cli/src/main.ts",
  "packages/cli/src/start.ts",
  "packages/mcp/src/server.ts",
  "bench/src/main.ts",
  "bench/src/child.ts",
  "test-e2e/src/harness/windows-editor.ts",
  // Types of a package that has none; the compiler finds them by their place.
  "bench/src/contenders/mcp-filesystem.d.ts",
];

/** Test helpers that tests of another package may import by path. */
export const sharedTestHelpers = [
  "native/test/abilities.ts",
  "native/test/everybody.ts",
  "packages/engine/test/oracle.ts",
  "packages/engine/test/orphans.ts",
  "packages/engine/test/place.ts",
  "packages/engine/test/samples.ts",
  "packages/engine/test/simulated-place.ts",
  "scripts/docs/page-text.mjs",
  // What a fuzz target is, and changes of bytes and JSON for it.
  "scripts/fuzz/target.mjs",
  "scripts/fuzz/mutate.mjs",
];

/** C++ files that may include the Node-API; those and no others. */
export const nodeApiFiles = /^native\/src\/(?:addon|js_\w+)\.(?:cc|h)$/u;

/** C++ files that are for one system, or for those of POSIX. */
export const oneSystemFiles = /_(?:posix|linux|darwin|windows)\.(?:cc|h)$/u;
