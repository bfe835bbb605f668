/** What `fe identity` and `fe doctor` say to people. */
import type { Examination, ExclusionReport, IdentityReport, StoreReport } from "@fe/engine";
import { escapeText } from "@fe/engine/display";
import { count, lines, type Row, table } from "./layout.ts";

/** A file: what it is, and who may do what with it. */
export function identityText(report: IdentityReport): string {
  return lines(escapeText(report.realPath), table(fileRows(report)));
}

/** A row, if there is a value. */
function row(label: string, value: bigint | number | string | undefined): Row[] {
  return value === undefined ? [] : [[label, String(value)]];
}

function fileRows(report: IdentityReport): Row[] {
  const { identity, permission, filesystem, parent } = report;
  return [
    ["kind", `${report.kind}, ${count(report.sizeBytes, "byte")}, ${names(report.linkCount)}`],
    ["volume", `${identity.volume} (device ${identity.device} in this boot)`],
    ["file", String(identity.file)],
    ...row("born", identity.birthTimeNs && `${identity.birthTimeNs} ns since 1970`),
    ...row("generation", identity.generation),
    ...row("handle", identity.handle),
    ["directory", `volume ${parent.volume}, file ${parent.file}`],
    ["mode", permission.mode.toString(8).padStart(4, "0")],
    ["owner", `${permission.owner}, group ${permission.group}`],
    ["access list", permission.accessList ?? "none beside the mode"],
    ["capabilities", permission.capabilities ?? "none"],
    ["filesystem", `${escapeText(filesystem.type)}, ${filesystem.class}`],
  ];
}

function names(count: number): string {
  return count === 1 ? "1 name" : `${count} names`;
}

/**
 * Everything that was examined, and what follows from it. `isWhole`: nothing failed, so that no
 * advice means that there is nothing to do.
 */
export function doctorText(found: Examination, isWhole = true): string {
  const { process: self, store, target, exclusion, refusals, advice } = found;
  return [
    lines(
      "System",
      table([
        ["engine", found.engineVersion],
        ["addon", escapeText(found.addonPath ?? "its place cannot be told")],
        ["boot id", self.bootId ?? "not told"],
        ["host id", self.hostId ?? "not told"],
        ["pid namespace", String(self.pidNamespace ?? "not told")],
        ["process", `pid ${self.pid}, start ${self.startTime ?? "not told"}`],
      ]),
    ),
    lines("Recovery store", table(storeRows(store))),
    ...(target === undefined
      ? []
      : [
          lines(
            `File ${escapeText(target.realPath)}`,
            table([...fileRows(target), ...exclusionRows(exclusion), ...refusalRows(refusals)]),
          ),
        ]),
    ...adviceBlock(advice, isWhole),
  ].join("\n");
}

function adviceBlock(advice: Examination["advice"], isWhole: boolean): string[] {
  if (advice.length === 0) return isWhole ? [lines("Nothing to advise")] : [];
  const all = advice.map((each) => `  - ${escapeText(each)}`);
  return [lines("Advice", all)];
}

function refusalRows(refusals: Examination["refusals"]): Row[] {
  return refusals.map(({ code }): Row => ["edit", `refused: ${code}, see below`]);
}

function exclusionRows(exclusion: ExclusionReport | undefined): Row[] {
  if (exclusion === undefined) return [];
  const { offers, othersWaitMs, why = "" } = exclusion;
  if (offers === "cooperative") return [["exclusion", `cooperative: ${escapeText(why)}`]];
  const others =
    othersWaitMs === undefined
      ? "who asks to write while an edit runs is refused"
      : `others wait while an edit runs, ${othersWaitMs / 1000} s at most`;
  return [["exclusion", `kernel: ${others}`]];
}

function placeText(place: StoreReport["place"]): string | undefined {
  if (place === undefined) return undefined;
  const { path, owner, mode, filesystem } = place;
  const facts = `owner ${owner}, mode ${mode.toString(8).padStart(4, "0")}, ${filesystem.type}`;
  return `below ${escapeText(path)} (${facts})`;
}

function storeRows(store: StoreReport): Row[] {
  const yesOrNo = (value: boolean | undefined, yes: string, no: string): string | undefined =>
    value === undefined ? undefined : value ? yes : no;
  return [
    ["path", escapeText(store.path)],
    ["state", store.why === undefined ? store.state : `${store.state}: ${escapeText(store.why)}`],
    ...row("to be made", placeText(store.place)),
    ...row("filesystem", store.filesystem && `${store.filesystem.type}, ${store.filesystem.class}`),
    ...row("locks", yesOrNo(store.locks, "exclude", "exclude nobody")),
    ...row("unnamed files", yesOrNo(store.unnamedFiles, "yes", "no")),
    ...row("directory sync", yesOrNo(store.directorySync, "yes", "no")),
    ...row("records", store.records),
  ];
}
