/**
 * What was typed, checked and turned into what a command needs.
 *
 * It knows the forms of the command line (sizes, durations, one of two options). What a request
 * means is judged by the engine.
 */
import path from "node:path";
import type { EditRequest, EngineOptions, Version } from "@fe/engine";
import { type Shell, shells } from "./completion/shells.ts";
import type { CommonArguments, EditOptionTexts, RawArguments } from "./definition/raw-arguments.ts";
import type { SettingsReader } from "./settings/reader.ts";
import { readRequest } from "./settings/request.ts";
import { type ResolveChoice, settleChoice, settleText } from "./settings/texts.ts";
import {
  parseChoice,
  parseCount,
  parseDuration,
  parseOptionalChoice,
  parseSize,
  versions,
} from "./settings/values.ts";
import { splitWords } from "./settings/words.ts";
import { UsageError } from "./usage-error.ts";

/** What every command is given. */
export interface CommonSettings {
  readonly engine: EngineOptions;
  /** Options that lead to the same store, for commands that are shown to a person. */
  readonly storeOptions: readonly string[];
}

export interface EditSettings extends CommonSettings {
  readonly command: "edit";
  readonly request: EditRequest;
  /** It was given by `--request`, so what a hint names is a member of that. */
  readonly isRequestFile: boolean;
  readonly waitMs: number;
  readonly dryRun: boolean;
  readonly diff: boolean;
  readonly exclusive: "prefer" | "require" | "off" | undefined;
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
  readonly choice: ResolveChoice;
  readonly expectSha256: string | undefined;
}

export interface DiffSettings extends CommonSettings {
  readonly command: "recovery diff";
  readonly id: string;
  readonly from: Version;
  readonly to: Version;
  /** The program that is given both, in words. */
  readonly tool: readonly string[] | undefined;
}

export interface MergeSettings extends CommonSettings {
  readonly command: "recovery merge";
  readonly id: string;
}

export interface UndoSettings extends CommonSettings {
  readonly command: "recovery undo";
  readonly id: string;
  /** In place of what the file held. */
  readonly keep: "before" | "after" | undefined;
  readonly expectSha256: string | undefined;
  readonly waitMs: number;
}

export interface IdentitySettings extends CommonSettings {
  readonly command: "identity";
  readonly file: string;
}

export interface DoctorSettings extends CommonSettings {
  readonly command: "doctor";
  readonly file: string | undefined;
}

export interface CompletionSettings extends CommonSettings {
  readonly command: "completion";
  readonly shell: Shell;
}

export type Settings =
  | EditSettings
  | ListSettings
  | ShowSettings
  | DiffSettings
  | ResolveSettings
  | MergeSettings
  | UndoSettings
  | IdentitySettings
  | CompletionSettings
  | DoctorSettings;

const images = ["before", "after"] as const;

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

/** Options that a request says itself, or leaves out on purpose. */
const saidByRequest = [
  ...(["oldString", "newString", "oldFile", "newFile", "replaceAll"] as const),
  ...(["expectedReplacements", "expectedSha256", "lineEndings", "encoding", "wait"] as const),
];

async function settleRequestFile(
  requestFile: string,
  file: string | undefined,
  options: EditOptionTexts,
  common: CommonSettings,
  reader: SettingsReader,
): Promise<EditSettings> {
  const other = saidByRequest.find((name) => options[name] !== undefined);
  if (file !== undefined || other !== undefined) {
    const flag = other?.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new UsageError(
      `Both --request and ${flag === undefined ? "a file" : `--${flag}`} are given`,
      "The request says all of this: file_path, old_string, new_string and so on",
    );
  }
  const { request, waitMs = 0, dryRun, diff } = await readRequest(requestFile, reader);
  return {
    ...common,
    command: "edit",
    request,
    isRequestFile: true,
    waitMs,
    dryRun: dryRun || options.dryRun === true,
    diff: diff || options.diff === true,
    exclusive: exclusiveOf(options),
  };
}

function waitMsOf(wait: string | undefined): number {
  return wait === undefined ? 0 : parseDuration(wait, "--wait");
}

const exclusiveModes = ["prefer", "require", "off"] as const;

function exclusiveOf({ exclusive }: EditOptionTexts): EditSettings["exclusive"] {
  return exclusive === undefined
    ? undefined
    : parseChoice<(typeof exclusiveModes)[number]>(exclusive, "--exclusive", exclusiveModes);
}

async function settleEdit(
  file: string | undefined,
  options: EditOptionTexts,
  common: CommonSettings,
  reader: SettingsReader,
): Promise<EditSettings> {
  const { expectedReplacements, expectedSha256, lineEndings, encoding, wait } = options;
  if (options.request !== undefined) {
    return settleRequestFile(options.request, file, options, common, reader);
  }
  if (file === undefined) {
    throw new UsageError("No file is named", "Name the file to edit, or give --request");
  }
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
    ...(encoding === undefined ? {} : { encoding }),
    ...(lineEndings === undefined
      ? {}
      : { lineEndings: parseChoice(lineEndings, "--line-endings", ["match-file", "exact"]) }),
  };
  const exclusive = exclusiveOf(options);
  const waitMs = waitMsOf(wait);
  const oldString = await settleText("old", options.oldString, options.oldFile, reader);
  const newString = await settleText("new", options.newString, options.newFile, reader);
  return {
    ...common,
    command: "edit",
    request: { path: file, oldString, newString, ...rest },
    isRequestFile: false,
    waitMs,
    dryRun: options.dryRun === true,
    diff: options.diff === true,
    exclusive,
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
      const choice = await settleChoice(raw, reader);
      const { id, expectSha256 } = raw;
      return { ...common, command: raw.command, id, choice, expectSha256 };
    }
    case "recovery diff": {
      const from = parseChoice(raw.from ?? "before", "--from", versions);
      const to = parseChoice(raw.to ?? "current", "--to", versions);
      const tool = raw.tool === undefined ? undefined : splitWords(raw.tool, "--tool");
      if (tool !== undefined && raw.common.json) {
        throw new UsageError("Both --json and --tool are given", "A tool answers in its own way");
      }
      return { ...common, command: raw.command, id: raw.id, from, to, tool };
    }
    case "recovery merge":
      return { ...common, command: raw.command, id: raw.id };
    case "recovery undo": {
      const { id, expectSha256 } = raw;
      const keep = parseOptionalChoice(raw.keep, "--keep", images);
      const waitMs = waitMsOf(raw.wait);
      return { ...common, command: raw.command, id, keep, expectSha256, waitMs };
    }
    case "identity":
      return { ...common, command: raw.command, file: raw.file };
    case "completion":
      return { ...common, command: raw.command, shell: parseChoice(raw.shell, "shell", shells) };
    case "doctor":
      return { ...common, command: raw.command, file: raw.file };
  }
}
