/** What the findings mean to a person. Pure. */
import type { ProcessIdentity } from "@fe/native";
import type { IdentityReport } from "./identify.ts";
import type { StoreReport } from "./store-report.ts";

/**
 * Sentences without full stop, the most important first; none if all is well. What makes an edit of
 * the target impossible is left to its refusals.
 */
export function adviceFor(
  self: ProcessIdentity,
  store: StoreReport,
  target: IdentityReport | undefined,
): readonly string[] {
  return [
    ...(target === undefined ? storeFailures(store) : []),
    ...storeAdvice(store),
    ...(target === undefined ? [] : targetAdvice(target)),
    ...processAdvice(self),
  ];
}

function storeFailures({ state, why, directorySync }: StoreReport): string[] {
  if (state === "unusable") return [`No edit is possible until the store can be used: ${why}`];
  if (directorySync !== false) return [];
  return [
    "No edit is possible, since names cannot be made durable in this store; put it on another " +
      "filesystem (`userDataDirectory`)",
  ];
}

function storeAdvice({ state, place, filesystem, locks, ...store }: StoreReport): string[] {
  if (state === "absent") {
    const where = place === undefined ? "" : `, below "${place.path}"`;
    return [`There is no recovery store yet; the first edit makes it${where}`];
  }
  const advice: string[] = [];
  if (filesystem !== undefined && filesystem.class !== "local") {
    advice.push(
      `The store is on ${filesystem.type} (${filesystem.class}); put it on a local disk ` +
        "(`userDataDirectory`), since locks and syncs may mean less than they say there",
    );
  }
  if (locks === false) {
    advice.push(
      "Locks exclude nobody in this store, so records of interrupted edits always need a person",
    );
  }
  if (store.unnamedFiles === false) {
    advice.push("Records get a temporary name first, since there are no unnamed files");
  }
  if ((store.records ?? 0) > 0) {
    advice.push(`${store.records} recovery record(s) stand in the store: see \`recovery.list\``);
  }
  return advice;
}

function targetAdvice(target: IdentityReport): string[] {
  const { kind, filesystem, linkCount, permission, identity } = target;
  const advice: string[] = [];
  if (filesystem.class === "network" || filesystem.class === "fuse") {
    advice.push(
      `${filesystem.type} is no local filesystem: other hosts are not seen, and a sync may mean ` +
        "less than it says",
    );
  }
  if (filesystem.type === "overlay") {
    advice.push("On overlay the first edit copies the file up, which gives it another identity");
  }
  if (kind === "regular" && linkCount > 1)
    advice.push(`It has ${linkCount} names, and all will show the edit`);
  if ((permission.mode & 0o6000) !== 0 || permission.capabilities !== null) {
    advice.push("A write takes set-id bits and capabilities away; they are put back or reported");
  }
  if (identity.birthTimeNs === undefined && identity.generation === undefined) {
    advice.push(
      "Its filesystem tells neither birth time nor generation: a reused inode is not seen",
    );
  }
  return advice;
}

function processAdvice(self: ProcessIdentity): string[] {
  const missing = [
    ...(self.bootId === undefined ? ["boot id"] : []),
    ...(self.hostId === undefined ? ["host id"] : []),
    ...(self.startTime === undefined ? ["start time of processes"] : []),
  ];
  if (missing.length === 0) return [];
  return [`This system does not tell: ${missing.join(", ")}; owners of records are judged without`];
}
