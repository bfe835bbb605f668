/** Results and errors in a few lines, for people and models; every foreign text is escaped. */
import type {
  EditResult,
  FeError,
  MatchPosition,
  RecordReport,
  ResolvedReport,
  ResolveResult,
  UndoResult,
  Version,
} from "@fe/engine";
import { differingLines, escapeLine, escapeText, inWords, shortId } from "@fe/engine/display";
import { maxShownBytes, maxShownPlaces, maxShownRecords } from "../limits.ts";
import { textOf } from "./excerpt.ts";
import { guidanceHint, guidanceLines, needsGuidance, type RecoveryGuide } from "./guidance.ts";
import { wordsFor } from "./words.ts";

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function places(positions: readonly MatchPosition[], total: number): string {
  const shown = positions.slice(0, maxShownPlaces);
  const rest = total - shown.length;
  const text = shown.map(({ line, column }) => `${line}:${column}`).join(", ");
  return rest > 0 ? `${text} and ${rest} more` : text;
}

/** A diff, its lines as they can be copied; how much of it, `boundedEdit` has decided. */
function diffLines(diff: EditResult["diff"]): string[] {
  if (diff === undefined || diff.bytes.length === 0) return [];
  const text = textOf(diff.bytes);
  if (text === undefined) return ["The diff is not UTF-8; the structured result has it in base64."];
  const shown = text.trimEnd().split("\n").map(escapeLine);
  return diff.truncated ? [...shown, "(the diff is shortened, and may go on)"] : shown;
}

/** Of an edit that failed, too: the record is gone all the same. */
function settledNotes(recovered: EditResult["recovered"]): string[] {
  if (recovered === undefined) return [];
  return [
    `Note: settled record ${shortId(recovered.recordId)} of an earlier edit: ${recovered.decision}`,
  ];
}

/** What an edit, or a dry run, did. */
export function editText(result: EditResult): string {
  const file = escapeText(result.path);
  const sha256 = result.dryRun ? result.beforeSha256 : result.afterSha256;
  const hash = `SHA-256 of the file now: ${sha256}`;
  const notes = [
    ...result.warnings.map((warning) => `Warning: ${escapeText(warning)}`),
    ...result.metadataChanges.map((change) => `Note: ${escapeText(change)}`),
    ...settledNotes(result.recovered),
  ];
  if (result.beforeSha256 === result.afterSha256) {
    return [`${file} already is as asked for; nothing changed.`, hash, ...notes].join("\n");
  }
  const where = `${count(result.replacements, "place")} in ${file}`;
  const at = `at line:column ${places(result.matches, result.replacements)}`;
  return [
    result.dryRun ? `Dry run: would replace ${where}, ${at}.` : `Replaced ${where}, ${at}.`,
    `Bytes: ${result.bytesBefore} before, ${result.bytesAfter} after.`,
    hash,
    ...notes,
    ...diffLines(result.diff),
  ].join("\n");
}

/** An id, shortened; in full if another of `all` begins with the same. */
function idIn(all: readonly { id: string }[], id: string): string {
  const prefix = shortId(id);
  const isUnique = all.every((other) => other.id === id || !other.id.startsWith(prefix));
  return isUnique ? prefix : id;
}

const holdsTexts: Readonly<Record<NonNullable<RecordReport["holds"]>, string>> = {
  before: "The file holds the version before the edit.",
  after: "The file holds the version after the edit.",
  neither: "The file holds neither version.",
  nothing: "No file is there.",
  "another-file": "Another file stands there.",
  "not-looked-at": "The file was not looked at.",
};

/** All records, with what is known of each; then what can be taken back. */
export function listText(
  records: readonly RecordReport[],
  resolved: readonly ResolvedReport[] = [],
): string {
  return [...recordLines(records), ...resolvedLines(resolved)].join("\n");
}

function resolvedLines(resolved: readonly ResolvedReport[]): string[] {
  if (resolved.length === 0) return [];
  const rest = resolved.length - maxShownRecords;
  return [
    "Resolved; recovery_undo takes each back while its file holds what was written:",
    ...(rest > 0 ? [`  and ${rest} older`] : []),
    ...resolved.slice(-maxShownRecords).map((one) => {
      const versions = one.record === undefined ? [] : ["version before or after"];
      const held = one.savedPath === undefined ? [] : ["what the file held"];
      const file = escapeText(one.path);
      const id = idIn(resolved, one.id);
      return `${id} resolved ${file}\n  kept: ${[...held, ...versions].join(", ")}`;
    }),
  ];
}

/** Which file it was made for, under whatever name; `holds` says whether that one is there. */
function identityLines({ identity }: RecordReport): string[] {
  if (identity === undefined) return [];
  const { volume, file, birthTimeNs: born } = identity;
  const since = born === undefined ? "" : `, born ${born} ns since 1970`;
  return [`  Identity: volume ${volume}, file ${file}${since}`];
}

function recordLines(records: readonly RecordReport[]): string[] {
  if (records.length === 0) return ["No recovery records: no edit was left unfinished."];
  const rest = records.length - maxShownRecords;
  return [
    `${count(records.length, "recovery record")}:`,
    ...records.slice(0, maxShownRecords).map((record) => {
      const file = record.path === undefined ? "(file not known)" : escapeText(record.path);
      const holds = record.holds === undefined ? "" : ` ${holdsTexts[record.holds]}`;
      return [
        `${idIn(records, record.id)} ${record.phase} ${file}`,
        `  Why: ${escapeText(record.why)}.${holds}`,
        `  Record: ${escapeText(record.recordPath)}`,
        ...identityLines(record),
      ].join("\n");
    }),
    ...(rest > 0 ? [`and ${rest} more`] : []),
    "recovery_show gives the bytes of each version.",
  ];
}

/** What stands above the content of a version; `command`: instead of it, if that is left out. */
export function shownText(
  version: Version,
  shown: { readonly bytes: number; readonly sha256: string; readonly isText: boolean },
  command?: string,
): string {
  const head = `Version ${version}: ${count(shown.bytes, "byte")}, sha256 ${shown.sha256}`;
  if (command !== undefined) {
    return (
      `${head}. It has more than ${maxShownBytes} bytes, so its content is left out; ` +
      `a person has it from: ${command} > FILE`
    );
  }
  return shown.isText
    ? `${head}. Its text follows.`
    : `${head}. It is not UTF-8; the structured result holds it in base64.`;
}

function recordText({ movedRecordTo, recordStands }: ResolveResult): string {
  if (recordStands) return "The record could not be moved; see the warning.";
  if (movedRecordTo === undefined) return "The record was removed.";
  return `The record was moved to ${escapeText(movedRecordTo)}.`;
}

/** What became of a record, and of its file, which may be gone, another by now, or not known. */
export function resolveText(result: ResolveResult): string {
  const file = result.path === undefined ? "the file" : escapeText(result.path);
  const { kept, savedPath, movedRecordTo, before } = result;
  const holds = result.status === "unchanged" ? "already held" : "now holds";
  const whatIsKept = kept === "given" ? "what was given" : `the version ${kept}`;
  const left = before ? `${file} is left as it is.` : `Nothing was written to ${file}.`;
  return [
    kept === "current" ? left : `${file} ${holds} ${whatIsKept}.`,
    recordText(result),
    ...(movedRecordTo === undefined || before === undefined
      ? []
      : ["recovery_undo with keep before or after puts that version of it into the file."]),
    ...(savedPath === undefined
      ? []
      : [
          `What the file held until now is saved at ${escapeText(savedPath)}.`,
          `recovery_undo brings that back; SHA-256 of the file now: ${result.after?.sha256 ?? ""}`,
        ]),
    ...result.warnings.map((warning) => `Warning: ${escapeText(warning)}`),
  ].join("\n");
}

/** What became of a resolution that was taken back. */
export function undoText(result: UndoResult, keep?: "before" | "after"): string {
  const { path, bytesBefore, bytesAfter, afterSha256, savedPath } = result;
  return [
    keep === undefined
      ? `${escapeText(path)} holds again what it held before the last resolve or undo.`
      : `${escapeText(path)} now holds the version ${keep}.`,
    `Bytes: ${bytesBefore} before, ${bytesAfter} after.`,
    `SHA-256 of the file now: ${afterSha256}`,
    ...(savedPath === undefined
      ? []
      : [
          `What the file held until now is saved at ${escapeText(savedPath)}.`,
          "recovery_undo with the same id and that SHA-256 takes this back.",
        ]),
    ...result.warnings.map((warning) => `Warning: ${escapeText(warning)}`),
    ...result.metadataChanges.map((change) => `Note: ${escapeText(change)}`),
    ...settledNotes(result.recovered),
  ].join("\n");
}

function missLines({ code, miss, message }: FeError): string[] {
  if (miss === undefined) return [];
  const nearest = miss.nearest ?? [];
  const width = Math.max(0, ...nearest.map(({ line }) => String(line).length));
  return [
    // Of an ambiguous text the message names the lines.
    ...(miss.positions.length === 0 || code === "FE_AMBIGUOUS_MATCH"
      ? []
      : [`Found at line:column ${places(miss.positions, miss.count)}.`]),
    // Usually the message says it already.
    ...(miss.reason === undefined || message.includes(miss.reason)
      ? []
      : [`Reason: ${escapeText(miss.reason)}.`]),
    ...(nearest.length === 0 ? [] : [miss.positions.length === 0 ? "Nearest lines:" : "Lines:"]),
    ...nearest.map(({ line, text }) => `${String(line).padStart(width)} | ${escapeLine(text)}`),
    ...differingLines(miss.differing ?? []),
  ];
}

const effects = {
  none: "The file was not changed.",
  rolled_back: "The file was put back as it was, and verified.",
  unknown: "The file may hold part of the new text.",
} as const;

/** What to do about a failure, in words of this server and of what is possible in it. */
export function hintOf(error: FeError, guide: RecoveryGuide): string | undefined {
  if (needsGuidance(error)) return guidanceHint(error, guide);
  return error.hint === undefined ? undefined : inWords(wordsFor(guide), error.hint);
}

/**
 * A failure: what happened, what is known of it, what is true of the file, what to do.
 * `isReadOnly`: the tool only looks.
 */
export function errorText(error: FeError, guide: RecoveryGuide, isReadOnly = false): string {
  const head = `${error.code}: ${escapeText(error.message)}`;
  const settled = settledNotes(error.recovered);
  if (needsGuidance(error)) return [head, ...settled, ...guidanceLines(error, guide)].join("\n");
  const hint = hintOf(error, guide);
  return [
    head,
    ...missLines(error),
    // Nobody thinks that a tool which only looks has changed one.
    ...(isReadOnly && error.effect === "none" ? [] : [effects[error.effect]]),
    ...settled,
    ...(hint === undefined || hint === "" ? [] : [`Hint: ${escapeText(hint)}`]),
    // Of a record whose choices are known, the same call ends the same way.
    ...(error.retryable && error.record?.choices === undefined
      ? ["The same call may succeed later."]
      : []),
  ].join("\n");
}
