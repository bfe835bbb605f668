// Which tests run in Windows' node.exe, and why the others do not.
import { testsIn } from "../bundled-tests/bundle.mjs";

const folders = ["native/lib", "native/test", "test-e2e/src"];
for (const name of ["journal", "reconcile", "engine", "cli", "mcp"]) {
  folders.push(`packages/${name}/src`);
}

/** Each suite runs in a process of its own; where its tests are, the first that fits. */
const places = {
  races: /^test-e2e\/.*\.(?:race|crash)\.test/u,
  reports: /^test-e2e\/src\/reports\//u,
  processes: /^test-e2e\//u,
  native: /^native\//u,
  engine: /^packages\/engine\//u,
  packages: /^packages\//u,
};

/** Suites that run one after the other; these rows beside each other. */
export const rows = [["races"], ["reports"], ["processes"], ["engine"], ["native", "packages"]];

/** What tests start as processes of their own. */
export const programs = [
  "append-lines.mjs",
  "edit-lines.mjs",
  "owner.mjs",
  "read-sizes.mjs",
  "stopped-edit.mjs",
  "swap-directory.mjs",
  "windows-editor.ts",
].map((name) => `test-e2e/src/harness/${name}`);

/** Why a file of tests does not run in Windows' node.exe, by a part of its name. */
const notHere = {
  ".linux.test": "asks for what Linux alone has",
  "native/test/conformance.test": "compares the simulated system with Linux",
  "native/test/os-contract-simulated.test": "asks the simulated system, not this one",
  "engine/src/error-copies.test": "loads a module twice, which vitest alone can",
  "engine/src/native-unavailable.test": "replaces a module, which vitest alone can",
  "engine/src/simulation.mutants.": "replaces modules, which vitest alone can",
  "engine/src/simulation.": "edits on a simulated system: minutes, and nothing asks Windows",
  "src/crash/": "stops at calls of libc, by a library that is loaded before it",
  "src/power/": "needs block devices of Linux",
  "src/env/": "needs mounts of Linux",
  "src/packages/": "installs packages with npm and pnpm",
  "src/reports/long/": "counts what /proc shows",
};

/** Why a file runs with `--all` only, by a part of its name. */
const slow = {
  ".exhaustive.test": "asks the system for nothing",
  ".fuzz.test": "asks the system for nothing",
  "readers.race.test": "makes a thousand edits",
  "worker-threads.test": "asks of the system what two processes ask too",
  "cli-text.test": "edits 100 MiB; of the system it asks what others ask too",
  "reports/encodings.test": "asks of the system what others ask too",
  "reports/matching.test": "asks of the system what others ask too",
};

/**
 * @param {boolean} isAll
 * @returns {{ suites: Map<string, string[]>, left: [file: string, reason: string][] }}
 */
export function chooseTests(isAll) {
  /** @type {Map<string, string[]>} */
  const suites = new Map(Object.keys(places).map((name) => [name, []]));
  /** @type {[string, string][]} */
  const left = [];
  for (const file of testsIn(folders)) {
    const reasonIn = (/** @type {Readonly<Record<string, string>>} */ reasons) =>
      Object.entries(reasons).find(([part]) => file.includes(part))?.[1];
    const reason = reasonIn(notHere) ?? (isAll ? undefined : reasonIn(slow));
    if (reason === undefined) {
      const suite = Object.entries(places).find(([, place]) => place.test(file))?.[0] ?? "";
      suites.get(suite)?.push(file);
    } else {
      left.push([file, reasonIn(notHere) === undefined ? `${reason}; runs with --all` : reason]);
    }
  }
  return { suites, left };
}
