/** `fe recovery diff --tool`: two versions given to a program of the user's. */
import path from "node:path";
import { type Engine, FeError, type Version } from "@fe/engine";
import { escapeText, quoteForShell } from "@fe/engine/display";
import { RecoveryCommands } from "../output/guidance.ts";
import type { DiffSettings } from "../settings.ts";
import type { Workshop } from "../workshop.ts";
import { type CommandContext, withEngine } from "./context.ts";

/** With more characters than this a name may be too long for the filesystem of the copy. */
const maxNameLength = 100;

/** `diff` and its like say by 1 that the versions differ; above it they had trouble. */
const maxUsualExit = 1;

/** A name of letters that every filesystem has; its end tells the program what kind of file. */
function copyName(file: string): string {
  return path
    .basename(file)
    .replace(/[^\w.+-]/gu, "_")
    .slice(-maxNameLength);
}

const placeHint = "TMPDIR names the folder in which copies are made";

function failed(what: string, hint: string, cause?: unknown): FeError {
  const more = cause === undefined ? {} : { cause };
  return new FeError("FE_IO", what, { hint, ...more });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Runs the program on copies of both versions, which are removed after it. */
export async function runTool(
  settings: DiffSettings,
  words: readonly string[],
  context: CommandContext,
): Promise<void> {
  const workshop = await opened(context);
  let resolveWith: Copies["resolveWith"] | undefined;
  let failure: unknown;
  try {
    const made = await copies(settings, context, workshop);
    resolveWith = made.resolveWith;
    await runOn(made.paths, words, workshop);
  } catch (error) {
    failure = error;
  }
  for (const file of workshop.close()) await context.output.message(keptNote(file, resolveWith));
  const { endedBy } = workshop;
  if (endedBy !== undefined) throw aborted(endedBy, context);
  if (failure !== undefined) throw failure;
}

async function opened({ openWorkshop }: CommandContext): Promise<Workshop> {
  try {
    return await openWorkshop();
  } catch (error) {
    const what = `Cannot make a folder for copies of the versions: ${messageOf(error)}`;
    throw failed(what, placeHint, error);
  }
}

function keptNote(file: string, resolveWith?: (file: string) => string): string {
  const kept =
    `note: the tool wrote this, and it is kept: ${escapeText(file)}\n` +
    "It is in the folder for temporary files, which a restart may empty\n";
  return resolveWith === undefined
    ? kept
    : `${kept}To make it the file's content: ${resolveWith(file)}\n`;
}

function aborted(signal: NodeJS.Signals, { onSignal }: CommandContext): FeError {
  // SIGHUP ends a command like SIGTERM does.
  onSignal(signal === "SIGINT" ? "SIGINT" : "SIGTERM");
  return new FeError("FE_ABORTED", `The command was stopped by ${signal}`, {
    hint: "Nothing was changed",
  });
}

interface Copies {
  readonly paths: readonly string[];
  /** The command that resolves with a file. */
  readonly resolveWith: (file: string) => string;
}

/** The engine is closed before the program runs, which may take hours. */
function copies(
  { engine: options, id, from, to, storeOptions }: DiffSettings,
  { openEngine }: CommandContext,
  workshop: Workshop,
): Promise<Copies> {
  return withEngine(openEngine, options, async (engine) => {
    const one = await copyOf(engine, id, from, workshop, "1");
    const other = await copyOf(engine, id, to, workshop, "2");
    const commands = new RecoveryCommands(one.record, undefined, storeOptions);
    const resolveWith = (file: string): string => commands.resolveWith(file);
    return { paths: [one.path, other.path], resolveWith };
  });
}

async function copyOf(
  engine: Engine,
  id: string,
  version: Version,
  workshop: Workshop,
  place: string,
) {
  const shown = await engine.recovery.show(id, version);
  try {
    const name = copyName(shown.record.path ?? shown.record.id);
    // The number tells two copies of one version apart.
    const copied = await workshop.copy(`${place}-${version}`, name, shown.chunks());
    return { path: copied, record: shown.record };
  } catch (error) {
    if (error instanceof FeError || workshop.endedBy !== undefined) throw error;
    throw failed(
      `Cannot copy version ${version} for the tool: ${messageOf(error)}`,
      placeHint,
      error,
    );
  } finally {
    await shown.close();
  }
}

async function runOn(
  paths: readonly string[],
  words: readonly string[],
  workshop: Workshop,
): Promise<void> {
  const [program = ""] = words;
  let end: Awaited<ReturnType<Workshop["run"]>>;
  try {
    end = await workshop.run([...words, ...paths]);
  } catch (error) {
    if (workshop.endedBy !== undefined) throw error;
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw new FeError(
      "FE_INVALID_REQUEST",
      `Cannot run "${program}": ${isMissing ? "there is no such program" : messageOf(error)}`,
      { hint: "Name a program of PATH, or its path; --tool is no shell command" },
    );
  }
  // It was told to end, and so was the program.
  if (workshop.endedBy !== undefined) return;
  const { exitCode, signal } = end;
  if (signal !== null) {
    throw failed(`The tool ${quoteForShell(program)} was ended by ${signal}`, "Try it by itself");
  }
  if (exitCode !== null && exitCode > maxUsualExit) {
    const what = `The tool ${quoteForShell(program)} ended with exit code ${exitCode}`;
    throw failed(what, "Its own messages say why; nothing was changed");
  }
}
