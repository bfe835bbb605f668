/** Records to begin with, and changes of one part of a record. */
import { changeBytes, changeJson } from "../../../../scripts/fuzz/mutate.mjs";
import type { Fixture, Random } from "../../../../scripts/fuzz/target.mjs";
import { bytesSource } from "../../src/byte-source.ts";
import { afterSourceOfTable } from "../../src/splice.ts";
import { readAll } from "../read-all.ts";
import { type Entry, type Parts, putTogether, someWrong, takeApart } from "./record-parts.ts";

export function seeds(fixture: Fixture): readonly Uint8Array[] {
  const hex = fixture("record-v1.hex").toString("latin1");
  const record = Buffer.from(hex.replaceAll("\n", ""), "hex");
  const parts = takeApart(record);
  const before = Buffer.from("one two three");
  const table: Entry[] = [
    [0, 3, 1],
    [3, 0, 2],
    [8, 5, 0],
  ];
  const spliced = { ...parts, before, table, inserted: Buffer.from("1--") };
  return [
    record,
    putTogether({ ...parts, phase: 2 }),
    putTogether(spliced),
    putTogether({ ...spliced, phase: 2 }),
    putTogether({ ...parts, phase: 3 }),
    Buffer.from(fixture("record-v1-doubtful.hex").toString("latin1").replaceAll("\n", ""), "hex"),
    putTogether({
      ...parts,
      before: Buffer.alloc(0),
      table: [[0, 0, 1]],
      inserted: before.subarray(0, 1),
    }),
    record.subarray(0, 600),
  ];
}

/**
 * The after-image as the reader itself would give it, of splices that nobody has looked at: who
 * wants to deceive it knows its sums too.
 */
async function afterByReader({ before, table, inserted }: Parts): Promise<Buffer | undefined> {
  if (table === undefined) return undefined;
  const splices = {
    count: table.length,
    offsetBytes: Uint32Array.from(table, ([offset]) => offset),
    removedBytes: Uint32Array.from(table, ([, removed]) => removed),
    insertedBytes: Uint32Array.from(table, ([, , length]) => length),
  };
  const source = afterSourceOfTable(bytesSource(before), splices, bytesSource(inserted));
  const isSmall = source.sizeBytes >= 0 && source.sizeBytes <= 2 * maxBytes;
  return isSmall ? readAll(source).catch(() => undefined) : undefined;
}

/** Changes one part; the sums that follow from it are made right again. */
export async function change(input: Buffer, random: Random): Promise<Buffer> {
  const parts: Parts = takeApart(input);
  const around = { words, others: [input], maxBytes: 4096 };
  const text = (): Buffer => Buffer.from(parts.metadata, "utf8");
  const table = parts.table ?? [];
  const changes: (() => Partial<Parts>)[] = [
    () => ({ metadata: changeJson(text(), random, around).toString("utf8") }),
    () => ({ metadata: changeBytes(text(), random, around).toString("utf8") }),
    () => ({ before: changeBytes(parts.before, random, around) }),
    () => ({ inserted: changeBytes(parts.inserted, random, around) }),
    () => ({ phase: random.pick([0, 1, 2, 3, 3, 4]) }),
    () => ({ phase: 3, bootId: random.pick(bootIds) }),
    () => ({ bootId: random.pick(bootIds) }),
    () => ({ transactionId: random.pick([parts.transactionId, "0".repeat(36)]) }),
    () => ({ version: random.pick([0, 1, 2, 0xffff_ffff]) }),
    () => ({ rest: Buffer.alloc(random.pick([0, 1, 1, 2, 48])) }),
    () => ({ table: [...table, [random.below(20), random.below(5), random.below(3)]] }),
    () => ({ table: table.slice(random.below(2)) }),
    () => ({ table: table.map((entry) => changedEntry(entry, random)) }),
    () => ({ table: random.chance(0.5) ? undefined : table }),
    // As many bytes as there were, and the same.
    () => ({ table: undefined, inserted: parts.before }),
    () => ({ table: fitting(parts.before.length, random), inserted: Buffer.alloc(40, 120) }),
  ];
  // A number of the header by itself, the sum made right.
  if (random.chance(0.2)) {
    const at = 8 + 4 * random.below(8);
    const was = input.length < at + 516 ? 0 : input.readUInt32LE(512 + at);
    const number = random.pick([was + 1, was + 2, was - 1, 0, 0xffff_ffff]) >>> 0;
    return putTogether(parts, { numbers: new Map([[at, number]]) });
  }
  const changed = { ...parts, ...random.pick(changes)() };
  if (changed.table !== undefined && random.chance(0.8)) {
    const length = changed.table.reduce((sum, [, , inserted]) => sum + inserted, 0);
    const enough = Buffer.concat([changed.inserted, Buffer.alloc(Math.min(length, 200), 0x78)]);
    changed.inserted = enough.subarray(0, length);
  }
  return putTogether({ ...changed, after: await afterByReader(changed) }, someWrong(random));
}

function changedEntry([offset, removed, inserted]: Entry, random: Random): Entry {
  const near = (value: number): number => {
    return random.chance(0.6) ? value : Math.max(0, value + random.below(5) - 2);
  };
  if (random.chance(0.03)) return [random.pick([0xffff_ffff, 0x8000_0000]), removed, inserted];
  return [near(offset), near(removed), near(inserted)];
}

/** Splices that are in order and in range. */
function fitting(beforeBytes: number, random: Random): Entry[] {
  const table: Entry[] = [];
  let at = 0;
  for (let count = 1 + random.below(12); count > 0; count--) {
    const offset = at + random.below(3);
    const removed = random.below(3);
    if (offset + removed > beforeBytes) break;
    table.push([offset, removed, random.below(3)]);
    at = offset + removed;
  }
  return table;
}

const bootIds = ["", "a", "5f0c8a52-1f0e-4c52-8f4e-2b7c7f6f2a11", "x".repeat(64), "_", "a\0b"];

export const maxBytes = 8192;
export const words: readonly string[] = [
  "FEPHASE\n",
  "FERECORD",
  "FERECEND",
  "realPathBase64",
  "realPath",
  "generation",
];
