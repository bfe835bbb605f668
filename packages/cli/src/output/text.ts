/** Results and errors for people: short, aligned, every foreign text escaped. */
import type {
  EditResult,
  FeError,
  MatchPosition,
  RecordReport,
  RecoveredRecord,
  ResolveResult,
  UndoResult,
  UnifiedDiff,
  Version,
  VersionReport,
} from "@fe/engine";
import { differingLines, escapeText } from "@fe/engine/display";
import pc from "picocolors";
import { guidanceLines, needsGuidance, RecoveryCommands, shortId } from "./guidance.ts";
import { count, lines, type Row, table, timeText } from "./layout.ts";
import type { Tell } from "./words.ts";

/** picocolors, with colours or without. */
export type Colors = ReturnType<typeof pc.createColors>;

/** Whether to colour is decided by `main.ts` for each stream, never by picocolors itself. */
export function createColors(enabled: boolean): Colors {
  return pc.createColors(enabled);
}

const maxPositions = 8;

function positionList(positions: readonly MatchPosition[], total: number): string {
  const shown = positions.slice(0, maxPositions);
  const rest = total - shown.length;
  const text = shown.map(({ line, column }) => `${line}:${column}`).join(", ");
  return rest > 0 ? `${text} and ${rest} more` : text;
}

/** What an edit, or a preview, did. */
export function editText(result: EditResult): string {
  const file = escapeText(result.path);
  const isSame = result.beforeSha256 === result.afterSha256;
  if (isSame) return lines(`${file} already is as asked for: nothing to change`);
  const places = count(result.replacements, "place");
  return lines(
    result.dryRun ? `Would replace ${places} in ${file}` : `Replaced ${places} in ${file}`,
    table([
      ["at", positionList(result.matches, result.replacements)],
      ["bytes", `${result.bytesBefore} -> ${result.bytesAfter}`],
    ]),
  );
}

/** What a caller should know and need not act on; empty if there is nothing. */
export function editNotes(result: EditResult): string {
  return lines(
    result.warnings.map((warning) => `warning: ${escapeText(warning)}`),
    result.metadataChanges.map((change) => `note: ${escapeText(change)}`),
    settledNotes(result.recovered),
  );
}

/** Of an edit that failed, too: the record is gone all the same. */
function settledNotes(recovered: RecoveredRecord | undefined): string[] {
  if (recovered === undefined) return [];
  const id = shortId(recovered.recordId);
  return [escapeText(`note: settled record ${id} of an earlier edit: ${recovered.decision}`)];
}

/** What a person should know of a diff that was printed. */
export function diffNotes({
  truncated,
  transcodedFrom,
}: {
  readonly truncated: boolean;
  readonly transcodedFrom?: UnifiedDiff["transcodedFrom"] | undefined;
}): string {
  const notes = [
    ...(truncated
      ? ["warning: the diff is not whole: hunks after the first 1 MiB are left off"]
      : []),
    ...(transcodedFrom === undefined
      ? []
      : [`note: the file is ${transcodedFrom}, its diff is in UTF-8: \`patch\` cannot take it`]),
  ];
  return lines(notes);
}

function versionText(version: VersionReport): string {
  return `${count(version.sizeBytes, "byte")}, sha256 ${version.sha256}`;
}

function identityText(identity: NonNullable<RecordReport["identity"]>): string {
  const { volume, file, birthTimeNs, generation } = identity;
  return [
    `volume ${volume}`,
    `file ${file}`,
    ...(birthTimeNs === undefined ? [] : [`born ${birthTimeNs} ns`]),
    ...(generation === undefined ? [] : [`generation ${generation}`]),
  ].join(", ");
}

const holdsTexts: Readonly<Record<NonNullable<RecordReport["holds"]>, string>> = {
  before: "the version before the edit",
  after: "the version after the edit",
  neither: "neither version",
  nothing: "nothing: no file is there",
  "another-file": "another file than the edit's",
  "not-looked-at": "not looked at",
};

function recordRows(record: RecordReport): Row[] {
  const { identity, owner, createdMs, before, after, holds } = record;
  return [
    ["why", escapeText(record.why)],
    ...(holds === undefined ? [] : ([["holds", holdsTexts[holds]]] as const)),
    ...(owner === undefined
      ? []
      : ([["owner", `pid ${owner.pid}, ${owner.state}: ${escapeText(owner.why)}`]] as const)),
    ...(createdMs === undefined ? [] : ([["made", timeText(createdMs)]] as const)),
    ...(before === undefined ? [] : ([["before", versionText(before)]] as const)),
    ...(after === undefined ? [] : ([["after", versionText(after)]] as const)),
    ...(identity === undefined ? [] : ([["identity", identityText(identity)]] as const)),
    ["record", escapeText(record.recordPath)],
  ];
}

/** All records, a block each; of none, where they were looked for. */
export function listText(
  records: readonly RecordReport[],
  storePath: string,
  colors: Colors,
): string {
  if (records.length === 0) return lines(`No recovery records in ${escapeText(storePath)}`);
  return records
    .map((record) => {
      const id = colors.bold(escapeText(shortId(record.id, records)));
      const file = record.path === undefined ? "(file not known)" : escapeText(record.path);
      return lines(`${id}  ${record.phase}  ${file}`, table(recordRows(record)));
    })
    .join("\n");
}

/** What `show` says beside the bytes. */
export function shownText(version: Version, report: VersionReport): string {
  return lines(`${version}: ${versionText(report)}`);
}

const keptNames: Readonly<Record<Exclude<ResolveResult["kept"], "current">, string>> = {
  before: "the version before the edit",
  after: "the version after the edit",
  given: "what was given",
};

function recordFate({ movedRecordTo, recordStands }: ResolveResult): string {
  if (recordStands) return "could not be moved; see the warning";
  return movedRecordTo === undefined ? "removed" : `moved to ${escapeText(movedRecordTo)}`;
}

/** What became of a record, and of its file, which may be gone, another by now, or not known. */
export function resolveText(result: ResolveResult): string {
  const file = result.path === undefined ? "the file" : escapeText(result.path);
  const { kept, savedPath } = result;
  const holds = result.status === "unchanged" ? "already held" : "now holds";
  const left = result.before ? `${file} is left as it is` : `Nothing was written to ${file}`;
  const claim = kept === "current" ? left : `${file} ${holds} ${keptNames[kept]}`;
  return lines(
    claim,
    table([
      ...(savedPath === undefined
        ? []
        : ([["saved", `what it held until now: ${escapeText(savedPath)}`]] as const)),
      ["record", recordFate(result)],
    ]),
  );
}

/** Warnings of a resolution, and how to take it back; empty if there is nothing to say. */
export function resolveNotes(result: ResolveResult, storeOptions: readonly string[]): string {
  const { record, path, savedPath, movedRecordTo, kept, before } = result;
  const commands = new RecoveryCommands(record, path, storeOptions);
  // Of a record whose file is another one by now, nothing is put into any file.
  const isKept = movedRecordTo !== undefined && before !== undefined;
  const isAside = movedRecordTo !== undefined && !isKept && record.phase !== "unreadable";
  const others = (["before", "after"] as const).filter((version) => isKept && version !== kept);
  return lines(
    result.warnings.map((warning) => `warning: ${escapeText(warning)}`),
    savedPath === undefined ? [] : `To take this back: ${commands.undo()}`,
    others.map((version) => `To have version ${version} instead: ${commands.undo(version)}`),
    isAside ? `To read its versions: ${commands.show("before")}` : [],
  );
}

/** What became of a resolution that was taken back. */
export function undoText(result: UndoResult, keep?: "before" | "after"): string {
  const { bytesBefore, bytesAfter, savedPath } = result;
  const holds =
    keep === undefined
      ? "holds again what it held before the last resolve or undo"
      : `now holds ${keptNames[keep]}`;
  return lines(
    `${escapeText(result.path)} ${holds}`,
    table([
      ["bytes", `${bytesBefore} -> ${bytesAfter}`],
      ...(savedPath === undefined
        ? []
        : ([["saved", `what it held until now: ${escapeText(savedPath)}`]] as const)),
    ]),
  );
}

/** Warnings of an undo, and how to take it back. */
export function undoNotes(result: UndoResult, storeOptions: readonly string[]): string {
  const record = { id: result.recordId };
  const undo = new RecoveryCommands(record, result.path, storeOptions).undo();
  if (result.savedPath === undefined) return editNotes(result);
  return `${editNotes(result)}${lines(`To take this back: ${undo}`)}`;
}

function missRows(error: FeError): Row[] {
  const { miss, message } = error;
  if (miss === undefined) return [];
  const nearest = miss.nearest ?? [];
  const width = Math.max(0, ...nearest.map(({ line }) => String(line).length));
  return [
    ...(miss.positions.length === 0
      ? []
      : ([["found at", positionList(miss.positions, miss.count)]] as const)),
    ...nearest.map(
      ({ line, text }, index): Row => [
        index > 0 ? "" : miss.positions.length === 0 ? "nearest" : "lines",
        `${String(line).padStart(width)} | ${escapeText(text)}`,
      ],
    ),
    ...differingLines(miss.differing ?? []).map(
      (text, index): Row => [index === 0 ? "differing" : "", text],
    ),
    // Usually the message says it already.
    ...(miss.reason === undefined || message.includes(miss.reason)
      ? []
      : ([["reason", escapeText(miss.reason)]] as const)),
  ];
}

/** A failure: one line what happened, what is known of it, then what to do. */
export function errorText(
  error: FeError,
  colors: Colors,
  { storeOptions, tell }: { readonly storeOptions: readonly string[]; readonly tell: Tell },
): string {
  // Only a message about the addon has further lines: the places where it was looked for.
  const [message = "", ...more] =
    error.code === "FE_NATIVE_UNAVAILABLE" ? error.message.split("\n") : [error.message];
  const head = `${colors.red("error")} ${error.code}: ${escapeText(message)}`;
  const settled = settledNotes(error.recovered);
  if (needsGuidance(error)) return lines(head, settled, guidanceLines(error, storeOptions));
  const { hint } = error;
  return lines(
    head,
    more.map((line) => `  ${escapeText(line)}`),
    table(missRows(error)),
    error.effect === "rolled_back" ? "The file was put back as it was, and verified." : [],
    error.effect === "unknown" ? "The file may hold part of the new text." : [],
    settled,
    hint === undefined || hint === "" ? [] : `${colors.bold("hint")}: ${escapeText(tell(hint))}`,
  );
}
