/** What a person or a model is told to do about a recovery record, in this order. */
import type { FeError, FeErrorCode, RecordReport, Version } from "@fe/engine";
import { escapeText, maxComparedBytes, quoteForShell, shortId } from "@fe/engine/display";
import { maxShownBytes, maxTextLength } from "../limits.ts";

/** How records can be settled from here. */
export interface RecoveryGuide {
  /** Whether `recovery_resolve` may do it. */
  readonly allowResolve: boolean;
  /** Options that lead the `fe` command to the same store. */
  readonly storeOptions: readonly string[];
}

type GuidedCode = Extract<
  FeErrorCode,
  "FE_RECOVERY_REQUIRED" | "FE_OUTCOME_UNKNOWN" | "FE_RECORD_UNSAFE"
>;

const situations: Readonly<Record<GuidedCode, string>> = {
  FE_RECOVERY_REQUIRED:
    "This call changed nothing. The record of an earlier edit is kept until a person decides.",
  FE_OUTCOME_UNKNOWN:
    "The file may hold part of the new text. The record holds both versions and is kept.",
  FE_RECORD_UNSAFE:
    "This call changed nothing. The record of an earlier edit cannot be trusted, and is kept.",
};

type GuidedError = FeError & { readonly code: GuidedCode; readonly record: RecordReport };

/** Whether `error` is one that a person must settle by hand, and names the record. */
export function needsGuidance(error: FeError): error is GuidedError {
  return Object.hasOwn(situations, error.code) && error.record !== undefined;
}

/** A command of the `fe` tool that keeps to the store of this server. */
export function recoveryCommand(guide: RecoveryGuide, ...words: readonly string[]): string {
  return ["fe", "recovery", ...[...words, ...guide.storeOptions].map(quoteForShell)].join(" ");
}

/** Whether tools see it: with roots, only records that name a file below one. */
function isShown({ path }: RecordReport): boolean {
  return path !== undefined;
}

/** Where nothing else is known, each may be possible. */
const everyVersion: readonly Version[] = ["before", "after", "current"];

/** What is possible for one record, from this server. */
class Steps {
  readonly #record: RecordReport;
  readonly #guide: RecoveryGuide;
  readonly #id: string;

  constructor(record: RecordReport, guide: RecoveryGuide) {
    this.#record = record;
    this.#guide = guide;
    this.#id = shortId(record.id);
  }

  lines(): string[] {
    return [this.#save(), ...this.#look(), ...(this.#canWrite() ? this.#restore() : this.#keep())];
  }

  #canWrite(): boolean {
    const { phase, choices = everyVersion } = this.#record;
    if (phase === "unreadable") return false;
    return choices.includes("before") || choices.includes("after");
  }

  /** A version may be too long for an answer; then a person has it from the command. */
  #isLarge(): boolean {
    return this.#sizeBytes() > maxShownBytes;
  }

  /** Of the longer version. The file itself, and a merge, are none longer, mostly. */
  #sizeBytes(): number {
    const { before, after } = this.#record;
    return Math.max(before?.sizeBytes ?? 0, after?.sizeBytes ?? 0);
  }

  #command(word: string, ...words: readonly string[]): string {
    return recoveryCommand(this.#guide, word, this.#id, ...words);
  }

  #save(): string {
    const ifAny = this.#canWrite() ? "" : ", if there is one";
    if (!isShown(this.#record)) return `1. Save a copy of the file as it is now${ifAny}.`;
    return this.#isLarge()
      ? `1. Save the file as it is now${ifAny}: ${this.#command("show", "--version", "current")} ` +
          "> FILE. It may be too large for recovery_show, which gives its sha256 all the same."
      : `1. Save the file as it is now${ifAny}: recovery_show with id ${this.#id} and ` +
          "version current.";
  }

  #look(): string[] {
    const shown = isShown(this.#record);
    const list = recoveryCommand(this.#guide, "list");
    if (this.#record.phase === "unreadable") {
      return [
        `2. Look at the record's path and its identity (${shown ? "recovery_list" : list}).`,
        "   Its versions cannot be read.",
      ];
    }
    const before = this.#command("show", "--version", "before");
    const after = this.#command("show", "--version", "after");
    if (!isShown(this.#record) || this.#isLarge()) {
      return [
        "2. Look at the record's path, its identity and both versions:",
        ...[list, `${before} > FILE`, `${after} > FILE`].map((command) => `     ${command}`),
      ];
    }
    return [
      "2. Look at the record's path, its identity (recovery_list) and both versions " +
        "(recovery_show, version before and version after).",
    ];
  }

  #restore(): string[] {
    const head =
      "3. Restore the version that is meant, or merge the versions. A person decides which.";
    if (this.#isOurs()) {
      return [
        head,
        `   Then recovery_resolve with id ${this.#id}, that version as keep, and the sha256`,
        "   of the current version as expected_sha256. recovery_undo takes that back.",
        ...this.#giveMerge(),
      ];
    }
    return [
      head,
      "   For before, after or current they run:",
      `     ${this.#command("resolve", "--keep", "VERSION")}`,
      ...this.#proposeMerge(),
      `     ${this.#command("resolve", "--with", "MERGED")}`,
      this.#whyNotOurs(),
    ];
  }

  #giveMerge(): string[] {
    if (this.#sizeBytes() <= maxTextLength) {
      return [
        "   If somebody else changed the file too, a merge may be meant: give it, whole, as",
        "   content, in place of keep.",
      ];
    }
    return [
      "   If somebody else changed the file too, a merge may be meant. It is too long for content;",
      "   a person makes it, and runs:",
      `     ${this.#command("resolve", "--with", "FILE")}`,
    ];
  }

  #proposeMerge(): string[] {
    if (this.#sizeBytes() > maxComparedBytes) {
      return ["   For a merge, if somebody else changed the file too, made by hand:"];
    }
    return [
      "   For a merge, if somebody else changed the file too; the first command proposes one:",
      `     ${this.#command("merge")} > MERGED`,
    ];
  }

  /** The record's versions fit no file that is there. */
  #keep(): string[] {
    const command = this.#command("resolve", "--keep", "current");
    return [
      "3. No version can be written: what stands there is not that file any more, or the record",
      "   cannot be read. A person puts what is meant in place, and keeps the current one; the",
      "   record is then moved aside, not removed:",
      ...(this.#isOurs()
        ? [
            `   recovery_resolve with id ${this.#id}, keep current, and the sha256 of the current`,
            `   version as expected_sha256. Where no file is, a person runs: ${command}`,
          ]
        : [`     ${command}`, this.#whyNotOurs()]),
    ];
  }

  #isOurs(): boolean {
    return this.#guide.allowResolve && isShown(this.#record);
  }

  #whyNotOurs(): string {
    return isShown(this.#record)
      ? "   This server was started without --allow-resolve."
      : "   The tools of this server do not reach this record.";
  }
}

/** What is different for a file of which a sync failed. */
const doubtfulLines: readonly string[] = [
  "A sync of the file failed: what it shows may not be on its disk, so reading it proves nothing.",
  "A person should look at the disk first. Every choice of step 3 writes the whole file anew and",
  "syncs it. If that fails too, the versions of steps 1 and 2 must be kept on another disk.",
];

function stepLines({ record }: GuidedError, guide: RecoveryGuide): string[] {
  return [
    ...(record.phase === "doubtful" ? doubtfulLines : []),
    "What to do, in this order:",
    ...new Steps(record, guide).lines(),
  ];
}

/** The same steps as {@link guidanceLines}, in lines as there, each command on its own. */
export function guidanceHint(error: GuidedError, guide: RecoveryGuide): string {
  return stepLines(error, guide).join("\n");
}

/** The lines that follow the error's own line. */
export function guidanceLines(error: GuidedError, guide: RecoveryGuide): string[] {
  const { record, message } = error;
  // Of a record that cannot be read, the error may be about its own file.
  const named = error.path === record.recordPath ? undefined : error.path;
  const target = record.path ?? named;
  return [
    situations[error.code],
    ...(target === undefined ? [] : [`File: ${escapeText(target)}`]),
    `Record: ${escapeText(record.recordPath)}`,
    ...(message.includes(record.why) ? [] : [`Why: ${escapeText(record.why)}`]),
    ...stepLines(error, guide),
  ];
}
