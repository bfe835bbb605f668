/**
 * Step 9: everyone else kept out where the kernel can, until the after-image is verified.
 *
 * That is no filesystem compare-and-swap: it keeps out who would open the file, not who renames
 * over it, and not another record's owner. So the verification after this step is as thorough as
 * without.
 *
 * X1  `kernel` is said only if the kernel's promise covered all the time from before the
 *     verification to after the mutation: nobody asked for the file, or the time for which it makes
 *     others wait in any case was not over.
 * X2  It ends with the handle, which is closed on every way out.
 */
import { type ExclusionAnswer, type Os, OsError, type TargetFile } from "@fe/native";
import { FeError } from "../errors.ts";
import { fromOs } from "../os-failure.ts";
import { checkAborted } from "./abort.ts";
import type { TransactionContext } from "./context.ts";
import type { Exclusion, ExclusiveEdit, PreparedEdit } from "./states.ts";
import { withdraw } from "./unwind.ts";
import type { WaitBudget } from "./wait.ts";

/** How long others may be made to wait, by our own rule: well under what the kernel would bear. */
const maxWindowMs = 2_000;
/** What a slow disk reads, writes and syncs in a second; a guess on the safe side. */
const slowBytesPerMs: number = 100 * 1024;
/** Left of the kernel's time when we stop relying on it. */
const marginMs = 1_000;

const refusals: Readonly<Record<(ExclusionAnswer & { granted: false })["reason"], string>> = {
  "open-elsewhere": "another program has the file open",
  "not-owner": "the file belongs to another user",
  unsupported: "the filesystem offers no exclusion that can be relied on",
};

/** The kernel's promise, and how long it can be relied on. */
class KernelExclusion implements Exclusion {
  readonly why: undefined;
  readonly #os: Os;
  readonly #file: TargetFile;
  readonly #certainUntilMs: number;

  constructor(os: Os, file: TargetFile, certainUntilMs: number) {
    this.#os = os;
    this.#file = file;
    this.#certainUntilMs = certainUntilMs;
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
}

function cooperative(why: string): Exclusion {
  return { why, holds: async () => false };
}

/** Whether the work between this step and the end may take longer than others should wait. */
function mayTakeLong({ record }: PreparedEdit): boolean {
  const { beforeImage, afterImage } = record;
  // Compared, written and read back.
  const bytes = beforeImage.sizeBytes + 2 * afterImage.sizeBytes;
  return bytes / slowBytesPerMs > maxWindowMs;
}

async function ask(context: TransactionContext, file: TargetFile): Promise<Exclusion> {
  const { os } = context;
  const startedMs = await os.monotonicMs();
  try {
    const answer = await file.startExclusion();
    if (!answer.granted) return cooperative(refusals[answer.reason]);
    return new KernelExclusion(os, file, startedMs + answer.holdsMs - marginMs);
  } catch (error) {
    if (error instanceof OsError) return cooperative(error.message);
    throw error;
  }
}

/**
 * Keeps others out as far as `exclusive` wishes. With `require` it asks again, record and locks
 * kept, as long as the caller allowed to wait. On failure the record is withdrawn. Errors:
 * `FE_EXCLUSION_UNAVAILABLE`, `FE_ABORTED`.
 */
export async function excludeOthers(
  context: TransactionContext,
  prepared: PreparedEdit,
  budget: WaitBudget,
): Promise<ExclusiveEdit> {
  const { path } = context.request;
  try {
    const exclusion = await exclusionFor(context, prepared, budget);
    return { state: "exclusive", prepared, exclusion };
  } catch (error) {
    throw await withdraw(prepared, fromOs(error, { path, action: "edit" }));
  }
}

async function exclusionFor(
  context: TransactionContext,
  prepared: PreparedEdit,
  budget: WaitBudget,
): Promise<Exclusion> {
  const { exclusive = "prefer", signal } = context.edit;
  const { path } = context.request;
  if (exclusive === "off") return cooperative("it was not asked for");
  const tooLong = "the edit may take longer than others should have to wait";
  for (;;) {
    const exclusion = mayTakeLong(prepared)
      ? cooperative(tooLong)
      : await ask(context, prepared.matched.file);
    const { why } = exclusion;
    if (why === undefined || exclusive === "prefer") return exclusion;
    checkAborted(path, signal);
    const mayChange = why === refusals["open-elsewhere"];
    if (!mayChange || !(await budget.pause(signal))) throw unavailable(path, why);
  }
}

/** The promise was required, and there is none. */
function unavailable(path: string, why: string): FeError {
  const message = `Cannot edit "${path}" with others kept out: ${why}`;
  return new FeError("FE_EXCLUSION_UNAVAILABLE", message, {
    path,
    hint: "Close the file elsewhere and try again, allow a wait, or do not require exclusion",
  });
}
