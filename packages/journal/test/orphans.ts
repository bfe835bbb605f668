/** Records that somebody else left behind. */
import fs from "node:fs";
import { createNodeOs } from "@fe/native";
import { expect } from "vitest";
import type { HeldRecord, Journal, KeyLock } from "../src/index.ts";
import { type Prepared, prepareOne, type Scratch, scratch } from "./scratch.ts";

/** An orphan: its owner let go of both locks and kept the record, as the kernel does at a kill. */
export async function orphan(place: Scratch, os = createNodeOs()): Promise<Prepared> {
  const prepared = await prepareOne(place, os);
  await prepared.live.keep();
  return prepared;
}

export async function mustHold(journal: Journal, lock: KeyLock): Promise<HeldRecord> {
  const finding = await journal.findRecord(lock);
  if (finding.kind !== "held") expect.unreachable(`${finding.kind} instead of held`);
  return finding.record;
}

/** The bytes of a record as another transaction would have made them. */
export async function anotherRecord(): Promise<Buffer> {
  const place = scratch();
  const { live, journal } = await prepareOne(place);
  const bytes = fs.readFileSync(live.path);
  await live.withdraw();
  await journal.close();
  return bytes;
}
