/**
 * A record taken apart and put together again, by docs/protocol.md section 3 and without the code
 * that is tested. It takes apart what is no record too, as far as that goes, so that a change can
 * be made to one part while all that follows from the others is made right again.
 */
import { createHash } from "node:crypto";
import type { Random } from "../../../../scripts/fuzz/target.mjs";

export const phaseBytes = 512;
const fixedBytes = 72;
const headerAt = phaseBytes;
const metadataAt: number = phaseBytes + fixedBytes;

export type Entry = readonly [offset: number, removed: number, inserted: number];

export interface Parts {
  /** 1 to 3 where it is right. */
  phase: number;
  transactionId: string;
  /** What stands behind the transaction id: the boot of a failed sync, in 64 bytes. */
  bootId: string;
  version: number;
  metadata: string;
  before: Buffer;
  /** `undefined`: the after-image stands raw. */
  table: Entry[] | undefined;
  /** The inserted bytes, or the after-image. */
  inserted: Buffer;
  /** After the trailer, where nothing belongs. */
  rest: Buffer;
  /** The after-image, where it is not to be worked out here. */
  after?: Buffer | undefined;
}

/** What is left as it is instead of being made right. */
export interface Wrong {
  /** Lengths and sums of the images in the metadata. */
  readonly facts?: boolean;
  readonly phaseSum?: boolean;
  readonly headerSum?: boolean;
  readonly changesSum?: boolean;
  readonly length?: boolean;
  /** Numbers of the header, by their place in it. */
  readonly numbers?: ReadonlyMap<number, number>;
}

export function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** The after-image of splices, wherever they lie. */
export function afterOf({ before, table, inserted }: Pick<Parts, "before" | "table" | "inserted">) {
  if (table === undefined) return inserted;
  const pieces: Buffer[] = [];
  let from = 0;
  let taken = 0;
  for (const [offset, removed, length] of table) {
    pieces.push(before.subarray(from, offset), inserted.subarray(taken, taken + length));
    from = offset + removed;
    taken += length;
  }
  pieces.push(before.subarray(from));
  return Buffer.concat(pieces);
}

export function takeApart(input: Buffer): Parts {
  const record = Buffer.concat([input, Buffer.alloc(Math.max(0, metadataAt - input.length))]);
  const number = (at: number): number => record.readUInt32LE(headerAt + at);
  const cut = (from: number, length: number): Buffer => record.subarray(from, from + length);
  const metadataBytes = number(12);
  const beforeAt = metadataAt + metadataBytes;
  const changesAt = beforeAt + number(16);
  const isRaw = number(24) === 1;
  const entries = Math.min(number(28), Math.floor(Math.max(0, record.length - changesAt) / 12));
  const insertedAt = changesAt + (isRaw ? 0 : entries * 12);
  const table = Array.from({ length: entries }, (_, index): Entry => {
    const at = changesAt + index * 12;
    return [record.readUInt32LE(at), record.readUInt32LE(at + 4), record.readUInt32LE(at + 8)];
  });
  const trailerAt = insertedAt + number(32);
  return {
    phase: record.readUInt32LE(8),
    transactionId: record.toString("latin1", 16, 52),
    bootId: record.toString("latin1", 52, 116).replace(/\0+$/, ""),
    version: number(8),
    metadata: cut(metadataAt, metadataBytes).toString("utf8"),
    before: cut(beforeAt, number(16)),
    table: isRaw ? undefined : table,
    inserted: cut(insertedAt, number(32)),
    rest: record.subarray(trailerAt + 48),
  };
}

/** The metadata, with what the images are. */
function withFacts(metadata: string, before: Buffer, after: Buffer): string {
  let members: Record<string, unknown>;
  try {
    members = JSON.parse(metadata);
  } catch {
    return metadata;
  }
  if (typeof members !== "object" || members === null || Array.isArray(members)) return metadata;
  const facts = (image: Buffer): object => {
    return { sizeBytes: image.length, sha256: sha256(image).toString("hex") };
  };
  return JSON.stringify({ ...members, before: facts(before), after: facts(after) });
}

export function putTogether(parts: Parts, wrong: Wrong = {}): Buffer {
  const { before, table, inserted } = parts;
  const after = parts.after ?? afterOf(parts);
  const text = wrong.facts === true ? parts.metadata : withFacts(parts.metadata, before, after);
  const metadata = Buffer.from(text, "utf8");

  const phase = Buffer.alloc(phaseBytes);
  phase.write("FEPHASE\n", "latin1");
  phase.writeUInt32LE(parts.phase, 8);
  phase.write(parts.transactionId, 16, 36, "latin1");
  phase.write(parts.bootId, 52, 64, "latin1");
  if (wrong.phaseSum !== true) sha256(phase.subarray(0, 480)).copy(phase, 480);

  const header = Buffer.alloc(fixedBytes);
  header.write("FERECORD", "latin1");
  const numbers = [parts.version, metadata.length, before.length, after.length];
  numbers.push(table === undefined ? 1 : 0, table?.length ?? 0, inserted.length, 0);
  for (const [index, value] of numbers.entries()) header.writeUInt32LE(value, 8 + index * 4);
  for (const [at, value] of wrong.numbers ?? []) header.writeUInt32LE(value, at);
  if (wrong.headerSum !== true) sha256(header.subarray(0, 40), metadata).copy(header, 40);

  const entries = Buffer.alloc((table?.length ?? 0) * 12);
  for (const [index, entry] of (table ?? []).entries()) {
    for (const [place, value] of entry.entries()) {
      entries.writeUInt32LE(value >>> 0, index * 12 + place * 4);
    }
  }
  const changes = Buffer.concat([entries, inserted]);
  const front = Buffer.concat([phase, header, metadata, before, changes]);
  const trailer = Buffer.alloc(48);
  trailer.write("FERECEND", "latin1");
  const length = front.length + 48 + parts.rest.length;
  trailer.writeBigUInt64LE(BigInt(wrong.length === true ? length + 1 : length), 8);
  if (wrong.changesSum !== true) sha256(changes).copy(trailer, 16);
  return Buffer.concat([front, trailer, parts.rest]);
}

/** Most often nothing is wrong but what was changed; now and then one thing besides. */
export function someWrong(random: Random): Wrong {
  if (random.chance(0.7)) return {};
  const place = random.pick([8, 12, 16, 20, 24, 28, 32, 36]);
  const odd = [0, 1, 2, 11, 13, 7560, 7561, 1_000_000, 134_217_729, 0xffff_ffff];
  const value = random.chance(0.5) ? random.pick([0, 1, 2]) : random.pick(odd);
  return random.pick<Wrong>([
    { facts: true },
    { phaseSum: true },
    { headerSum: true },
    { changesSum: true },
    { length: true },
    { numbers: new Map([[place, value]]) },
    { numbers: new Map([[place, value]]) },
    { numbers: new Map([[place, value]]), facts: true },
  ]);
}
