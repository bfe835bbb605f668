/**
 * What was typed, checked and turned into what a command needs.
 *
 * It knows the forms of the command line (sizes, durations, one of two options). What a request
 * means is judged by the engine.
 */
import path from "node:path";
import type { EditRequest, EngineOptions, Version } from "@fe/engine";
import type { CommonArguments, EditOptionTexts, RawArguments } from "./arguments.ts";
import { UsageError } from "./usage-error.ts";

/** What the settings may ask of the system. */
export interface SettingsReader {
  /** The working directory, absolute. */
  cwd(): string;
  /**
   * Bytes of a file; `-` is standard input. Rejects with the system's error, or with one of its own
   * where there are more than `limitBytes`.
   */
  readInput(file: string, limitBytes: number): Promise<Uint8Array>;
}

/** What every command is given. */
export interface CommonSettings {
  readonly engine: EngineOptions;
  /** Options that lead to the same store, for commands that are shown to a person. */
  readonly storeOptions: readonly string[];
}

export interface EditSettings extends CommonSettings {
  readonly command: "edit";
  readonly request: EditRequest;
  readonly waitMs: number;
  readonly dryRun: boolean;
}

export interface ListSettings extends CommonSettings {
  readonly command: "recovery list";
}

export interface ShowSettings extends CommonSettings {
  readonly command: "recovery show";
  readonly id: string;
  readonly version: Version;
}

export interface ResolveSettings extends CommonSettings {
  readonly command: "recovery resolve";
  readonly id: string;
  readonly keep: Version;
  readonly expectSha256: string | undefined;
}

export type Settings = EditSettings | ListSettings | ShowSettings | ResolveSettings;

/**
 * A text longer than this cannot be in a file that may be edited: the recovery store takes no
 * version over 128 MiB.
 */
export const maxTextBytes: number = 128 * 1024 * 1024;

const sizeUnits: Readonly<Record<string, number>> = {
  "": 1,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
};

/** Bytes of `1048576`, `64KiB`, `16MiB` or `1GiB`; `off` is `Infinity`. */
export function parseSize(text: string, flag: string): number {
  if (text === "off") return Number.POSITIVE_INFINITY;
  const [, digits, unit = ""] = /^(\d+)(KiB|MiB|GiB)?$/.exec(text) ?? [];
  const bytes = Number(digits) * (sizeUnits[unit] ?? Number.NaN);
  if (!Number.isSafeInteger(bytes)) {
    throw new UsageError(
      `Option ${flag} is not a size: "${text}"`,
      "Give a whole number of bytes, or one with KiB, MiB or GiB, such as 64KiB; or off",
    );
  }
  return bytes;
}

const durationUnits: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

/** The longest time that a timer of Node keeps, 24.8 days; a longer one would end at once. */
const maxDurationMs = 2 ** 31 - 1;

/** Milliseconds of `250ms`, `2s` or `1m`. */
export function parseDuration(text: string, flag: string): number {
  const [, digits, unit = ""] = /^(\d+)(ms|s|m)$/.exec(text) ?? [];
  const ms = Number(digits) * (durationUnits[unit] ?? Number.NaN);
  // A bare number is refused, since nothing says whether it means milliseconds or seconds.
  if (!(ms <= maxDurationMs)) {
    throw new UsageError(
      `Option ${flag} is not a duration: "${text}"`,
      "Give a whole number with its unit: 250ms, 2s or 1m, at most 24 days",
    );
  }
  return ms;
}

function parseCount(text: string, flag: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(count)) {
    throw new UsageError(`Option ${flag} is not a number: "${text}"`, "Give a whole number");
  }
  return count;
}

function parseChoice<T extends string>(
  text: string | undefined,
  flag: string,
  choices: readonly T[],
): T {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new UsageError(
    text === undefined ? `Option ${flag} is missing` : `Option ${flag} cannot be "${text}"`,
    `Give one of: ${choices.join(", ")}`,
  );
}

const versions: readonly Version[] = ["before", "after", "current"];

/** Node turns bytes of an argument that are not UTF-8 into this, and it would be written as it. */
const replacementCharacter = "\uFFFD";

type Side = "old" | "new";

async function readText(side: Side, file: string, reader: SettingsReader): Promise<string> {
  const source = file === "-" ? "standard input" : `"${file}"`;
  let bytes: Uint8Array;
  try {
    bytes = await reader.readInput(file, maxTextBytes);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `Cannot read ${source} for --${side}-file: ${why}`,
      "Name a file that can be read, or - for standard input",
    );
  }
  try {
    // A byte order mark is part of the exact bytes, so it must not be dropped.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UsageError(
      `Cannot use ${source} for --${side}-file: its bytes are not UTF-8`,
      "Texts are UTF-8; take only the part of the text that is ASCII, or convert it",
    );
  }
}

async function settleText(
  side: Side,
  text: string | undefined,
  file: string | undefined,
  reader: SettingsReader,
): Promise<string> {
  if ((text === undefined) === (file === undefined)) {
    throw new UsageError(
      text === undefined
        ? `Nothing says what the ${side} text is`
        : `Both --${side}-string and --${side}-file are given`,
      `Give either --${side}-string or --${side}-file`,
    );
  }
  if (text === undefined) return readText(side, file ?? "", reader);
  if (text.includes(replacementCharacter)) {
    throw new UsageError(
      `Cannot use --${side}-string: it holds U+FFFD, which stands for bytes that are not UTF-8`,
      `If that character is meant, put it in a file and give --${side}-file`,
    );
  }
  return text;
}

function settleDirectory(
  directory: string | undefined,
  reader: SettingsReader,
): string | undefined {
  if (directory === undefined) return undefined;
  if (directory === "") {
    throw new UsageError("Option --user-data-dir is empty", "Name a directory");
  }
  if (path.isAbsolute(directory)) return path.normalize(directory);
  try {
    return path.resolve(reader.cwd(), directory);
  } catch {
    throw new UsageError(
      `Option --user-data-dir is relative, and the working directory is gone: "${directory}"`,
      "Give an absolute path",
    );
  }
}

function settleCommon(
  common: CommonArguments,
  options: EditOptionTexts,
  reader: SettingsReader,
): CommonSettings {
  const { app, profile, roots } = common;
  const { maxFileSize, followSymlinks } = options;
  const userDataDirectory = settleDirectory(common.userDataDir, reader);
  const storeOptions = [
    ...(userDataDirectory === undefined ? [] : ["--user-data-dir", userDataDirectory]),
    ...(app === undefined ? [] : ["--app", app]),
    ...(profile === undefined ? [] : ["--profile", profile]),
  ];
  return {
    engine: {
      ...(roots.length === 0 ? {} : { roots }),
      ...(userDataDirectory === undefined ? {} : { userDataDirectory }),
      ...(app === undefined ? {} : { appName: app }),
      ...(profile === undefined ? {} : { profile }),
      ...(maxFileSize === undefined
        ? {}
        : { maxFileBytes: parseSize(maxFileSize, "--max-file-size") }),
      ...(followSymlinks === false ? { followSymlinks } : {}),
    },
    storeOptions,
  };
}

async function settleEdit(
  file: string,
  options: EditOptionTexts,
  common: CommonSettings,
  reader: SettingsReader,
): Promise<EditSettings> {
  const { expectedReplacements, expectedSha256, lineEndings, wait } = options;
  if (options.oldFile === "-" && options.newFile === "-") {
    throw new UsageError(
      "Both --old-file and --new-file are standard input",
      "Give - for one of them and a file for the other",
    );
  }
  // What can be judged from the command line alone is judged before anything is read.
  const rest = {
    ...(options.replaceAll === true ? { replaceAll: true } : {}),
    ...(expectedReplacements === undefined
      ? {}
      : {
          expectedReplacements: parseCount(expectedReplacements, "--expected-replacements"),
        }),
    ...(expectedSha256 === undefined ? {} : { expectedSha256 }),
    ...(lineEndings === undefined
      ? {}
      : { lineEndings: parseChoice(lineEndings, "--line-endings", ["match-file", "exact"]) }),
  };
  const waitMs = wait === undefined ? 0 : parseDuration(wait, "--wait");
  const oldString = await settleText("old", options.oldString, options.oldFile, reader);
  const newString = await settleText("new", options.newString, options.newFile, reader);
  return {
    ...common,
    command: "edit",
    request: { path: file, oldString, newString, ...rest },
    waitMs,
    dryRun: options.dryRun === true,
  };
}

/** Checks what was typed and reads the files that it names. Rejects with {@link UsageError}. */
export async function settle(raw: RawArguments, reader: SettingsReader): Promise<Settings> {
  const common = settleCommon(raw.common, raw.command === "edit" ? raw.options : {}, reader);
  switch (raw.command) {
    case "edit":
      return settleEdit(raw.file, raw.options, common, reader);
    case "recovery list":
      return { ...common, command: raw.command };
    case "recovery show": {
      const version = parseChoice(raw.version, "--version", versions);
      return { ...common, command: raw.command, id: raw.id, version };
    }
    case "recovery resolve": {
      const keep = parseChoice(raw.keep, "--keep", versions);
      const { id, expectSha256 } = raw;
      return { ...common, command: raw.command, id, keep, expectSha256 };
    }
  }
}
