/**
 * Every name on disk.
 *
 * | name | what |
 * | --- | --- |
 * | `<key>.lock` | key lock: an empty file |
 * | `<key>.fer` | recovery record |
 * | `<key>.<transaction id>.tmp` | record that is not published yet, where files need a name |
 * | `<key>.<transaction id>.<random>.reap` | tombstone: a record on its way out |
 * | `<stem>.json` | record of the older form: read, never written |
 * | `<stem>.<transaction id or checksum>.<random>.reap` | its tombstone |
 * | `saved/<id>.<time>.<random>.bytes` | bytes that a resolution replaced |
 * | `saved/<id>.<time>.<random>.note` | what is known of them |
 * | `saved/<id>.<time>.<random>.fer`, `….json`, `….reap` | a record that a person put aside |
 * | `saved/….bytes.tmp`, `….note.tmp` | not published yet, where files need a name |
 *
 * Key and stem are 64 hex digits, a transaction id is a UUID, `<random>` 12 hex digits, `<time>`
 * the 13 digits of milliseconds since 1970. A name that has none of these forms is not ours and is
 * left alone.
 */
import { type FileIdentity, pathToBytes } from "@fe/native";
import { sha256 } from "./checksum.ts";

/** Directory of the store below the user-data directory. */
export const storeDirectoryName = "edit-recovery";
/** Directory below the store for what a person's decision replaced. */
export const savedDirectoryName = "saved";

/**
 * The key under which processes meet: SHA-256 in hex of `volume:<id>:<inode>`, both decimal; of
 * `path:<real path>` where the filesystem gives no usable number (0). All hard links of a file have
 * one, but for those without a number. On Windows the number is the file id; where it changes with
 * a rename (FAT), the key does too.
 */
export function recordKey(identity: FileIdentity, realPath: string): string {
  const digest =
    identity.file === 0n
      ? sha256("path:", pathToBytes(realPath))
      : sha256(`volume:${identity.volume}:${identity.file}`);
  return digest.toString("hex");
}

/**
 * Stem of the record that a program of the older form keeps for this file: SHA-256 in hex of
 * `inode:<st_dev>:<inode>`, so another one after a restart that gives `st_dev` anew.
 */
export function legacyStem(identity: FileIdentity): string {
  return sha256(`inode:${identity.device}:${identity.file}`).toString("hex");
}

/** Whether `text` has the form of a key. */
export function isKey(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

export function lockName(key: string): string {
  return `${key}.lock`;
}

export function recordName(key: string): string {
  return `${key}.fer`;
}

export function legacyRecordName(stem: string): string {
  return `${stem}.json`;
}

export function unpublishedName(key: string, transactionId: string): string {
  return `${key}.${transactionId}.tmp`;
}

/** `uuid` is a fresh random id; part of it makes the name unique. */
export function tombstoneName(stem: string, madeFor: string, uuid: string): string {
  return `${stem}.${madeFor}.${shortRandom(uuid)}.reap`;
}

/**
 * What stands in `saved/` is named so, with an ending for what it is. The time is in the name,
 * since that of the file is of its content, not of its saving.
 */
export function savedGroup(id: string, savedMs: number, uuid: string): string {
  const time = String(Math.floor(savedMs)).padStart(13, "0");
  return `${id}.${time}.${shortRandom(uuid)}`;
}

/** The last 48 bits of a random UUID, all of which are random. */
function shortRandom(uuid: string): string {
  return uuid.slice(-12);
}

/** Text of a UUID as it is written. */
export const uuidPattern: RegExp = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** What a name in the store stands for. */
export type StoreName =
  | { readonly kind: "record"; readonly stem: string; readonly form: "binary" | "json" }
  | { readonly kind: "unpublished"; readonly stem: string }
  | { readonly kind: "tombstone"; readonly stem: string; readonly madeFor: string };

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const recordForm = /^([0-9a-f]{64})\.(fer|json)$/;
const unpublishedForm = new RegExp(`^([0-9a-f]{64})\\.${uuid}\\.tmp$`);
const tombstoneForm = new RegExp(
  `^([0-9a-f]{64})\\.(${uuid}|[0-9a-f]{64})\\.[0-9a-f]{1,32}\\.reap$`,
);

/** Takes a name apart; `undefined` for a lock file, for `saved`, and for what is not ours. */
export function parseStoreName(name: string): StoreName | undefined {
  // Most names are those of lock files, and a pattern takes longer than to see that.
  if (name.endsWith(".lock")) return undefined;
  const record = recordForm.exec(name);
  if (record?.[1] !== undefined) {
    return { kind: "record", stem: record[1], form: record[2] === "fer" ? "binary" : "json" };
  }
  const tombstone = tombstoneForm.exec(name);
  if (tombstone?.[1] !== undefined && tombstone[2] !== undefined) {
    return { kind: "tombstone", stem: tombstone[1], madeFor: tombstone[2] };
  }
  const unpublished = unpublishedForm.exec(name);
  if (unpublished?.[1] !== undefined) return { kind: "unpublished", stem: unpublished[1] };
  return undefined;
}

/** The last time that a name of `saved/` can tell: 13 digits. */
export const maxSavedMs: number = 10 ** 13 - 1;

const savedForm = /^(([0-9a-f]{64})\.([0-9]{13})\.[0-9a-f]{12})\.([a-z]{3,5}(?:\.tmp)?)$/;

/** A name of `saved/`, taken apart. */
export interface SavedName {
  /** Id of the record. */
  readonly id: string;
  /** What bytes and their note have in common. */
  readonly group: string;
  readonly savedMs: number;
  readonly ending: string;
}

/** Takes a name of `saved/` apart; `undefined` for what is not ours. */
export function parseSavedName(name: string): SavedName | undefined {
  const [, group, id, time, ending] = savedForm.exec(name) ?? [];
  if (group === undefined || id === undefined || ending === undefined) return undefined;
  return { id, group, savedMs: Number(time), ending };
}
