// Removes what a power suite left that was killed: mounts, loop devices and files in folders named
// after a process that is gone. Run by the suite before its first test, and after the last one.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const prefix = "fe-power-";

/** A memory filesystem where there is one: thousands of copies of disks are made. */
function parent() {
  return existsSync("/dev/shm") && statSync("/dev/shm").isDirectory() ? "/dev/shm" : tmpdir();
}

/** A folder for this process. */
export function makeFolder() {
  return mkdtempSync(path.join(parent(), `${prefix}${process.pid}-`));
}

/**
 * @param {string} command
 * @param {string[]} parameters
 */
function attempt(command, parameters) {
  try {
    return execFileSync(command, parameters, { stdio: ["ignore", "pipe", "ignore"] }).toString();
  } catch {
    return "";
  }
}

/**
 * Lets go of everything below a folder, innermost first, and removes it.
 *
 * @param {string} folder
 */
export function removeFolder(folder) {
  const mounts = readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[4] ?? "")
    .filter((place) => place.startsWith(`${folder}/`));
  for (const place of mounts.reverse()) {
    if (place.endsWith("/fuse")) detachLoops(folder);
    attempt("umount", [place]);
    attempt("umount", ["-l", place]);
  }
  detachLoops(folder);
  rmSync(folder, { recursive: true, force: true });
}

/** @param {string} folder */
function detachLoops(folder) {
  const lines = attempt("losetup", ["--list", "--noheadings", "--output", "NAME,BACK-FILE"]);
  for (const line of lines.split("\n")) {
    const [name = "", file = ""] = line.trim().split(/\s+/u);
    if (file.startsWith(`${folder}/`)) attempt("losetup", ["-d", name]);
  }
}

/** Folders of processes that are gone. */
export function removeLeftovers() {
  for (const name of readdirSync(parent())) {
    const [, pid] = /^fe-power-(\d+)-/u.exec(name) ?? [];
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    removeFolder(path.join(parent(), name));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) removeLeftovers();
