/** The library that fails or kills the command at one of its calls; see native/crash-shim.c. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { CommandFolder } from "../harness/command.ts";
import { type Call, callOf } from "./calls.ts";

const source = fileURLToPath(new URL("../../native/crash-shim.c", import.meta.url));
const cache = fileURLToPath(new URL("../../node_modules/.cache", import.meta.url));

/**
 * One thread for everything that Node does beside its main one, and no io_uring: then the calls
 * come in the same order every time, and each is a call of libc. And what V8 compiled is not kept,
 * which only the first edit would do.
 */
export const pinned = {
  UV_THREADPOOL_SIZE: "1",
  UV_USE_IO_URING: "0",
  NODE_DISABLE_COMPILE_CACHE: "1",
} as const;

/** What happens at call `at`; see the C file. */
export interface Fault {
  readonly kind: "kill-before" | "kill-within" | "kill-after" | "short" | "error";
  readonly at: number;
  /** `short`: bytes; `error`: errno. */
  readonly argument?: number;
}

/** Why the library cannot be made here; `undefined` if it can. */
export function whyNoShim(): string | undefined {
  if (process.platform !== "linux") return "the shim is for Linux";
  try {
    execFileSync("gcc", ["--version"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "there is no gcc to make the shim with";
  }
}

/** Makes the library; returns its path. */
export function makeShim(): string {
  mkdirSync(cache, { recursive: true });
  const library = path.join(cache, "crash-shim.so");
  // Two runs at the same time: each makes its own, and the last one stays.
  const made = `${library}.${process.pid}`;
  const strict = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror"];
  execFileSync("gcc", [...strict, "-shared", "-fPIC", source, "-o", made, "-ldl"], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  renameSync(made, library);
  return library;
}

function logOf(folder: CommandFolder): string {
  // Beside the folder, so that writing it is none of the counted calls.
  return `${path.dirname(folder.path)}.calls`;
}

/** Environment of a process that runs under the library; without a fault it only counts. */
export function shimmed(
  library: string,
  folder: CommandFolder,
  fault?: Fault,
): Record<string, string> {
  const plan = fault && [fault.kind, fault.at, fault.argument ?? 0].join(":");
  return {
    ...pinned,
    LD_PRELOAD: library,
    FE_SHIM_ROOT: path.dirname(folder.path),
    FE_SHIM_LOG: logOf(folder),
    ...(plan === undefined ? {} : { FE_SHIM_PLAN: plan }),
  };
}

/** What the library saw, and whether its fault happened. Removes the log. */
export function takeLog(folder: CommandFolder): { calls: Call[]; hasFired: boolean } {
  const log = logOf(folder);
  const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean) : [];
  rmSync(log, { force: true });
  const calls = lines
    .filter((line) => line !== "fired")
    .map((line) => {
      const [, name = "", file = ""] = /^\d+ (\S+) (.*)$/u.exec(line) ?? [];
      return callOf(name, file, folder);
    });
  return { calls, hasFired: lines.includes("fired") };
}
