/**
 * The command line, taken apart: which command, and the text of each option.
 *
 * Pure: it asks nothing of the system and judges no value, which is done in `settings.ts`.
 *
 * Why commander is used with care: an option that takes a value takes the next argument, whatever
 * it looks like, so texts that begin with `-` work. That holds only while each option is parsed by
 * the command that declares it; an option of the outer command would be found anywhere, also as the
 * value of `--old-string`. Hence positional options, and the common ones declared at every level.
 */
import { Command, CommanderError } from "commander";
import { type CommandShape, shapeOf } from "./completion/shape.ts";
import { addEdit } from "./definition/edit.ts";
import { versionMarker, withCommonOptions } from "./definition/options.ts";
import type { RawArguments, Take } from "./definition/raw-arguments.ts";
import { addRecovery } from "./definition/recovery.ts";
import { addSystem } from "./definition/system.ts";
import { narrowed, rootHelp } from "./help.ts";
import { UsageError } from "./usage-error.ts";

/** What a command line asks for. `json`: whether the answer is to be one JSON object. */
export type ParsedArguments =
  | { readonly kind: "run"; readonly json: boolean; readonly raw: RawArguments }
  | { readonly kind: "help"; readonly json: boolean; readonly text: string }
  | { readonly kind: "version"; readonly json: boolean }
  | { readonly kind: "usage"; readonly json: boolean; readonly error: UsageError };

/** What the longer texts are written for. */
const widestHelp = 80;
/** Where a name and its description still stand side by side. */
const narrowestHelp = 40;

/** `only`: the first word; if it is the most usual command, the others need not be put together. */
function buildProgram(
  output: string[],
  take: Take,
  { only, columns = widestHelp }: { readonly only?: string; readonly columns?: number } = {},
): Command {
  const width = Math.min(widestHelp, Math.max(narrowestHelp, columns));
  const write = (text: string): void => void output.push(text);
  const program = new Command("fe")
    .description(rootHelp.description)
    .version(versionMarker, "--version", "print the version")
    .exitOverride()
    .configureOutput({
      writeOut: write,
      writeErr: () => {},
      getOutHelpWidth: () => width,
      getErrHelpWidth: () => width,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    // Otherwise nothing is filled anew that has less room than 40 columns beside the options.
    .configureHelp({ minWidthToWrap: 10 })
    .enablePositionalOptions()
    .addHelpText("after", rootHelp.after);
  withCommonOptions(program);
  addEdit(program, take);
  if (only === "edit") return program;
  addRecovery(program, take);
  addSystem(program, take);
  return program;
}

/** Every command and option that there is. */
export function commandShape(): CommandShape {
  return shapeOf(buildProgram([], () => {}));
}

/** Whether `--json` stands where an option can; it must be known of a malformed line too. */
function asksForJson(argv: readonly string[], program: Command): boolean {
  let command = program;
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? "";
    if (argument === "--") return false;
    if (argument === "--json") return true;
    if (argument.startsWith("-")) {
      const option = command.options.find(({ long }) => long === argument);
      if (option?.required === true) index += 1;
    } else {
      command = command.commands.find((inner) => inner.name() === argument) ?? command;
    }
  }
  return false;
}

/** The command that `argv` names, as far as it names one. */
function commandNamed(argv: readonly string[], program: Command): Command {
  let command = program;
  for (const word of argv) {
    const inner = command.commands.find((each) => each.name() === word);
    if (inner === undefined) break;
    command = inner;
  }
  return command;
}

/** What is typed before the help of a command. */
function wordsOf(command: Command): string {
  const outer = command.parent === null ? "" : `${wordsOf(command.parent)} `;
  return `${outer}${command.name()}`;
}

/** What begins like an unknown option, or is below another command; commander sees but slips. */
function nearest({ code, message }: CommanderError, command: Command): readonly string[] {
  const [, word = ""] = /^error: unknown \w+ '([^'=]+)/u.exec(message) ?? [];
  if (word === "" || message.includes("Did you mean")) return [];
  if (code === "commander.unknownOption") {
    const stem = word.startsWith("--") ? `${word}-` : `-${word}`;
    const flags = command.options.flatMap(({ long }) => long ?? []);
    return flags.filter((flag) => flag.startsWith(stem));
  }
  if (code !== "commander.unknownCommand") return [];
  const below = command.commands.flatMap((outer) => outer.commands);
  return below.filter((inner) => inner.name() === word).map(wordsOf);
}

/** What most often was meant, where commander says only what is wrong. */
function adviceFor(error: CommanderError, command: Command, argv: readonly string[]): string {
  const [, flag = ""] = /^error: option '(--[\w-]+)/u.exec(error.message) ?? [];
  if (error.code === "commander.optionMissingArgument" && flag.endsWith("-string")) {
    return `An empty text is ${flag}= or ${flag} ''. `;
  }
  if (error.code === "commander.excessArguments" && command.name() === "edit") {
    // Of `npm start edit f --old-string a`, npm keeps the options and leaves their values.
    if (!argv.some((each) => each.startsWith("--"))) {
      return "The texts are given by --old-string and --new-string; if npm took these, put -- \
before the command: npm start -- edit FILE --old-string a --new-string b. ";
    }
    // Both are there, so what is too many is a file, as a pattern of the shell gives.
    const isGiven = (side: string): boolean =>
      argv.some((each) => new RegExp(`^--${side}-(?:string|file)(?:=|$)`, "u").test(each));
    if (isGiven("old") && isGiven("new")) return "Edit one file at a time. ";
    return "The texts are given by --old-string and --new-string. ";
  }
  const meant = nearest(error, command);
  if (meant.length > 0) return `Did you mean ${meant.join(" or ")}? `;
  const isId = error.code === "commander.missingArgument" && error.message.includes("'id'");
  return isId ? "fe recovery list shows the ids. " : "";
}

function usageErrorOf(
  error: CommanderError,
  argv: readonly string[],
  program: Command,
): UsageError {
  const command = commandNamed(argv, program);
  const help = `${adviceFor(error, command, argv)}See: ${wordsOf(command)} --help`;
  const [first, second] = argv;
  if (error.code === "commander.help" && first === "help" && second !== undefined) {
    return new UsageError(`Unknown command '${second}'`, "See: fe --help");
  }
  if (error.code === "commander.help") {
    const isRecovery = argv.includes("recovery");
    return new UsageError(
      isRecovery ? "No command is named after recovery" : "No command is named",
      isRecovery
        ? "Name one: list, show, diff, merge, resolve or undo"
        : "Name one: edit, recovery, identity, doctor or completion. See: fe --help",
    );
  }
  const text = error.message
    .replace(/^error: /, "")
    .replace(/^option '(--[\w-]+) <\w+>' argument missing$/u, "option $1 has no value")
    .replaceAll("\n", " ");
  return new UsageError(text.charAt(0).toUpperCase() + text.slice(1), help);
}

/**
 * Takes a command line apart. `argv` is what follows the command's own name; a help is made for a
 * terminal of so many columns, 80 at most.
 */
export function parseArguments(argv: readonly string[], columns?: number): ParsedArguments {
  const output: string[] = [];
  let raw: RawArguments | undefined;
  const keep = (taken: RawArguments): void => {
    raw = taken;
  };
  const program = buildProgram(output, keep, {
    ...(argv[0] === undefined ? {} : { only: argv[0] }),
    ...(columns === undefined ? {} : { columns }),
  });
  const json = asksForJson(argv, program);
  try {
    program.parse(argv, { from: "user" });
  } catch (error) {
    if (error instanceof UsageError) return { kind: "usage", json, error };
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.version") return { kind: "version", json };
    if (error.exitCode === 0) {
      const text = output.join("");
      return { kind: "help", json, text: columns === undefined ? text : narrowed(text, columns) };
    }
    return { kind: "usage", json, error: usageErrorOf(error, argv, program) };
  }
  if (raw === undefined) throw new Error("commander ran no command and reported no error");
  return { kind: "run", json, raw };
}
