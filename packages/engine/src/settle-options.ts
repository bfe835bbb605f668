/** Checks the options of an engine, and fills the defaults. */
import { maxImageBytes } from "@fe/journal";
import {
  amountKind,
  checkMembers,
  flagKind,
  functionKind,
  kind,
  type Members,
  refused,
  sayValue,
  textKind,
} from "./check-members.ts";
import type { EngineOptions, SettledOptions } from "./options.ts";

const noRoots = "Give a list of directories, or leave it out for no limit";

const optionMembers: Members = {
  roots: kind("a list of directories", noRoots, Array.isArray),
  authorize: functionKind("Leave it out to allow what roots and the system do"),
  beforeCommit: functionKind("Leave it out to write without a last look"),
  maxFileBytes: amountKind("bytes", "Infinity turns the limit off"),
  userDataDirectory: textKind("Give the absolute path of a directory"),
  appName: textKind('Give the name as the app itself uses it, such as "My Editor"'),
  electronAppData: textKind('Give what `app.getPath("appData")` answers'),
  profile: textKind("Give a name, or leave it out for the default profile"),
  followSymlinks: flagKind("Leave it out to follow links"),
};

/** Checks what the engine is opened with. Error: `FE_INVALID_REQUEST`. */
export function checkEngineOptions(options: unknown): void {
  const checked = { action: "Cannot open the engine", noun: "the options" };
  checkMembers(options, optionMembers, checked);
  const { roots = [] } = options as { readonly roots?: readonly unknown[] };
  for (const root of roots) {
    if (typeof root === "string") continue;
    throw refused(checked, `a root must be text, not ${sayValue(root)}`, noRoots);
  }
}

/** Fills defaults; `roots` are resolved by the engine before. */
export function settleOptions(
  options: EngineOptions,
  roots: readonly string[] | undefined,
): SettledOptions {
  return {
    roots,
    authorize: options.authorize,
    beforeCommit: options.beforeCommit,
    maxFileBytes: options.maxFileBytes ?? maxImageBytes,
    followSymlinks: options.followSymlinks ?? true,
  };
}
