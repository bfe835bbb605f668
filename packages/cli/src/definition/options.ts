/** Options that every command has, and how one is declared. */
import { type Command, Option } from "commander";
import { UsageError } from "../usage-error.ts";
import type { CommonArguments } from "./raw-arguments.ts";

interface CommonOptionTexts {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly color?: boolean;
  readonly userDataDir?: string;
  readonly app?: string;
  readonly profile?: string;
  readonly root?: readonly string[];
}

/** What commander is told as version; the text comes from `run.ts`. */
export const versionMarker = "version";

/** An option that takes a value and may be given once: which of two texts is meant is no guess. */
export function single(flags: string, description: string): Option {
  const option = new Option(flags, description);
  return option.argParser((value: string, previous: string | undefined) => {
    if (previous !== undefined) throw repeated(option.long ?? flags);
    return value;
  });
}

/** Which of two values is meant is no guess. */
export function repeated(flag: string): UsageError {
  return new UsageError(`Option ${flag} is given twice`, "Give it once");
}

/** The options of every command, declared at each level; see `arguments.ts` for why. */
export function withCommonOptions(command: Command): Command {
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
export function commonArguments(command: Command): CommonArguments {
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
