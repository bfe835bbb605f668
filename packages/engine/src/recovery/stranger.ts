/**
 * The record of one file in the way of another: a file that was made since and got the inode
 * number, and so the key, of one that was removed. Birth time or generation tell them apart; a
 * person must hear that the edit was of another file, or would look for a fault in this one, or
 * rename it.
 */
import { hasCode } from "@fe/native";
import type { OrphanFacts } from "@fe/reconcile";
import type { FeError } from "../errors.ts";
import type { RecordReport, Version } from "../record-report.ts";
import type { EngineContext } from "../transaction/context.ts";
import type { OpenTarget } from "../transaction/states.ts";
import { mayTellOf } from "./conceal.ts";
import { recoveryRequired } from "./refusals.ts";

/** Only into the file that a record was made for can a version of it be put back. */
export function choicesFor(identity: OrphanFacts["identity"]): readonly Version[] {
  return identity === "same" ? ["before", "after", "current"] : ["current"];
}

/** The error about a record of this key that a person must decide about. */
export async function decisionNeeded(
  context: EngineContext,
  { resolved }: OpenTarget,
  report: RecordReport,
  identity: OrphanFacts["identity"],
): Promise<FeError> {
  const { path: recorded } = report;
  const isOfOther = recorded !== undefined && recorded !== resolved.realPath;
  const told =
    identity === "changed" && isOfOther && mayTellOf(context, recorded)
      ? { why: await whyOther(context, recorded) }
      : {};
  const choices = choicesFor(identity);
  return recoveryRequired("FE_RECOVERY_REQUIRED", resolved.path, { ...report, ...told, choices });
}

async function whyOther({ os }: EngineContext, recorded: string): Promise<string> {
  const state = (await isThere(os, recorded)) ? "is another file by now" : "is gone";
  return (
    `an edit of "${recorded}" was interrupted, and that ${state}; this file was made since and ` +
    "got the number of that one; to keep the current file puts the record aside"
  );
}

async function isThere(os: EngineContext["os"], path: string): Promise<boolean> {
  try {
    await os.inspectTarget(path);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "ELOOP")) return false;
    return true;
  }
}
