import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { legacyMembers, legacyText, type Members, putLegacy } from "../test/legacy.ts";
import { namesIn, prepareOne, type Scratch, scratch } from "../test/scratch.ts";
import { readAll } from "../test/splices.ts";
import { legacyStem } from "./file-names.ts";
import {
  type HeldRecord,
  type Journal,
  type KeyLock,
  type RecordDraft,
  RecordExistsError,
} from "./index.ts";
import { readLegacyRecord } from "./legacy-record.ts";

type Draft = RecordDraft & { readonly key: string };

/** A store that is there, with nothing in it. */
async function emptyStore(): Promise<{ place: Scratch; journal: Journal; draft: Draft }> {
  const place = scratch();
  const { journal, live, draft } = await prepareOne(place);
  await live.withdraw();
  return { place, journal, draft };
}

async function lockFor(journal: Journal, draft: Draft): Promise<KeyLock> {
  const lock = await journal.tryLockKey(draft.key, { legacyIdentity: draft.target });
  return lock ?? expect.unreachable("nobody else is here");
}

async function held(journal: Journal, lock: KeyLock): Promise<HeldRecord> {
  const finding = await journal.findRecord(lock);
  return finding.kind === "held" ? finding.record : expect.unreachable(finding.kind);
}

describe("a record of the older form", () => {
  test("S9 S21 counts for its file: found, both versions read, listed, reclaimed", async () => {
    const { place, journal, draft } = await emptyStore();
    const { stem, file } = putLegacy(place, draft, legacyText(legacyMembers(draft)));
    const lock = await lockFor(journal, draft);
    const record = await held(journal, lock);
    expect(record).toMatchObject({ id: stem, path: file, form: "json", phase: "prepared" });
    expect(record.ownerIsProvenByLocks).toBe(false);
    expect(record.metadata.owner).toEqual({ pid: 4242, bootTimeMs: 1_795_000_000_000 });
    const { volume, file: inode, device } = draft.target;
    expect(record.metadata.target).toEqual({ volume, file: inode, device });
    expect((await readAll(record.before)).toString()).toBe("one two three");
    expect((await readAll(record.after)).toString()).toBe("one 2 three");
    const [listed] = await journal.list();
    expect(listed).toMatchObject({ id: stem, form: "json", phase: "prepared", why: undefined });
    const shown = await journal.open(stem.slice(0, 12));
    expect((await readAll(shown.after)).toString()).toBe("one 2 three");
    await shown.close();
    expect(await record.reclaim()).toEqual({ kind: "reclaimed" });
    expect(await journal.findRecord(lock)).toEqual({ kind: "none" });
    await lock.release();
    expect(namesIn(place.store)).toEqual([]);
    await journal.close();
  });

  test("S21 is valid without boot time and transaction id, and found by its id", async () => {
    const { place, journal, draft } = await emptyStore();
    const without = { ownerBootTimeMs: undefined, transactionId: undefined };
    const text = legacyText(legacyMembers(draft, { ...without, state: "committed" }), 2);
    const { stem } = putLegacy(place, draft, text);
    expect(await journal.recordsNaming(draft.realPath, draft.key)).toEqual([stem]);
    const lock = await journal.tryLockKey(stem);
    if (lock === undefined) expect.unreachable("nobody else is here");
    const known = await held(journal, lock);
    expect(known.metadata.target.volume).toBe(draft.target.device);
    await known.release();
    await lock.release();
    const identified = await journal.tryLockKey(stem, { legacyIdentity: draft.target });
    if (identified === undefined) expect.unreachable("nobody else is here");
    const record = await held(journal, identified);
    expect(record.metadata.target.volume).toBe(draft.target.volume);
    expect(record.phase).toBe("committed");
    expect(record.metadata.owner).toEqual({ pid: 4242 });
    expect(record.metadata.transactionId).toBe("");
    expect(await record.reclaim()).toEqual({ kind: "reclaimed" });
    await identified.release();
    expect(namesIn(place.store)).toEqual([]);
    await journal.close();
  });

  test("S9 is not seen by a lock that does not ask, and has its turn after ours", async () => {
    const { place, journal, draft } = await emptyStore();
    putLegacy(place, draft, legacyText(legacyMembers(draft)));
    const ours = await journal.tryLockKey(draft.key);
    if (ours === undefined) expect.unreachable("nobody else is here");
    expect(await journal.findRecord(ours)).toEqual({ kind: "none" });
    await (await journal.prepare(ours, draft)).keep();
    const lock = await lockFor(journal, draft);
    const first = await held(journal, lock);
    expect(first.form).toBe("binary");
    await first.reclaim();
    const second = await held(journal, lock);
    expect(second.form).toBe("json");
    await second.release();
    await lock.release();
    await journal.close();
  });

  test("A4 has no place for the mark of a failed sync, and is left as it is", async () => {
    const { place, journal, draft } = await emptyStore();
    const { file } = putLegacy(place, draft, legacyText(legacyMembers(draft)));
    const bytes = fs.readFileSync(file);
    const lock = await lockFor(journal, draft);
    const record = await held(journal, lock);
    expect(await record.markDoubtful()).toBe(false);
    expect(fs.readFileSync(file).equals(bytes)).toBe(true);
    await record.release();
    await lock.release();
    await journal.close();
  });

  test("S9 that appears beside our own makes us withdraw", async () => {
    const { place, journal, draft } = await emptyStore();
    const lock = await lockFor(journal, draft);
    expect(await journal.findRecord(lock)).toEqual({ kind: "none" });
    const { file, stem } = putLegacy(place, draft, legacyText(legacyMembers(draft)));
    const refused = await journal.prepare(lock, draft).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RecordExistsError);
    expect((refused as RecordExistsError).path).toBe(file);
    expect(namesIn(place.store)).toEqual([`${draft.key}.lock`, `${stem}.json`].sort());
    await lock.release();
    await journal.close();
  });

  test("S25 S26 S27 leaves tombstones that are ended or put back like ours", async () => {
    const { place, journal, draft } = await emptyStore();
    const { stem, file } = putLegacy(place, draft, legacyText(legacyMembers(draft)));
    const transaction = "0f8b8f0e-7d5c-4b5a-9b1e-1f2a3b4c5d6e";
    const other = "11111111-7d5c-4b5a-9b1e-1f2a3b4c5d6e";
    const tombstone = (madeFor: string): string =>
      path.join(place.store, `${stem}.${madeFor}.0123456789ab.reap`);
    fs.renameSync(file, tombstone(other));
    const lock = await lockFor(journal, draft);
    const record = await held(journal, lock);
    expect(record.path).toBe(file);
    await record.release();
    fs.renameSync(file, tombstone(transaction));
    expect(await journal.findRecord(lock)).toEqual({ kind: "none" });
    await lock.release();
    expect(namesIn(place.store)).toEqual([]);
    await journal.close();
  });

  const noncanonical = Buffer.from("one two thre").toString("base64").replace(/.$/, "=");
  test.each<[string, Members]>([
    ["only a boot time", { transactionId: undefined }],
    ["only a transaction id", { ownerBootTimeMs: undefined }],
    ["a member too many", { extra: 1 }],
    ["no path", { path: undefined }],
    ["an unknown state", { state: "done" }],
    ["another version", { version: 2 }],
    ["no number as its version", { version: "1" }],
    ["another inode than its name says", { fileIno: 1 }],
    ["a sum that is not its image's", { beforeSha256: "0".repeat(64) }],
    ["base64 that is not canonical", { beforeBase64: noncanonical }],
    ["white space in its base64", { afterBase64: "b25l IDIgdGhyZWU=" }],
    ["a process number that is none", { ownerPid: -1 }],
    ["equal images", sameImages()],
  ])("S19 S21 with %s is malformed, and kept", async (_, changes) => {
    const { place, journal, draft } = await emptyStore();
    const text = legacyText(legacyMembers(draft, changes));
    const { stem, file } = putLegacy(place, draft, text);
    const lock = await lockFor(journal, draft);
    const finding = await journal.findRecord(lock);
    expect(finding).toMatchObject({ kind: "unsafe", id: stem, path: file });
    expect(fs.readFileSync(file, "utf8")).toBe(text);
    await lock.release();
    await journal.close();
  });

  test("S19 with any character changed or cut off is malformed", async () => {
    const { place, journal, draft } = await emptyStore();
    const text = legacyText(legacyMembers(draft));
    const lock = await lockFor(journal, draft);
    for (let position = 0; position < text.length; position += 7) {
      const changed = text[position] === "a" ? "b" : "a";
      const damaged = text.slice(0, position) + changed + text.slice(position + 1);
      for (const bad of [damaged, text.slice(0, position)]) {
        putLegacy(place, draft, bad);
        const finding = await journal.findRecord(lock);
        expect(finding.kind, `character ${position}`).toBe("unsafe");
      }
    }
    await lock.release();
    await journal.close();
  });

  test("takes numbers of 64 bits as decimal text, and refuses them rounded", async () => {
    const { draft, journal } = await emptyStore();
    const identity = { volume: 1n, device: 2n ** 64n - 1n, file: 2n ** 63n + 1n };
    const status = { sizeBytes: 0, device: 1n, file: 1n, modifiedNs: 0n };
    const read = (numbers: Members): Promise<unknown> => {
      const bytes = Buffer.from(legacyText(legacyMembers(draft, numbers)));
      const file = {
        read: async (buffer: Uint8Array) => bytes.copy(buffer),
      };
      const sized = { ...status, sizeBytes: bytes.length };
      return readLegacyRecord(file, sized, legacyStem(identity), identity);
    };
    const exact = { fileDev: String(identity.device), fileIno: String(identity.file) };
    expect(await read(exact)).toMatchObject({ metadata: { target: identity } });
    const rounded = { fileDev: Number(identity.device), fileIno: Number(identity.file) };
    await expect(read(rounded)).rejects.toThrow('"fileDev"');
    await journal.close();
  });
});

function sameImages(): Members {
  const { beforeBase64, beforeSha256 } = legacyMembers({
    realPath: "",
    target: { volume: 0n, file: 0n, device: 0n },
  } as RecordDraft);
  return { afterBase64: beforeBase64, afterSha256: beforeSha256 };
}
