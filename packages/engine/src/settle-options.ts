/** Checks the options of an engine, and fills the defaults. */
import { maxImageBytes } from "@fe/journal";
import { FeError } from "./errors.ts";
import type { EngineOptions, SettledOptions } from "./options.ts";

/** Checks engine options and fills defaults; `roots` are resolved by the engine before. */
export function settleOptions(
  options: EngineOptions,
  roots: readonly string[] | undefined,
): SettledOptions {
  const maxFileBytes = options.maxFileBytes ?? maxImageBytes;
  if (typeof maxFileBytes !== "number" || Number.isNaN(maxFileBytes) || maxFileBytes < 0) {
    throw new FeError(
      "FE_INVALID_REQUEST",
      `Cannot open the engine: maxFileBytes must be a number of bytes, not ${String(maxFileBytes)}`,
      { hint: "Infinity turns the limit off" },
    );
  }
  return {
    roots,
    authorize: options.authorize,
    beforeCommit: options.beforeCommit,
    maxFileBytes,
    followSymlinks: options.followSymlinks ?? true,
  };
}
