/** The answer of an edit: what all kinds of success have in common. */
import type { FileIdentity } from "@fe/native";
import type { Located } from "../matching/locate.ts";
import type { VersionReport } from "../record-report.ts";
import type { EditResult } from "../result.ts";
import type { MatchedEdit, ResolvedTarget } from "./states.ts";

/** The answer of an edit that wrote nothing, until the caller says otherwise. */
export function resultFor(
  resolved: ResolvedTarget,
  identity: FileIdentity,
  located: Located,
  before: VersionReport,
  after: VersionReport,
): EditResult {
  return {
    status: "unchanged",
    path: resolved.path,
    realPath: resolved.realPath,
    identity,
    replacements: located.replacements,
    matches: located.matches,
    matchesTruncated: located.matchesTruncated,
    beforeSha256: before.sha256,
    afterSha256: after.sha256,
    bytesBefore: before.sizeBytes,
    bytesAfter: after.sizeBytes,
    exclusion: "cooperative",
    durability: "none",
    lineEndings: located.lineEndings,
    ...(located.diff === undefined ? {} : { diff: located.diff }),
    metadataChanges: [],
    dryRun: false,
    warnings: located.mixesLineEnds ? [mixed(located.lineEndings)] : [],
  };
}

function mixed(style: string): string {
  return `The new text has other line breaks than the file (${style}); they were written as given`;
}

/** The same, from a matched edit. */
export function resultOf(
  matched: MatchedEdit,
  before: VersionReport,
  after: VersionReport,
): EditResult {
  const { settled, baseline, located } = matched;
  const { resolved } = settled.queued.identified.open;
  const base = resultFor(resolved, baseline.target, located, before, after);
  return {
    ...base,
    warnings: [...base.warnings, ...settled.warnings],
  };
}
