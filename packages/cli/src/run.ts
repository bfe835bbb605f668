/**
 * From a command line to an exit code: everything but the process itself, which `main.ts` gives as
 * a {@link World}, so that all of it can be tested.
 *
 * Why so much is loaded late: help, the version and a wrong command line need no engine, and its
 * addon may be the very thing that is missing.
 */

import { escapeText } from "@fe/engine/display";
import { commandShape, type ParsedArguments, parseArguments } from "./arguments.ts";
import type { CommandContext, OpenEngine, Output } from "./commands/context.ts";
import type { RawArguments } from "./definition/raw-arguments.ts";
import {
  type EndingSignal,
  exitCodeOf,
  exitInternal,
  exitSuccess,
  exitUsage,
} from "./exit-codes.ts";
import { jsonLine } from "./output/json-line.ts";
import { type Asked, tellerFor, toldOfName } from "./output/words.ts";
import type { SettingsReader } from "./settings/reader.ts";
import { type Settings, settle } from "./settings.ts";
import { UsageError } from "./usage-error.ts";

/** What the command may ask of the process. */
export interface World extends SettingsReader {
  readonly stdoutIsTerminal: boolean;
  /** How wide that terminal is; `undefined`: there is none. */
  readonly stdoutColumns: number | undefined;
  /** Whether each stream is a terminal on which colours are wanted. */
  readonly stdoutTakesColor: boolean;
  readonly stderrTakesColor: boolean;
  readonly openEngine: OpenEngine;
  /** Standard error, which may be a terminal that can clear a line. */
  readonly statusLine: CommandContext["statusLine"];
  /** See `workshop.ts`. */
  readonly openWorkshop: CommandContext["openWorkshop"];
  /** Version of this package. */
  readonly version: string;
  /** `false`: the reader is gone. Rejects with {@link OutputError} if writing fails otherwise. */
  writeOut(data: string | Uint8Array): Promise<boolean>;
  writeErr(text: string): Promise<void>;
  /**
   * Calls `onSignal` at the first SIGINT, SIGTERM or SIGHUP; a second one ends the process as
   * usual.
   */
  watchSignals(onSignal: (signal: EndingSignal) => void): { stop(): void };
}

/** Standard output cannot be written to, for another reason than that nobody reads. */
export class OutputError extends Error {
  override readonly name = "OutputError";
}

/** Stands in `error.code`; not one of the engine's codes, since no caller can act on it. */
const internalCode = "INTERNAL";

/** Runs what a signal may stop until the first byte of a file is written. */
async function withSignals(
  world: World,
  onSignal: (signal: EndingSignal) => void,
  run: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  const watch = world.watchSignals((signal) => {
    onSignal(signal);
    controller.abort(new Error(`${signal} stopped it`));
  });
  try {
    await run(controller.signal);
  } finally {
    watch.stop();
  }
}

async function runCommand(
  settings: Settings,
  context: CommandContext,
  world: World,
): Promise<void> {
  const { onSignal } = context;
  if (settings.command === "edit") {
    const { runEdit } = await import("./commands/edit.ts");
    return withSignals(world, onSignal, (signal) => runEdit(settings, context, signal));
  }
  if (settings.command === "recovery diff" && settings.tool !== undefined) {
    const { runTool } = await import("./commands/recovery-tool.ts");
    return runTool(settings, settings.tool, context);
  }
  if (settings.command === "recovery diff" || settings.command === "recovery merge") {
    const { runDiff, runMerge } = await import("./commands/recovery-diff.ts");
    return settings.command === "recovery diff"
      ? runDiff(settings, context)
      : runMerge(settings, context);
  }
  if (settings.command === "identity" || settings.command === "doctor") {
    const { runDoctor, runIdentity } = await import("./commands/system.ts");
    return settings.command === "identity"
      ? runIdentity(settings, context)
      : runDoctor(settings, context);
  }
  const { runList, runResolve, runShow, runUndo } = await import("./commands/recovery.ts");
  switch (settings.command) {
    case "recovery list":
      return runList(settings, context);
    case "recovery show":
      return runShow(settings, context);
    case "recovery resolve":
      return withSignals(world, onSignal, (signal) => runResolve(settings, context, signal));
    case "recovery undo":
      return withSignals(world, onSignal, (signal) => runUndo(settings, context, signal));
  }
}

/** What is known of a command line when it fails. */
interface Reporting {
  json: boolean;
  color: boolean;
  command: Settings["command"];
  asked: Asked & { readonly storeOptions: readonly string[] };
  signal: EndingSignal | undefined;
}

function askedOf(settings: Settings): Reporting["asked"] {
  const { storeOptions } = settings;
  const isRequest = settings.command === "edit" && settings.isRequestFile;
  return { storeOptions, isRequest, id: "id" in settings ? settings.id : undefined };
}

/** As the engine's `FE_INVALID_REQUEST`, but without the engine. */
async function reportUsage(error: UsageError, world: World, json: boolean): Promise<number> {
  const { message, hint } = error;
  const code = "FE_INVALID_REQUEST";
  if (json) {
    const failure = { code, message, effect: "none", retryable: false, hint };
    await world.writeOut(jsonLine({ status: "rejected", warnings: [], error: failure }));
  } else {
    await world.writeErr(`error ${code}: ${escapeText(message)}\nhint: ${escapeText(hint)}\n`);
  }
  return exitUsage;
}

/** Reports a failure of which the engine says what it is; `undefined` if this is none. */
async function reportEngine(
  error: unknown,
  world: World,
  reporting: Reporting,
): Promise<number | undefined> {
  const { errorToJson, FeError } = await import("@fe/engine");
  if (!(error instanceof FeError)) return undefined;
  const { command, asked } = reporting;
  const { shortId } = await import("./output/guidance.ts");
  const id = error.record === undefined ? asked.id : shortId(error.record.id);
  const tell = toldOfName(error, tellerFor(command, { ...asked, id }));
  if (reporting.json) {
    await world.writeOut(jsonLine(errorToJson(error, tell)));
  } else {
    const { createColors, errorText } = await import("./output/text.ts");
    const colors = createColors(reporting.color && world.stderrTakesColor);
    await world.writeErr(errorText(error, colors, { ...asked, tell }));
  }
  return exitCodeOf(error, reporting.signal);
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** A fault of fe itself. It uses nothing of the engine, which may be what is broken. */
async function reportInternal(error: unknown, world: World, json: boolean): Promise<number> {
  const message = `Internal fault: ${escapeText(describe(error))}`;
  const hint = "Look at the file, and at fe recovery list, before trying again; please report this";
  if (error instanceof OutputError) {
    await world.writeErr(
      `error: Cannot write the answer to standard output: ${escapeText(error.message)}\n` +
        "hint: The command itself had ended; look at the file before trying again\n",
    );
  } else if (json) {
    const fault = { code: internalCode, message, effect: "unknown", retryable: false, hint };
    await world.writeOut(jsonLine({ status: "failed", warnings: [], error: fault }));
  } else {
    await world.writeErr(`error ${internalCode}: ${message}\nhint: ${hint}\n`);
  }
  return exitInternal;
}

async function report(error: unknown, world: World, reporting: Reporting): Promise<number> {
  try {
    if (error instanceof UsageError) return await reportUsage(error, world, reporting.json);
    const exit = await reportEngine(error, world, reporting);
    if (exit !== undefined) return exit;
  } catch (second) {
    if (second instanceof OutputError) return reportInternal(second, world, reporting.json);
    // The engine cannot be loaded. Why, the first failure says, not what follows from it.
  }
  return reportInternal(error, world, reporting.json);
}

function createOutput(raw: RawArguments, world: World): Output {
  const { json, quiet, color } = raw.common;
  return {
    json,
    quiet,
    toTerminal: world.stdoutIsTerminal,
    colorResults: color && world.stdoutTakesColor,
    result: (data) => world.writeOut(data),
    message: (text) => (text === "" ? Promise.resolve() : world.writeErr(text)),
  };
}

async function answerHelp(
  parsed: Extract<ParsedArguments, { readonly kind: "help" | "version" }>,
  world: World,
): Promise<number> {
  const [member, text] =
    parsed.kind === "help" ? ["help", parsed.text] : ["version", `${world.version}\n`];
  await world.writeOut(parsed.json ? jsonLine({ [member]: text.trimEnd() }) : text);
  return exitSuccess;
}

/** Runs one command line. Resolves with the exit code, whatever happens. */
export async function run(argv: readonly string[], world: World): Promise<number> {
  const reporting: Reporting = {
    json: false,
    color: true,
    command: "edit",
    asked: { storeOptions: [] },
    signal: undefined,
  };
  try {
    const parsed = parseArguments(argv, world.stdoutColumns);
    reporting.json = parsed.json;
    if (parsed.kind === "help" || parsed.kind === "version") {
      return await answerHelp(parsed, world);
    }
    if (parsed.kind === "usage") throw parsed.error;
    reporting.color = parsed.raw.common.color;
    const settings = await settle(parsed.raw, world);
    reporting.command = settings.command;
    reporting.asked = askedOf(settings);
    if (settings.command === "completion") {
      const { completionScript } = await import("./completion/scripts.ts");
      const script = completionScript(settings.shell, commandShape());
      const { shell } = settings;
      await world.writeOut(reporting.json ? jsonLine({ shell, script }) : script);
      return exitSuccess;
    }
    const { openEngine, openWorkshop } = world;
    const { json, quiet } = parsed.raw.common;
    const statusLine = json || quiet ? undefined : world.statusLine;
    const onSignal = (received: EndingSignal): void => {
      reporting.signal = received;
    };
    const output = createOutput(parsed.raw, world);
    const context = { openEngine, openWorkshop, statusLine, onSignal, output };
    await runCommand(settings, context, world);
    return exitSuccess;
  } catch (error) {
    return report(error, world, reporting);
  }
}
