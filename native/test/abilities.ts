/**
 * What the system that runs the tests can be asked for, and why a test is skipped where it cannot.
 * What the port itself can is not here: that is asked of the port.
 */
import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "vitest";

const isWindows = process.platform === "win32";

function inFolder(canDo: (file: string) => boolean): boolean {
  const folder = fs.mkdtempSync(path.join(tmpdir(), "fe-abilities-"));
  try {
    return canDo(path.join(folder, "a"));
  } catch {
    return false;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** Node says on some systems that it has made one, and has not: under Wine, for one. */
function canMakeSymlink(link: string): boolean {
  fs.symlinkSync("nowhere", link);
  return fs.lstatSync(link).isSymbolicLink();
}

function tellsCaseApart(file: string): boolean {
  fs.writeFileSync(file, "");
  return !fs.existsSync(path.join(path.dirname(file), path.basename(file).toUpperCase()));
}

/** Not with Node 20 on Windows: there the name stays until the last handle is closed. */
function losesNameWhileOpen(file: string): boolean {
  const fd = fs.openSync(file, "wx");
  try {
    fs.unlinkSync(file);
    return !fs.existsSync(file);
  } finally {
    fs.closeSync(fd);
  }
}

/** Wine gives the time of the last change for that of birth. */
function keepsBirthTime(file: string): boolean {
  fs.writeFileSync(file, "");
  const { birthtimeNs } = fs.statSync(file, { bigint: true });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  fs.appendFileSync(file, "a");
  return fs.statSync(file, { bigint: true }).birthtimeNs === birthtimeNs;
}

/** True: the system can. */
export const abilities = {
  symlinks: inFolder(canMakeSymlink),
  modes: !isWindows,
  fifos: !isWindows,
  devices: !isWindows,
  signals: !isWindows,
  byteNames: !isWindows,
  anyName: !isWindows,
  birthTimes: inFolder(keepsBirthTime),
  caseSensitiveNames: inFolder(tellsCaseApart),
  removedNames: inFolder(losesNameWhileOpen),
  waitingForExclusion: !isWindows,
  shell: !isWindows,
  unnamedFiles: process.platform === "linux",
};

const reasons: Readonly<Record<keyof typeof abilities, string>> = {
  symlinks: "no symbolic links can be made here",
  modes: "this system has no modes: access is by lists",
  devices: "this system has no files of devices",
  signals: "a signal of another process ends this one at once here",
  fifos: "this system has no FIFOs",
  byteNames: "every name is text here",
  anyName: "this system refuses such a name",
  birthTimes: "a file has no time of birth here",
  caseSensitiveNames: "names that differ in case are one here",
  removedNames: "a removed file keeps its name here until its last handle is closed",
  waitingForExclusion: "whom the kernel keeps out is refused here, not made to wait",
  shell: "needs a POSIX shell",
  unnamedFiles: "this system has no unnamed files",
};

/** How many files this process has open; 0 where the system does not tell. */
export function openHandles(): number {
  return process.platform === "linux" ? fs.readdirSync("/proc/self/fd").length : 0;
}

/**
 * Removes what a test made. What it leaves open stays on Windows, in the folder for temporary
 * files.
 */
export function removeFolder(folder: string): void {
  try {
    fs.rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (!isWindows || !["ENOTEMPTY", "EBUSY", "EPERM"].includes(String(code))) throw error;
  }
}

/** Skips the test, with the reason, if the system cannot do one of these. */
export function needs(
  context: Pick<TestContext, "skip">,
  ...what: readonly (keyof typeof abilities)[]
): void {
  for (const each of what) if (!abilities[each]) context.skip(reasons[each]);
}
