/**
 * What an edit would do: steps 1 to 3, the hook `authorize`, what step 5 would say of records
 * without settling them, and the match, by a handle that only reads. Keeps no lock.
 */
import { afterSource } from "@fe/journal";
import { hasCode, type ReadableFile } from "@fe/native";
import { fileSource, hashOf } from "../bytes.ts";
import { fromOs } from "../os-failure.ts";
import { checkPermitted, foreseeRecords } from "../recovery/foresee.ts";
import { resolveRecorded } from "../recovery/missing.ts";
import { busy } from "../recovery/refusals.ts";
import type { EditResult } from "../result.ts";
import { checkAborted } from "./abort.ts";
import { authorizeFirst } from "./ask.ts";
import type { TransactionContext } from "./context.ts";
import { identifyTarget, refuseUnsuitable } from "./identify.ts";
import { locateIn } from "./match.ts";
import { closeTarget, openTarget } from "./open.ts";
import { resultFor } from "./outcome.ts";
import type { OpenTarget } from "./states.ts";
import { WaitBudget } from "./wait.ts";
import { afterWait } from "./waited.ts";

/**
 * Errors: those of the steps that it takes; `FE_RECOVERY_REQUIRED`, `FE_RECORD_UNSAFE` and
 * `FE_PERMISSION_DENIED`, as the edit; `FE_BUSY` while an edit keeps others out.
 */
export async function previewEdit(context: TransactionContext): Promise<EditResult> {
  const result = await lookAtTarget(context);
  // With nothing open any more: the watcher may take its time.
  const told = await context.progress.warnings(context.os);
  return { ...result, warnings: [...result.warnings, ...told] };
}

async function lookAtTarget(context: TransactionContext): Promise<EditResult> {
  const { os, options, request } = context;
  const { path } = request;
  checkAborted(path, context.edit.signal);
  const resolved = await resolveRecorded(context, path);
  const open = await openTarget(os, resolved, options);
  try {
    const { key } = identifyTarget(open, options);
    // Inside a hook of this file it is the embedder's own, who would be asked for ever.
    if (!context.queue.isInsideHookOf(key)) await authorizeFirst(context, open, key);
    const foreseen = await foreseeRecords(context, open, key);
    await checkPermitted(os, resolved);
    const file = await openForReading(context, open, key);
    try {
      const status = await file.status();
      refuseUnsuitable(path, status, options);
      const { identity, sizeBytes } = status;
      context.progress.begin("match", sizeBytes);
      const before = context.progress.of(fileSource(file, sizeBytes));
      const located = await locateIn(context, path, before, {});
      context.progress.complete();
      const after = afterSource(before, located.splices);
      const sha256 = located.after?.sha256 ?? (await hashOf(after));
      const present = { sizeBytes, sha256: located.beforeSum };
      const version = { sizeBytes: after.sizeBytes, sha256 };
      const result = resultFor(resolved, identity, located, present, version);
      const warnings = [...foreseen, ...result.warnings];
      return { ...result, dryRun: true, warnings };
    } finally {
      await file.close();
    }
  } catch (error) {
    throw fromOs(error, { path, action: "read" });
  } finally {
    await closeTarget(open);
  }
}

/** An edit, also of this process, may keep others out just now; it is waited for as allowed. */
async function openForReading(
  context: TransactionContext,
  { resolved, target }: OpenTarget,
  key: string,
): Promise<ReadableFile> {
  const { os, edit, progress } = context;
  const { path } = resolved;
  const { signal, waitMs = 0 } = edit;
  const budget = await WaitBudget.start(os, waitMs, () => progress.begin("wait", 0));
  for (;;) {
    try {
      return await target.openForReading();
    } catch (error) {
      if (!hasCode(error, "EAGAIN", "EBUSY")) throw error;
      if (!(await budget.pause(signal))) {
        const refused = busy(path, "an edit or a program keeps others out");
        throw await afterWait(context, refused, key, waitMs);
      }
      checkAborted(path, signal);
    }
  }
}
