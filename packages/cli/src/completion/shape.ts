/** The commands and options that there are, as plain data, taken from their one definition. */
import type { Command, Option } from "commander";

/** What a shell may offer for a value. */
export type Offer =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "files" }
  | { readonly kind: "directories" }
  /** Ids of these records, for which the script asks `fe recovery list`. */
  | { readonly kind: "records"; readonly which: "standing" | "resolved" | "all" }
  /** A text, a number, a hash: nobody can guess it. */
  | { readonly kind: "nothing" };

export interface OptionShape {
  /** With its dashes. */
  readonly flag: string;
  readonly description: string;
  /** What its value may be; `undefined`: it takes none. */
  readonly value: Offer | undefined;
}

export interface CommandShape {
  /** From `fe` on, such as `fe recovery show`. */
  readonly words: string;
  readonly description: string;
  readonly options: readonly OptionShape[];
  /** What its argument may be, if it is none of the commands below it. */
  readonly argument: Offer;
  readonly commands: readonly CommandShape[];
}

const versions: Offer = { kind: "words", words: ["before", "after", "current"] };

/** The usual ones; the library knows more, and other spellings of these. */
const encodings: Offer = {
  kind: "words",
  words: [
    ...["utf-8", "utf-16", "utf-16le", "utf-16be", "windows-1250", "windows-1251", "windows-1252"],
    ...["iso-8859-1", "iso-8859-15", "koi8-r", "gbk", "gb18030", "big5", "shift_jis", "euc-jp"],
    ...["euc-kr", "macroman"],
  ],
};

/** By what stands between `<` and `>` in the definition. */
const offers: Readonly<Record<string, Offer>> = {
  file: { kind: "files" },
  dir: { kind: "directories" },
  which: versions,
  how: { kind: "words", words: ["match-file", "exact"] },
  mode: { kind: "words", words: ["prefer", "require", "off"] },
  encoding: encodings,
  id: { kind: "records", which: "all" },
  shell: { kind: "words", words: ["bash", "zsh", "fish"] },
};

const standing: Offer = { kind: "records", which: "standing" };

/** Of commands that refuse some of what others take. */
const narrower: Readonly<Record<string, typeof offers>> = {
  merge: { id: standing },
  resolve: { id: standing },
  undo: {
    id: { kind: "records", which: "resolved" },
    which: { kind: "words", words: ["before", "after"] },
  },
};

/** The shape of a command and of all below it. */
export function shapeOf(command: Command, above = ""): CommandShape {
  const words = `${above}${command.name()}`;
  const [argument] = command.registeredArguments;
  return {
    words,
    description: command.summary() || (command.description().split("\n")[0] ?? ""),
    options: [...command.options.map((option) => optionShape(command, option)), helpOption],
    argument: offerOf(command, argument?.name()),
    commands: command.commands.map((inner) => shapeOf(inner, `${words} `)),
  };
}

const helpOption: OptionShape = {
  flag: "--help",
  description: "display help for command",
  value: undefined,
};

function optionShape(command: Command, option: Option): OptionShape {
  const placeholder = /<(.+)>/u.exec(option.flags)?.[1];
  return {
    flag: option.long ?? option.flags,
    description: option.description,
    value: placeholder === undefined ? undefined : offerOf(command, placeholder),
  };
}

function offerOf(command: Command, placeholder = ""): Offer {
  const own = narrower[command.name()]?.[placeholder];
  return own ?? offers[placeholder] ?? { kind: "nothing" };
}

/** The command itself and all below it, outer ones first. */
export function allCommands(shape: CommandShape): readonly CommandShape[] {
  return [shape, ...shape.commands.flatMap(allCommands)];
}
