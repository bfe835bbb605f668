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
import { Command, CommanderError, Option } from "commander";
import { editHelp, recoveryHelp, rootHelp, showHelp } from "./help.ts";
import { UsageError } from "./usage-error.ts";

/** What every command takes. */
export interface CommonArguments {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly color: boolean;
  readonly userDataDir: string | undefined;
  readonly app: string | undefined;
  readonly profile: string | undefined;
  readonly roots: readonly string[];
}

/** Options of `fe edit`, as they were typed. */
export interface EditOptionTexts {
  readonly oldString?: string;
  readonly newString?: string;
  readonly oldFile?: string;
  readonly newFile?: string;
  readonly replaceAll?: boolean;
  readonly expectedReplacements?: string;
  readonly expectedSha256?: string;
  readonly lineEndings?: string;
  readonly dryRun?: boolean;
  readonly wait?: string;
  readonly maxFileSize?: string;
  readonly followSymlinks?: boolean;
}

/** One command, as it was typed. */
export type RawArguments = { readonly common: CommonArguments } & (
  | { readonly command: "edit"; readonly file: string; readonly options: EditOptionTexts }
  | { readonly command: "recovery list" }
  | { readonly command: "recovery show"; readonly id: string; readonly version?: string }
  | {
      readonly command: "recovery resolve";
      readonly id: string;
      readonly keep?: string;
      readonly expectSha256?: string;
    }
);

/** What a command line asks for. `json`: whether the answer is to be one JSON object. */
export type ParsedArguments =
  | { readonly kind: "run"; readonly json: boolean; readonly raw: RawArguments }
  | { readonly kind: "help"; readonly json: boolean; readonly text: string }
  | { readonly kind: "version"; readonly json: boolean }
  | { readonly kind: "usage"; readonly json: boolean; readonly error: UsageError };

interface CommonOptionTexts {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly color?: boolean;
  readonly userDataDir?: string;
  readonly app?: string;
  readonly profile?: string;
  readonly root?: readonly string[];
}

const versionMarker = "version";

/** An option that takes a value and may be given once: which of two texts is meant is no guess. */
function single(flags: string, description: string): Option {
  const option = new Option(flags, description);
  return option.argParser((value: string, previous: string | undefined) => {
    if (previous !== undefined) throw repeated(option.long ?? flags);
    return value;
  });
}

function repeated(flag: string): UsageError {
  return new UsageError(`Option ${flag} is given twice`, "Give it once");
}

function withCommonOptions(command: Command): Command {
  return command
    .addOption(new Option("--json", "print one JSON object, for success and failure alike"))
    .addOption(new Option("--quiet", "say nothing on success; list and show still print"))
    .addOption(new Option("--no-color", "no colours, as with NO_COLOR in the environment"))
    .addOption(single("--user-data-dir <dir>", "directory below which recovery records are kept"))
    .addOption(single("--app <name>", "name of the application whose records are shared"))
    .addOption(single("--profile <name>", "profile whose records are shared"))
    .addOption(
      new Option(
        "--root <dir>",
        "only files below it, after links are resolved; may be repeated",
      ).argParser((value: string, previous: readonly string[] = []) => [...previous, value]),
    );
}

/** Later levels add to earlier ones: `fe --json edit …` and `fe edit … --json` are the same. */
function commonArguments(command: Command): CommonArguments {
  const levels: CommonOptionTexts[] = [];
  for (let level: Command | null = command; level !== null; level = level.parent) {
    levels.unshift(level.opts<CommonOptionTexts>());
  }
  const one = (name: "userDataDir" | "app" | "profile", flag: string): string | undefined => {
    const given = levels.map((level) => level[name]).filter((value) => value !== undefined);
    if (given.length > 1) throw repeated(flag);
    return given[0];
  };
  return {
    json: levels.some((level) => level.json === true),
    quiet: levels.some((level) => level.quiet === true),
    color: levels.every((level) => level.color !== false),
    userDataDir: one("userDataDir", "--user-data-dir"),
    app: one("app", "--app"),
    profile: one("profile", "--profile"),
    roots: levels.flatMap((level) => level.root ?? []),
  };
}

type Take = (raw: RawArguments) => void;

function addEdit(program: Command, take: Take): void {
  const edit = program
    .command("edit")
    .summary("replace exact text in a file, in place")
    .description(editHelp.description)
    .argument("<file>", "the file to edit")
    .version(versionMarker, "--version", "print the version")
    .addOption(single("--old-string <text>", "text to replace; must occur exactly once"))
    .addOption(single("--new-string <text>", "text to put there, literally; empty deletes"))
    .addOption(single("--old-file <file>", "file whose exact bytes are the text to replace"))
    .addOption(single("--new-file <file>", "file whose exact bytes are the text to put there"))
    .addOption(new Option("--replace-all", "replace every occurrence"))
    .addOption(single("--expected-replacements <n>", "fail unless just so many are replaced"))
    .addOption(single("--expected-sha256 <hex>", "fail unless the file holds just these bytes now"))
    .addOption(single("--line-endings <how>", "match-file (default) or exact"))
    .addOption(new Option("--dry-run", "say what would be done; change nothing"))
    .addOption(
      single("--wait <duration>", "wait so long for another edit of the file (default: 0s)"),
    )
    .addOption(single("--max-file-size <size>", "size limit, or off (default: 128MiB)"))
    .addOption(new Option("--no-follow-symlinks", "refuse a symbolic link as last component"))
    .addHelpText("after", editHelp.after);
  withCommonOptions(edit).action((file: string, options: EditOptionTexts, command: Command) => {
    take({ command: "edit", common: commonArguments(command), file, options });
  });
}

function addRecovery(program: Command, take: Take): void {
  const recovery = withCommonOptions(
    program
      .command("recovery")
      .summary("list, show and resolve what an interrupted edit left")
      .description(recoveryHelp.description)
      .version(versionMarker, "--version", "print the version")
      .addHelpText("after", recoveryHelp.after),
  );
  const list = recovery
    .command("list")
    .description("List every recovery record. Changes nothing.")
    .version(versionMarker, "--version", "print the version");
  withCommonOptions(list).action((_options: unknown, command: Command) => {
    take({ command: "recovery list", common: commonArguments(command) });
  });
  const show = recovery
    .command("show")
    .description("Write the bytes of one version to standard output. Changes nothing.")
    .argument("<id>", "a record's id, or a unique prefix of 8 or more")
    .addOption(single("--version <which>", "before, after or current"))
    .addHelpText("after", showHelp);
  withCommonOptions(show).action(
    (id: string, options: { readonly version?: string }, command: Command) => {
      take({ command: "recovery show", common: commonArguments(command), id, ...options });
    },
  );
  const resolve = recovery
    .command("resolve")
    .description("Make the file hold one version, and remove the record.")
    .argument("<id>", "a record's id, or a unique prefix of 8 or more")
    .version(versionMarker, "--version", "print the version")
    .addOption(single("--keep <which>", "before, after, or current (leaves the file as it is)"))
    .addOption(single("--expect-sha256 <hex>", "fail unless the file holds just these bytes now"));
  withCommonOptions(resolve).action(
    (
      id: string,
      options: { readonly keep?: string; readonly expectSha256?: string },
      command: Command,
    ) => {
      take({ command: "recovery resolve", common: commonArguments(command), id, ...options });
    },
  );
}

function buildProgram(output: string[], take: Take): Command {
  const write = (text: string): void => void output.push(text);
  const program = new Command("fe")
    .description(rootHelp.description)
    .version(versionMarker, "--version", "print the version")
    .exitOverride()
    .configureOutput({
      writeOut: write,
      writeErr: () => {},
      getOutHelpWidth: () => 80,
      getErrHelpWidth: () => 80,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .enablePositionalOptions()
    .addHelpText("after", rootHelp.after);
  withCommonOptions(program);
  addEdit(program, take);
  addRecovery(program, take);
  return program;
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

function usageErrorOf(error: CommanderError, argv: readonly string[]): UsageError {
  const help = `See: fe ${argv[0] === "edit" || argv[0] === "recovery" ? `${argv[0]} ` : ""}--help`;
  if (error.code === "commander.help") {
    const isRecovery = argv.includes("recovery");
    return new UsageError(
      isRecovery ? "No command is named after recovery" : "No command is named",
      isRecovery ? "Name one: list, show or resolve" : "Name one: edit or recovery. See: fe --help",
    );
  }
  const text = error.message.replace(/^error: /, "").replaceAll("\n", " ");
  return new UsageError(text.charAt(0).toUpperCase() + text.slice(1), help);
}

/** Takes a command line apart. `argv` is what follows the command's own name. */
export function parseArguments(argv: readonly string[]): ParsedArguments {
  const output: string[] = [];
  let raw: RawArguments | undefined;
  const program = buildProgram(output, (taken) => {
    raw = taken;
  });
  const json = asksForJson(argv, program);
  try {
    program.parse(argv, { from: "user" });
  } catch (error) {
    if (error instanceof UsageError) return { kind: "usage", json, error };
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.version") return { kind: "version", json };
    if (error.exitCode === 0) return { kind: "help", json, text: output.join("") };
    return { kind: "usage", json, error: usageErrorOf(error, argv) };
  }
  if (raw === undefined) throw new Error("commander ran no command and reported no error");
  return { kind: "run", json, raw };
}
