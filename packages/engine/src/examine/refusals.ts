/**
 * What would refuse an edit of a file before its text is looked for: that it may not be written,
 * and a record of an earlier edit. Asked without opening it for writing, which others could see,
 * and with nothing settled.
 */
import { FeError, type FeErrorCode } from "../errors.ts";
import { checkPermitted, foreseeRecords } from "../recovery/foresee.ts";
import type { EngineContext } from "../transaction/context.ts";
import { identifyTarget } from "../transaction/identify.ts";
import { withTarget } from "./identify.ts";
import type { StoreReport } from "./store-report.ts";

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
 * `store`: records are looked for only in one that can be used. Errors: those of `withTarget`; what
 * is no regular file has none, since the advice says so already.
 */
export function refusalsOf(
  context: EngineContext,
  path: string,
  store: StoreReport,
): Promise<readonly Refusal[]> {
  return withTarget(context, path, async (open) => {
    const { kind, filesystem } = open.targetStatus;
    if (kind !== "regular" || filesystem.class === "pseudo") return [];
    const checks = [
      () => checkPermitted(context.os, open.resolved),
      async () => {
        if (store.state !== "usable") return;
        const { key } = identifyTarget(open, context.options);
        await foreseeRecords(context, open, key);
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
