// Whose locks prove something: what owner and asker tell of boot and host (protocol 5.3, rule 2).
import { createNodeOs, type Os, type ProcessIdentity } from "@fe/native";
import { describe, expect, test } from "vitest";
import { mustHold, orphan } from "../test/orphans.ts";
import { mustLock, scratch } from "../test/scratch.ts";
import { watchOs } from "../test/watched-os.ts";
import { openJournal } from "./index.ts";

const node = createNodeOs();

type Told = Omit<ProcessIdentity, "pid">;

const bootId = "5f0c8a52-1f0e-4c52-8f4e-2b7c7f6f2a11";
const laterBoot = "0d3a1c5e-7f52-4a0b-9d0c-6a1b2c3d4e5f";
const hostId = "a".repeat(64);
const otherHost = "b".repeat(64);

/** A port whose process tells this of itself, and which answers so to other calls. */
function osThatTells(told: Told, answers: Readonly<Record<string, unknown>> = {}): Os {
  const watched = watchOs(node);
  const self = { pid: process.pid, ...told };
  watched.hook = ({ name }) => (name === "os.self" ? self : answers[name]);
  return watched.os;
}

/** Whether the locks of an owner that told `owner` prove it gone to who tells `self`. */
async function isProven(owner: Told, self: Told, answers = {}): Promise<boolean> {
  const place = scratch();
  const { journal, draft } = await orphan(place, osThatTells(owner));
  await journal.close();
  const other = await openJournal(osThatTells(self, answers), {
    userDataDirectory: place.userData,
    engineVersion: "1",
  });
  const lock = await mustLock(other, draft.key);
  const record = await mustHold(other, lock);
  expect(record.metadata.ownerLocks).toBe("flock");
  const { ownerIsProvenByLocks } = record;
  await record.release();
  await lock.release();
  await other.close();
  return ownerIsProvenByLocks;
}

describe("ownerIsProvenByLocks", () => {
  test.each<[string, Told, Told]>([
    ["one host in one boot", { bootId, hostId }, { bootId, hostId }],
    ["one host, started again", { bootId, hostId }, { bootId: laterBoot, hostId }],
    ["one boot, two containers with host ids", { bootId, hostId }, { bootId, hostId: otherHost }],
    ["one boot, a container and its host", { bootId }, { bootId, hostId }],
    ["no host ids, started again: a container", { bootId }, { bootId: laterBoot }],
  ])("B4 is true for %s", async (_, owner, self) => {
    expect(await isProven(owner, self)).toBe(true);
  });

  test.each<[string, Told, Told]>([
    ["two hosts", { bootId, hostId }, { bootId: laterBoot, hostId: otherHost }],
    ["a host id here alone, of another boot", { bootId }, { bootId: laterBoot, hostId }],
    ["a host id there alone, of another boot", { bootId, hostId }, { bootId: laterBoot }],
    ["a host id there alone, no boot ids", { hostId }, {}],
    ["equal counts of starts, one host id", { bootId: "start-7", hostId }, { bootId: "start-7" }],
  ])("B4 is false for %s", async (_, owner, self) => {
    expect(await isProven(owner, self)).toBe(false);
  });

  test("B4 is false in a store without locks, of the very same process too", async () => {
    const self = { bootId, hostId };
    expect(await isProven(self, self, { "file.tryLock": true })).toBe(false);
  });
});
