/**
 * The part of step 6 that keeps everyone else out where the kernel can, from before the bytes are
 * read until the after-image is verified: so nobody comes between what was matched and what is
 * written.
 *
 * That is no filesystem compare-and-swap: it keeps out who would open the file, not who renames
 * over it, and not another record's owner. So the verification before the mutation is as thorough
 * as without.
 *
 * X1  `kernel` is said only if the kernel's promise covered all the time from before the reading to
 *     after the mutation: nobody asked for the file, or the time for which it makes others wait in
 *     any case was not over.
 * X2  It ends with the handle, which is closed on every way out; sooner where nothing will be
 *     written.
 * X3  Others wait no longer than an edit needs. What may take long, or took long, goes without.
 * X4  No hook runs meanwhile, and no other handle of the file is opened: either would wait for us.
 */
import { type ExclusionRefusal, type Os, OsError, type TargetFile } from "@fe/native";
import { FeError } from "../errors.ts";
import { orWait } from "../recovery/refusals.ts";
import type { TransactionContext } from "./context.ts";
import type { Exclusion, MatchedEdit } from "./states.ts";

/** How long others may be made to wait, by our own rule: well under what the kernel would bear. */
const maxWindowMs = 2_000;
/** What a slow disk reads or writes in a second; a guess on the safe side. */
const slowBytesPerMs: number = 100 * 1024;
/** What a slow disk takes for a flush; a guess as well. An edit has three of them. */
const slowFlushMs = 100;
/** Left of the kernel's time when we stop relying on it. */
const marginMs = 1_000;
/**
 * How long `require` asks again and again, while it blocks this thread, before it lets go of
 * everything and pauses. What opens and closes the file in a loop has it closed for a microsecond
 * or two at a time, which a pause of milliseconds meets by chance only. Measured in
 * docs/evidence/2026-11-30-exclusion.md.
 */
const insistUs = 1_000;

const refusals: Readonly<Record<ExclusionRefusal, string>> = {
  "open-elsewhere": "the file is open elsewhere, perhaps in this program",
  "not-owner": "the file belongs to another user",
  unsupported: "the filesystem offers no exclusion that can be relied on",
  "too-brief": "the system lets others in after less than 5 s (lease-break-time)",
};

/** Why there is no exclusion. */
export function whyRefused(reason: ExclusionRefusal): string {
  return refusals[reason];
}

/** Why an edit goes without that might make others wait for too long. */
export const tooLong = "the edit may take longer than others should have to wait";

/** The kernel's promise, and how long it can be relied on. */
class KernelExclusion implements Exclusion {
  readonly why: undefined;
  readonly #os: Os;
  readonly #file: TargetFile;
  readonly #startedMs: number;
  readonly #certainUntilMs: number;

  constructor(os: Os, file: TargetFile, startedMs: number, holdsMs: number) {
    this.#os = os;
    this.#file = file;
    this.#startedMs = startedMs;
    this.#certainUntilMs = startedMs + holdsMs - marginMs;
  }

  async lastedMs(): Promise<number> {
    return (await this.#os.monotonicMs()) - this.#startedMs;
  }

  async holds(): Promise<boolean> {
    // If somebody waits for us, the kernel makes them wait until its time is over.
    if ((await this.#os.monotonicMs()) < this.#certainUntilMs) return true;
    try {
      return await this.#file.isExclusionUnbroken();
    } catch (error) {
      if (error instanceof OsError) return false; // What cannot be told is not said.
      throw error;
    }
  }

  async end(): Promise<void> {
    try {
      await this.#file.endExclusion();
    } catch (error) {
      if (!(error instanceof OsError)) throw error; // It ends with the handle in any case.
    }
  }
}

function cooperative(why: string): Exclusion {
  return { why, lastedMs: async () => 0, holds: async () => false, end: async () => undefined };
}

/** Of an attempt that writes nothing: it ends with a question to the hooks. */
export const noExclusion: Exclusion = cooperative("the hooks are asked first");

/** What is left, at a slow disk, once the bytes are read and the edit is located in them. */
function leftMs(beforeBytes: number, afterBytes: number): number {
  // Before: recorded and compared. After: recorded at most, written, read back.
  return 3 * slowFlushMs + (2 * beforeBytes + 3 * afterBytes) / slowBytesPerMs;
}

/**
 * Whether an edit of a file of this size may make others wait for too long. The after-image is not
 * known yet, and taken for as large as the before-image.
 */
export function mayTakeTooLong(sizeBytes: number): boolean {
  return sizeBytes / slowBytesPerMs + leftMs(sizeBytes, sizeBytes) > maxWindowMs;
}

async function ask(os: Os, file: TargetFile, forUs: number): Promise<Exclusion | ExclusionRefusal> {
  const startedMs = await os.monotonicMs();
  try {
    const answer = await file.startExclusion(forUs);
    if (!answer.granted) return answer.reason;
    return new KernelExclusion(os, file, startedMs, answer.holdsMs);
  } catch (error) {
    if (error instanceof OsError) return cooperative(error.message);
    throw error;
  }
}

/** What became of the wish; `open-elsewhere` may be another a moment later. */
export type ExclusionOutcome =
  | { readonly kind: "settled"; readonly exclusion: Exclusion }
  | { readonly kind: "open-elsewhere"; readonly error: FeError };

/**
 * Keeps others out as far as `exclusive` wishes. Nothing is held afterwards but what the answer
 * says. Error: `FE_EXCLUSION_UNAVAILABLE`, where waiting would not help.
 */
export async function excludeOthers(
  context: TransactionContext,
  file: TargetFile,
  sizeBytes: number,
): Promise<ExclusionOutcome> {
  const { exclusive = "prefer" } = context.edit;
  const { path } = context.request;
  const settled = (exclusion: Exclusion): ExclusionOutcome => {
    if (exclusive === "require" && exclusion.why !== undefined) {
      throw neverAvailable(path, exclusion.why);
    }
    return { kind: "settled", exclusion };
  };
  if (exclusive === "off") return settled(cooperative("it was not asked for"));
  if (mayTakeTooLong(sizeBytes)) return settled(cooperative(tooLong));
  const answer = await ask(context.os, file, exclusive === "require" ? insistUs : 0);
  if (typeof answer !== "string") return settled(answer);
  const why = refusals[answer];
  if (exclusive === "require" && answer === "open-elsewhere") {
    return { kind: answer, error: openElsewhere(path) };
  }
  return settled(cooperative(why));
}

/**
 * Once the edit is located: goes on without exclusion if the rest may take too long, which is known
 * only now, or if too much time has gone. Nothing is recorded or changed yet. Error:
 * `FE_EXCLUSION_UNAVAILABLE`.
 */
export async function boundExclusion(
  context: TransactionContext,
  matched: MatchedEdit,
): Promise<MatchedEdit> {
  const { exclusion, before, after } = matched;
  if (exclusion.why !== undefined) return matched;
  const expectedMs = (await exclusion.lastedMs()) + leftMs(before.sizeBytes, after.sizeBytes);
  if (expectedMs <= maxWindowMs) return matched;
  await exclusion.end();
  if (context.edit.exclusive === "require") {
    throw neverAvailable(context.request.path, tooLong);
  }
  return { ...matched, exclusion: cooperative(tooLong) };
}

/** The promise was required, and somebody else is in the way for now. */
function openElsewhere(path: string): FeError {
  const message = `Cannot edit "${path}" with others kept out: ${refusals["open-elsewhere"]}`;
  return new FeError("FE_EXCLUSION_UNAVAILABLE", message, {
    path,
    hint: `Close the file elsewhere${orWait}, or do without: \`exclusive: "prefer"\``,
  });
}

/** The promise was required, and the same request will not have it later either. */
function neverAvailable(path: string, why: string): FeError {
  const message = `Cannot edit "${path}" with others kept out: ${why}`;
  return new FeError("FE_EXCLUSION_UNAVAILABLE", message, {
    path,
    isLasting: true,
    hint: 'To wait does not help; do without: `exclusive: "prefer"`. `examine` says what there is',
  });
}
