/**
 * What the hints of the engine name, in words of the command line. A hint does not know which
 * command shows it: an option that this one lacks is told with a command that has it, so that
 * nobody is told to give what is refused.
 */
import type { FeError } from "@fe/engine";
import {
  type HintName,
  type HintWords,
  hintNames,
  inWords,
  quoteForShell,
} from "@fe/engine/display";
import type { RawArguments } from "../definition/raw-arguments.ts";

type CommandName = RawArguments["command"];

interface HintOption {
  readonly flag: string;
  /** The commands that have it; how another tells of it is taken from the first. */
  readonly of: readonly [CommandName, ...CommandName[]];
  /** A command that has it too, but not for every value: it is told there where a hint has none. */
  readonly bareOf?: CommandName;
}

type OptionName = Extract<
  HintName,
  | "encoding"
  | "exclusive"
  | "expectSha256"
  | "followSymlinks"
  | "keep"
  | "maxFileBytes"
  | "replaceAll"
  | "waitMs"
>;

/** Options of some commands only; those of every command are in {@link words}. */
export const hintOptions: Readonly<Record<OptionName, HintOption>> = {
  encoding: { flag: "--encoding", of: ["edit"] },
  exclusive: { flag: "--exclusive", of: ["edit"] },
  expectSha256: { flag: "--expect-sha256", of: ["recovery resolve", "recovery undo"] },
  followSymlinks: { flag: "--no-follow-symlinks", of: ["edit"] },
  keep: { flag: "--keep", of: ["recovery resolve"], bareOf: "recovery undo" },
  maxFileBytes: { flag: "--max-file-size", of: ["edit"] },
  replaceAll: { flag: "--replace-all", of: ["edit"] },
  waitMs: { flag: "--wait", of: ["edit", "recovery undo"] },
};

/** Words as they are typed after a command, each with a space before it. */
export function typedWords(all: readonly string[]): string {
  return all.map((word) => ` ${quoteForShell(word)}`).join("");
}

function quoted(text: string, after = ""): (value?: string) => string {
  return (value) => `\`${text}${value === undefined ? "" : ` ${value}`}${after}\``;
}

/** A member of the object that `--request` reads. */
function member(name: string): (value?: string) => string {
  return (value) => `\`${name}${value === undefined ? "" : `: "${value}"`}\``;
}

const commandOf = {
  "recovery.list": "recovery list",
  "recovery.listResolved": "recovery list",
  "recovery.resolve": "recovery resolve",
  "recovery.show": "recovery show",
  "recovery.undo": "recovery undo",
} as const satisfies Partial<Record<HintName, CommandName>>;

/** Names that every command has, or that are no options of this one. */
const words = {
  "after.sha256": () => "`after_sha256`, as `--json` shows it,",
  afterSha256: member("after_sha256"),
  beforeSha256: member("before_sha256"),
  examine: () => "`fe doctor`",
  roots: quoted("--root"),
  userDataDirectory: quoted("--user-data-dir"),
};

/** For an edit that is given by `--request`. */
const requestWords = {
  encoding: member("encoding"),
  replaceAll: member("replace_all"),
  waitMs: member("wait_ms"),
};

function isOption(name: HintName): name is OptionName {
  return name in hintOptions;
}

function isCommand(name: HintName): name is keyof typeof commandOf {
  return name in commandOf;
}

/** What is known of the command that shows a hint. */
export interface Asked {
  /** What it was given are members of a request. */
  readonly isRequest?: boolean;
  /** The record that it is about. */
  readonly id?: string | undefined;
  /** What named the store: without them the record is not found. */
  readonly storeOptions?: readonly string[];
}

/** A command that is to be typed, so with the record and the store that this one was given. */
function commandWords(
  command: CommandName,
  { id, storeOptions = [] }: Asked,
  flag?: string,
): (value?: string) => string {
  const option = flag === undefined ? "" : ` ${flag}`;
  if (!command.startsWith("recovery ")) return quoted(`fe ${command}${option}`);
  const takesId = command !== "recovery list" && id !== undefined;
  const named = takesId ? typedWords([id, ...(flag === undefined ? placesOf(command) : [])]) : "";
  return quoted(`fe ${command}${named}${option}`, typedWords(storeOptions));
}

/** What such a command needs beside the id, for a person to fill in. */
function placesOf(command: CommandName): string[] {
  if (command === "recovery show") return ["--version", "VERSION"];
  return command === "recovery resolve" ? ["--keep", "VERSION"] : [];
}

/** `told`: the commands whose options are told alone. */
function wordsOf(told: readonly CommandName[], asked: Asked): HintWords {
  const optionWords = ({ flag, of, bareOf }: HintOption): ((value?: string) => string) => {
    const isOwn = of.some((command) => told.includes(command));
    const elsewhere = commandWords(of[0], asked, flag);
    const isBareOwn = bareOf !== undefined && told.includes(bareOf);
    return (value) =>
      isOwn || (isBareOwn && value === undefined) ? quoted(flag)(value) : elsewhere(value);
  };
  const all = hintNames.map((name) => {
    if (isOption(name)) return [name, optionWords(hintOptions[name])];
    return [name, isCommand(name) ? commandWords(commandOf[name], asked) : words[name]];
  });
  return Object.fromEntries(all) as HintWords;
}

/** How a hint is told. */
export type Tell = (hint: string) => string;

/**
 * Node puts U+FFFD for what is not UTF-8 in an argument, so such a name never leads to its file:
 * then the hint begins with that.
 */
export function toldOfName(error: Pick<FeError, "code" | "path">, tell: Tell): Tell {
  const { code, path = "" } = error;
  if (code !== "FE_NOT_FOUND" || !path.includes("\u{FFFD}")) return tell;
  const why =
    "A name that is not UTF-8 cannot be given on the command line: make a link to the file, with " +
    "another name (`ln -s`), and give that";
  return (hint) => `${why}. ${tell(hint)}`;
}

/** How `command` tells hints. */
export function tellerFor(command: CommandName, asked: Asked = {}): Tell {
  return (hint) => {
    // Beside the name of a command its options need it no more.
    const named = Object.entries(commandOf).filter(([name]) => hint.includes(`\`${name}\``));
    const own = wordsOf([command, ...named.map(([, other]) => other)], asked);
    return inWords(asked.isRequest === true ? { ...own, ...requestWords } : own, hint);
  };
}
