/**
 * What would refuse an edit of a file before its text is looked for: that it is no file to edit,
 * that it may not be written, a store that cannot be used, and a record of an earlier edit. Asked
 * without opening it for writing, which others could see, and with nothing settled.
 */
import { FeError, type FeErrorCode } from "../errors.ts";
import { fromStore } from "../os-failure.ts";
import { checkPermitted, foreseeRecords } from "../recovery/foresee.ts";
import type { EngineContext } from "../transaction/context.ts";
import { identifyTarget, refuseUnsuitable } from "../transaction/identify.ts";
import { withTarget } from "./identify.ts";
import type { StoreFinding } from "./store-report.ts";

/** One reason; what an edit would end with. */
export interface Refusal {
  readonly code: FeErrorCode;
  /** A sentence without full stop. */
  readonly why: string;
  /** The next step; names of the library stand in backticks. */
  readonly hint?: string;
  /** Id of the record that needs a decision. */
  readonly recordId?: string;
}

/**
 * Of what can never be edited, that alone. Records are looked for only in a store that can be used.
 * Errors: those of `withTarget`.
 */
export function refusalsOf(
  context: EngineContext,
  path: string,
  { report, failure }: StoreFinding,
): Promise<readonly Refusal[]> {
  const { os, options, journal } = context;
  return withTarget(context, path, async (open) => {
    const unsuitable = await refusalOf(async () => {
      refuseUnsuitable(path, open.targetStatus, options);
    });
    if (unsuitable !== undefined) return [unsuitable];
    const checks = [
      () => checkPermitted(os, open.resolved),
      async () => {
        if (failure === undefined) return;
        throw fromStore(failure, { path, action: "edit" }, journal.directoryPath);
      },
      async () => {
        if (report.state !== "usable") return;
        await foreseeRecords(context, open, identifyTarget(open, options).key);
      },
    ];
    const refusals: Refusal[] = [];
    for (const check of checks) {
      const refusal = await refusalOf(check);
      if (refusal !== undefined) refusals.push(refusal);
    }
    return refusals;
  });
}

async function refusalOf(check: () => Promise<void>): Promise<Refusal | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (!(error instanceof FeError)) throw error;
    const { code, message, hint, record } = error;
    return {
      ...{ code, why: message },
      ...(hint === undefined ? {} : { hint }),
      ...(record === undefined ? {} : { recordId: record.id }),
    };
  }
}

/** The reason as an advice. */
export function refusalAdvice({ code, why, hint }: Refusal): string {
  const next = hint === undefined ? "" : `. ${hint}`;
  return `An edit of it is refused with ${code}: ${why}${next}`;
}
