/** What differs between systems beside the addon. */
import type { PathRules } from "./os.ts";
import { posixPaths } from "./posix-paths.ts";
import { resolveRealPath } from "./real-path.ts";
import { resolveWindowsRealPath } from "./windows/real-path.ts";
import { windowsPaths } from "./windows/windows-paths.ts";

/** Rules and calls about paths. */
export interface PathSystem {
  readonly paths: PathRules;
  /** See `Os.resolveRealPath`. */
  resolveRealPath(path: string, followLast: boolean): string;
}

/** Those of the system that runs this. */
export const pathSystem: PathSystem =
  process.platform === "win32"
    ? { paths: windowsPaths, resolveRealPath: resolveWindowsRealPath }
    : { paths: posixPaths, resolveRealPath };
