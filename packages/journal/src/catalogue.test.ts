import fs from "node:fs";
import path from "node:path";
import { createNodeOs } from "@fe/native";
import { describe, expect, test } from "vitest";
import { abilities } from "../../../native/test/abilities.ts";
import { orphan } from "../test/orphans.ts";
import { mustLock, type Prepared, prepareOne, scratch } from "../test/scratch.ts";
import { watchOs } from "../test/watched-os.ts";
import {
  openJournal,
  RecordIdAmbiguousError,
  RecordNotFoundError,
  RecordUnsafeError,
} from "./index.ts";

const node = createNodeOs();
const changing = /write|sync|link|rename|move|create|make|lock|finish/i;

describe("list() and open()", () => {
  test("S20 take no lock and change nothing, also beside a live transaction", async () => {
    const place = scratch();
    const { journal, live, file } = await prepareOne(place);
    const watched = watchOs(node);
    const reader = await openJournal(watched.os, {
      userDataDirectory: place.userData,
      engineVersion: "1",
    });
    const [listed] = await reader.list();
    expect(listed).toMatchObject({ id: live.id, path: live.path, phase: "prepared" });
    expect(listed?.metadata?.realPath).toBe(file);
    const shown = await reader.open(live.id.slice(0, 8));
    expect(shown.id).toBe(live.id);
    await shown.close();
    await shown.close();
    expect(await reader.recordsNaming(file, "a".repeat(64))).toEqual([live.id]);
    expect(watched.calls.filter((call) => changing.test(call))).toEqual([]);
    await live.finish();
    await reader.close();
    await journal.close();
  });

  test("open() wants 8 digits at least, and just one record", async () => {
    const place = scratch();
    const { journal, live } = await prepareOne(place);
    await live.keep();
    for (const id of ["", live.id.slice(0, 7), `${live.id}0`, "zzzzzzzz", `${live.id}.fer`]) {
      await expect(journal.open(id)).rejects.toThrow(RecordNotFoundError);
    }
    const twin = live.id.slice(0, 63) + (live.id.endsWith("0") ? "1" : "0");
    fs.copyFileSync(live.path, path.join(place.store, `${twin}.fer`));
    const error = await journal.open(live.id.slice(0, 20)).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(RecordIdAmbiguousError);
    expect((error as RecordIdAmbiguousError).candidates).toEqual([live.id, twin].sort());
    await (await journal.open(live.id)).close();
    await journal.close();
  });

  test("list() passes over what is not a record", async () => {
    const place = scratch();
    const { journal, live } = await prepareOne(place);
    fs.writeFileSync(path.join(place.store, "README"), "a person's own");
    expect((await journal.list()).map((record) => record.id)).toEqual([live.id]);
    await live.finish();
    await journal.close();
  });
});

describe("a tombstone that a killed process left", () => {
  const random = "0123456789ab.reap";
  const otherId = "0f8b8f0e-7d5c-4b5a-9b1e-1f2a3b4c5d6e";

  /** Gives the orphan's record the name of a tombstone. */
  function bury({ live }: Prepared, madeFor: string): string {
    const tombstone = `${live.path.slice(0, -4)}.${madeFor}.${random}`;
    fs.renameSync(live.path, tombstone);
    return tombstone;
  }

  test("S19 and cannot be read is listed where it is, and leads out of the way", async () => {
    const place = scratch();
    const left = await orphan(place);
    const { journal, draft, live } = left;
    fs.truncateSync(live.path, 1000);
    const tombstone = bury(left, live.transactionId);
    const [listed, ...others] = await journal.list();
    expect(others).toEqual([]);
    expect(listed).toMatchObject({ id: draft.key, path: tombstone, metadata: undefined });
    expect(listed?.why).toMatch(/\w/);
    await expect(journal.open(draft.key)).rejects.toThrow(RecordUnsafeError);
    const lock = await mustLock(journal, draft.key);
    await journal.moveUnsafeToSaved(lock, listed?.id ?? "");
    await lock.release();
    expect(await journal.list()).toEqual([]);
    await journal.close();
  });

  test("S26 with another record in it is listed, shown, and found by its path", async () => {
    const place = scratch();
    const left = await orphan(place);
    const { journal, draft, live, file } = left;
    const tombstone = bury(left, otherId);
    expect(await journal.list()).toMatchObject([
      { id: draft.key, path: tombstone, phase: "prepared", why: undefined },
    ]);
    const shown = await journal.open(draft.key.slice(0, 8));
    expect(shown.metadata.transactionId).toBe(live.transactionId);
    await shown.close();
    expect(await journal.recordsNaming(file, "a".repeat(64))).toEqual([draft.key]);
    await journal.close();
  });

  test("S25 and only waits for its removal is none of them", async () => {
    const place = scratch();
    const left = await orphan(place);
    const { journal, draft, live, file } = left;
    fs.linkSync(live.path, `${live.path.slice(0, -4)}.${otherId}.${random}`);
    expect(await journal.list()).toHaveLength(1);
    fs.unlinkSync(`${live.path.slice(0, -4)}.${otherId}.${random}`);
    bury(left, live.transactionId);
    expect(await journal.list()).toEqual([]);
    expect(await journal.recordsNaming(file, "a".repeat(64))).toEqual([]);
    await expect(journal.open(draft.key)).rejects.toThrow(RecordNotFoundError);
    await journal.close();
  });

  test("S26 beside a record of its key: both are listed, and the id means the record", async () => {
    const place = scratch();
    const left = await orphan(place);
    const { journal, draft, live } = left;
    const tombstone = `${live.path.slice(0, -4)}.${otherId}.${random}`;
    fs.copyFileSync(live.path, tombstone);
    expect((await journal.list()).map((record) => record.path)).toEqual([tombstone, live.path]);
    const shown = await journal.open(draft.key);
    expect(shown.path).toBe(live.path);
    await shown.close();
    await journal.close();
  });
});

describe("recordsNaming()", () => {
  test("S9 finds a record of the file that stood at this path before", async () => {
    const place = scratch();
    const old = await prepareOne(place);
    await old.live.keep();
    fs.renameSync(old.file, `${old.file}.old`);
    const { journal, live, file } = await prepareOne(place);
    expect(live.id).not.toBe(old.live.id);
    expect(await journal.recordsNaming(file, live.id)).toEqual([old.live.id]);
    expect(await journal.recordsNaming(`${file}.old`, live.id)).toEqual([]);
    await live.withdraw();
    await old.journal.close();
    await journal.close();
  });

  test("S9 opens only records in which the path stands, and believes no damaged one", async () => {
    const place = scratch();
    const watched = watchOs(node);
    const made: Prepared[] = [];
    const odd = abilities.anyName ? `a"b\\é` : "a'b é";
    for (const name of ["a", "a b", odd, "c"]) made.push(await prepareOne(place, node, name));
    for (const { live } of made) await live.keep();
    const journal = await openJournal(watched.os, {
      userDataDirectory: place.userData,
      engineVersion: "1",
    });
    const nobody = "a".repeat(64);
    for (const { file, live } of made) {
      watched.calls.length = 0;
      expect(await journal.recordsNaming(file, nobody)).toEqual([live.id]);
      expect(watched.calls.filter((call) => call === "directory.openFile")).toHaveLength(1);
      expect(await journal.recordsNaming(file, live.id)).toEqual([]);
    }
    // The path stands there, and the sum of the header is wrong: it names nothing.
    const [first] = made;
    if (first === undefined) expect.unreachable();
    const bytes = fs.readFileSync(first.live.path);
    bytes[514] = (bytes[514] ?? 0) ^ 1;
    fs.writeFileSync(first.live.path, bytes);
    expect(await journal.recordsNaming(first.file, nobody)).toEqual([]);
    // Nor what others may read.
    const [, second] = made;
    if (second === undefined) expect.unreachable();
    if (abilities.modes) {
      fs.chmodSync(second.live.path, 0o644);
      expect(await journal.recordsNaming(second.file, nobody)).toEqual([]);
    }
    await journal.close();
    for (const { journal: own } of made) await own.close();
  });

  test("P5 looks into the store once together with findRecord()", async () => {
    const place = scratch();
    const watched = watchOs(node);
    const { journal, live, draft, file } = await prepareOne(place, watched.os);
    await live.withdraw();
    const other = await prepareOne(place, node, "other.txt");
    await other.live.keep();
    const lock = await mustLock(journal, draft.key);
    watched.calls.length = 0;
    expect(await journal.findRecord(lock)).toEqual({ kind: "none" });
    expect(await journal.recordsNaming(other.file, draft.key)).toEqual([other.live.id]);
    expect(watched.calls.filter((call) => call === "directory.list")).toHaveLength(1);
    // What was seen once does not serve a later question.
    fs.renameSync(other.live.path, path.join(place.root, "gone"));
    expect(await journal.recordsNaming(other.file, draft.key)).toEqual([]);
    expect(await journal.recordsNaming(file, draft.key)).toEqual([]);
    await lock.release();
    await journal.close();
    await other.journal.close();
  });
});
