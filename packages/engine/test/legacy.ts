/** Records as programs of the older form leave them, for files that really are there. */
import { createHash } from "node:crypto";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What may differ from an interrupted edit of a process that is gone. */
export interface LegacyRecord {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly state?: "prepared" | "committed";
  readonly pid?: number;
  readonly bootTimeMs?: number | undefined;
  readonly transactionId?: string | undefined;
  /** Numbers of the file, if they are to be others than those it has now. */
  readonly device?: bigint;
  readonly inode?: bigint;
}

/** Above the largest pid that Linux gives (`PID_MAX_LIMIT`), so nobody has it. */
export const pidOfNobody = 4_194_305;

const hash = (data: string): string => createHash("sha256").update(data).digest("hex");

/** Puts the record into a store, which is made if there is none; returns its id and path. */
export function putLegacyRecord(
  store: string,
  record: LegacyRecord,
): { readonly id: string; readonly file: string; readonly text: string } {
  const { path, before, after, state = "prepared", pid = pidOfNobody } = record;
  const { dev, ino } = statSync(path, { bigint: true });
  const { device = dev, inode = ino } = record;
  const { bootTimeMs, transactionId } = record;
  const members = {
    version: 1,
    path,
    fileDev: Number(device),
    fileIno: Number(inode),
    ownerPid: pid,
    ...(bootTimeMs === undefined ? {} : { ownerBootTimeMs: bootTimeMs }),
    ...(transactionId === undefined ? {} : { transactionId }),
    state,
    beforeBase64: Buffer.from(before).toString("base64"),
    afterBase64: Buffer.from(after).toString("base64"),
    beforeSha256: hash(before),
    afterSha256: hash(after),
  };
  const text = JSON.stringify({ ...members, checksum: hash(JSON.stringify(members)) });
  const id = hash(`inode:${device}:${inode}`);
  const file = join(store, `${id}.json`);
  mkdirSync(store, { recursive: true, mode: 0o700 });
  writeFileSync(file, text, { mode: 0o600 });
  return { id, file, text };
}
