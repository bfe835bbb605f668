/** What a person is told to do about a recovery record, with the exact commands, in this order. */
import path from "node:path";
import type { FeError, FeErrorCode, RecordReport, Version } from "@fe/engine";
import { escapeText, maxComparedBytes, quoteForShell } from "@fe/engine/display";
import { typedWords } from "./words.ts";

/** Long enough to be unique in any store of a size that people have; the engine takes 8 or more. */
const idLength = 12;

/** A record's id, shortened; in full if another of `all` begins with the same. */
export function shortId(id: string, all: readonly { readonly id: string }[] = []): string {
  const prefix = id.slice(0, idLength);
  const isUnique = all.every((other) => other.id === id || !other.id.startsWith(prefix));
  return isUnique ? prefix : id;
}

type GuidedCode = Extract<
  FeErrorCode,
  "FE_RECOVERY_REQUIRED" | "FE_OUTCOME_UNKNOWN" | "FE_RECORD_UNSAFE"
>;

const situations: Readonly<Record<GuidedCode, string>> = {
  FE_RECOVERY_REQUIRED:
    "This one changed nothing. The record of the earlier edit is kept until you decide.",
  FE_OUTCOME_UNKNOWN:
    "The file may hold part of the new text. The record holds both versions and is kept.",
  FE_RECORD_UNSAFE:
    "This one changed nothing. The record of an earlier edit cannot be trusted, and is kept.",
};

/** Whether `error` is one that a person must settle by hand, and names the record. */
export function needsGuidance(
  error: FeError,
): error is FeError & { readonly code: GuidedCode; readonly record: RecordReport } {
  return error.code in situations && error.record !== undefined;
}

/** Commands that keep to the store that was used. */
export class RecoveryCommands {
  readonly #store: string;
  readonly #id: string;
  readonly #fileName: string;

  constructor(
    record: Pick<RecordReport, "id" | "path">,
    target: string | undefined,
    storeOptions: readonly string[],
  ) {
    this.#store = typedWords(storeOptions);
    this.#id = quoteForShell(shortId(record.id));
    this.#fileName = path.basename(record.path ?? target ?? record.id);
  }

  list(): string {
    return `fe recovery list${this.#store}`;
  }

  show(version: Version): string {
    const copy = quoteForShell(this.#copyName(version));
    return `fe recovery show ${this.#id} --version ${version}${this.#store} > ${copy}`;
  }

  diff(from: Version, to: Version, tool?: string): string {
    const shown = tool === undefined ? "" : ` --tool ${quoteForShell(tool)}`;
    return `fe recovery diff ${this.#id} --from ${from} --to ${to}${shown}${this.#store}`;
  }

  /** A proposal, in the file that `resolveWith` takes. */
  merge(): string {
    const merged = quoteForShell(this.#copyName("merged"));
    return `fe recovery merge ${this.#id}${this.#store} > ${merged}`;
  }

  resolve(keep: Version): string {
    return `fe recovery resolve ${this.#id} --keep ${keep}${this.#store}`;
  }

  /** With bytes that a person made of the versions. */
  resolveWith(file: string = this.#copyName("merged")): string {
    const merged = quoteForShell(file);
    return `fe recovery resolve ${this.#id} --with ${merged}${this.#store}`;
  }

  /** Of the resolution, or to a version of its record. */
  undo(version?: "before" | "after"): string {
    const to = version === undefined ? "" : ` --keep ${version}`;
    return `fe recovery undo ${this.#id}${to}${this.#store}`;
  }

  /** For a record that cannot be read, through which no version can be had. */
  copy(target: string): string {
    return `cp -p -- ${quoteForShell(target)} ${quoteForShell(this.#copyName("current"))}`;
  }

  #copyName(version: string): string {
    // Never begins with a dash, so that no later command takes it for an option.
    return `./${this.#fileName}.fe-${version}`;
  }
}

/** Whether `diff` and `merge` can take both versions. The file itself is none longer, mostly. */
function canCompare({ before, after }: RecordReport): boolean {
  return Math.max(before?.sizeBytes ?? 0, after?.sizeBytes ?? 0) <= maxComparedBytes;
}

function readableSteps(commands: RecoveryCommands, record: RecordReport): string[] {
  const { choices = everyVersion } = record;
  const canWrite = choices.includes("before") || choices.includes("after");
  return [
    `  1. Save the file as it is now${canWrite ? "" : ", if there is one"}:`,
    `       ${commands.show("current")}`,
    "  2. Look at the record's path, its identity and both versions:",
    `       ${commands.list()}`,
    `       ${commands.show("before")}`,
    `       ${commands.show("after")}`,
    ...(canCompare(record) ? compareLines(commands, canWrite) : toolLines(commands, canWrite)),
    ...(canWrite ? restoreSteps(commands, choices, canCompare(record)) : keepSteps(commands)),
  ];
}

function compareLines(commands: RecoveryCommands, canWrite: boolean): string[] {
  if (!canWrite) return [`       ${commands.diff("before", "after")}`];
  return [
    `       ${commands.diff("before", "current")}`,
    `       ${commands.diff("current", "after")}`,
    "     or side by side, in a program of yours:",
    `       ${commands.diff("current", "after", "meld")}`,
  ];
}

function toolLines(commands: RecoveryCommands, canWrite: boolean): string[] {
  return [
    "     They are too large to be compared here; a program of yours may be able to:",
    `       ${commands.diff(canWrite ? "current" : "before", "after", "meld")}`,
  ];
}

function restoreSteps(
  commands: RecoveryCommands,
  choices: readonly Version[],
  isMergeProposed: boolean,
): string[] {
  const whether = "     or, if somebody else changed the file too, merge them:";
  return [
    "  3. Restore the version you mean, by one of these:",
    ...choices.map((choice) => `       ${commands.resolve(choice)}`),
    ...(isMergeProposed
      ? [
          `${whether} look at what is`,
          "     proposed, or make the file by hand, and give it:",
          `       ${commands.merge()}`,
        ]
      : [`${whether} make the file by hand, and give it:`]),
    `       ${commands.resolveWith()}`,
  ];
}

/** The file at the path is not the one that the record was made for. */
function keepSteps(commands: RecoveryCommands): string[] {
  return [
    "  3. What stands at that path is not that file any more, so no version is written to it. Put",
    "     the one you mean in place yourself, from step 2; then keep the current one. The record",
    "     is moved aside, not removed:",
    `       ${commands.resolve("current")}`,
  ];
}

/** As the journal says it of a record that others could read and not write. */
const trustedWithMode = "with mode 600 it is trusted";

/** Nothing of the record need be lost, if its mode is all that was changed. */
function modeSteps(commands: RecoveryCommands, recordPath: string): string[] {
  const record = quoteForShell(recordPath);
  return [
    "  2. Others could read the record, not write it. Look at it:",
    `       ls -l -- ${record}`,
    "     If only its mode was changed, as by a backup, set it back. Then it can be read, and the",
    "     command that failed goes on, or shows how to take its versions out:",
    `       chmod 600 -- ${record}`,
    "  3. If you do not trust it, keep the current one. The file is left as it is and the record",
    "     is moved aside, not removed:",
    `       ${commands.resolve("current")}`,
  ];
}

function unreadableSteps(
  commands: RecoveryCommands,
  target: string | undefined,
  { why, recordPath }: RecordReport,
): string[] {
  return [
    ...(target === undefined
      ? ["  1. Save the file as it is now. The record does not say which it is; you may know."]
      : ["  1. Save the file as it is now:", `       ${commands.copy(target)}`]),
    ...(why.includes(trustedWithMode) ? modeSteps(commands, recordPath) : distrustSteps(commands)),
  ];
}

function distrustSteps(commands: RecoveryCommands): string[] {
  return [
    "  2. Look at the record's path, its identity and both versions, as far as they can be read:",
    `       ${commands.list()}`,
    "  3. Restore or merge the version you mean, then keep the current one. The file is left",
    "     as it is and the record is moved aside, not removed:",
    `       ${commands.resolve("current")}`,
  ];
}

/** What is different for a file of which a sync failed. */
const doubtfulLines: readonly string[] = [
  "A sync of the file failed: what it shows may not be on its disk. Look at the disk and at the",
  "system's log first. Every choice of step 3 writes the whole file anew and syncs it. If that",
  "fails too, keep what steps 1 and 2 write, on another disk. Once the machine was started again,",
  "the file shows what its disk holds.",
  "",
];

/** What is different for a record that only a command without roots may look at. */
const outsideLines: readonly string[] = [
  "The record is not of a file below --root. Without --root the commands here reach it.",
  "",
];

/** What is different where the file was asked for by another name than the record's. */
const otherNameLines: readonly string[] = [
  "The record names the file as it was called then, and the commands look for it there. If it was",
  "renamed since, give it that name again first.",
  "",
];

/** Where nothing else is known, each may be possible. */
const everyVersion: readonly Version[] = ["before", "after", "current"];

/** The lines that follow the error's own line. */
export function guidanceLines(
  error: FeError & { readonly code: GuidedCode; readonly record: RecordReport },
  storeOptions: readonly string[],
): string[] {
  const { record } = error;
  // Of a record that cannot be read, the error may be about its own file.
  const named = error.path === record.recordPath ? undefined : error.path;
  const target = record.path ?? named;
  const commands = new RecoveryCommands(record, target, storeOptions);
  const choices = record.choices ?? everyVersion;
  return [
    situations[error.code],
    ...(target === undefined ? [] : [`  file    ${escapeText(target)}`]),
    `  record  ${escapeText(record.recordPath)}`,
    ...(error.message.includes(record.why) ? [] : [`  why     ${escapeText(record.why)}`]),
    "",
    ...(record.phase === "doubtful" ? doubtfulLines : []),
    ...(record.path === undefined && record.phase !== "unreadable" ? outsideLines : []),
    ...(choices.includes("before") && hasOtherName(record.path, named) ? otherNameLines : []),
    "What to do, in this order:",
    ...(record.phase === "unreadable"
      ? unreadableSteps(commands, target, record)
      : readableSteps(commands, { ...record, choices })),
  ];
}

function hasOtherName(recorded: string | undefined, asked: string | undefined): boolean {
  if (recorded === undefined || asked === undefined) return false;
  return path.basename(recorded) !== path.basename(asked);
}
