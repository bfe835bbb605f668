/** What a command is given beside its settings. */
import type { Engine, EngineOptions } from "@fe/engine";
import { escapeText } from "@fe/engine/display";
import type { EndingSignal } from "../exit-codes.ts";
import type { StatusLine } from "../output/progress.ts";
import type { Workshop } from "../workshop.ts";

/** Where answers go. */
export interface Output {
  readonly json: boolean;
  /** Nothing on success but what was asked for. */
  readonly quiet: boolean;
  /** Whether standard output is a terminal, on which foreign text must be made safe. */
  readonly toTerminal: boolean;
  /** Whether standard output may be coloured. */
  readonly colorResults: boolean;
  /** Results. `false`: nobody reads any more, so there is no use in writing on. */
  result(data: string | Uint8Array): Promise<boolean>;
  /** What a person should know, on standard error. */
  message(text: string): Promise<void>;
}

/** Opens an engine; tests give one of their own. */
export type OpenEngine = (options: EngineOptions) => Promise<Engine>;

export interface CommandContext {
  readonly openEngine: OpenEngine;
  readonly output: Output;
  /** Where progress may be shown; `undefined`: nowhere. */
  readonly statusLine: StatusLine | undefined;
  /** A folder for copies that another program is given. */
  readonly openWorkshop: () => Promise<Workshop>;
  /** Is told what ended the command, for its exit code. */
  readonly onSignal: (signal: EndingSignal) => void;
}

/**
 * Runs `use` with an engine that is closed afterwards, whatever happens. What closing meets does
 * not change the outcome: an edit that was done stays done. It is said to `tell`.
 */
export async function withEngine<T>(
  open: OpenEngine,
  options: EngineOptions,
  use: (engine: Engine) => Promise<T>,
  tell?: Output["message"],
): Promise<T> {
  const engine = await open(options);
  let result: T;
  try {
    result = await use(engine);
  } catch (error) {
    // The first error is the one to report.
    await engine.close().catch(() => {});
    throw error;
  }
  try {
    await engine.close();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    await tell?.(`warning: ${escapeText(error.message)}\n`);
  }
  return result;
}
