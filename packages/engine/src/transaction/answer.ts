/**
 * Waits for the answer of an embedder's hook. It may take minutes, if a person is behind it, and it
 * may never come: so the wait ends with the caller's signal too, and with the patience of an engine
 * that is being closed. What the hook says afterwards is heard by nobody, and its rejection is no
 * unhandled one.
 */
import { FeError } from "../errors.ts";
import { aborted } from "./abort.ts";
import type { EngineContext } from "./context.ts";

/** How long `close` lets a hook think that is being asked. A guess: no person is waited for. */
export const closingPatienceMs = 5_000;

/** Who is asked, about what, and what may end the wait. */
export interface Asking {
  readonly path: string;
  /** Of the hook. */
  readonly name: string;
  readonly signal: AbortSignal | undefined;
  readonly limitMs: number | undefined;
  /** Makes the refusal. */
  denied(path: string, why: string, cause?: unknown): FeError;
}

/**
 * Returns if the hook answered `true`. Errors: those of `denied`, for every other answer, a throw,
 * and no answer within `limitMs`; `FE_ABORTED`; `FE_CLOSED`, where `close` has waited long enough.
 */
export async function answerOf(
  { os, patience }: Pick<EngineContext, "os" | "patience">,
  { path, name, signal, limitMs, denied }: Asking,
  hook: () => Promise<boolean>,
): Promise<void> {
  if (patience.isLost) throw closedMeanwhile(path, name);
  const over = new AbortController();
  let forget = (): void => {};
  const impatience = new Promise<never>((_, reject) => {
    forget = patience.onLost(() => reject(closedMeanwhile(path, name)));
  });
  const ends: Promise<boolean>[] = [
    hook().catch((error: unknown) => {
      throw denied(path, `${name} failed`, error);
    }),
    impatience,
  ];
  if (signal !== undefined) {
    ends.push(abortOf(signal, path, over.signal));
  }
  if (limitMs !== undefined) {
    const late = async (): Promise<never> => {
      await os.sleep(limitMs, over.signal);
      throw denied(path, `${name} gave no answer within ${limitMs / 1000} s`);
    };
    ends.push(late());
  }
  try {
    if ((await Promise.race(ends)) !== true) throw denied(path, `${name} refused`);
  } finally {
    over.abort();
    forget();
    // The others end later, if at all; nobody is there any more to hear of it.
    for (const end of ends) end.catch(() => {});
  }
}

function closedMeanwhile(path: string, name: string): FeError {
  const seconds = closingPatienceMs / 1000;
  const why = `the engine was closed, and ${name} gave no answer within ${seconds} s`;
  return new FeError("FE_CLOSED", `Stopped at "${path}": ${why}`, {
    path,
    hint: "Nothing was changed; answer before the engine is closed",
  });
}

/** Rejects when `signal` aborts, at once if it has; never, if `over` aborts before. */
function abortOf(signal: AbortSignal, path: string, over: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(aborted(path, signal.reason));
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
    over.addEventListener("abort", () => signal.removeEventListener("abort", end), { once: true });
  });
}
