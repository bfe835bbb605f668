// The four ways in which a transaction's record ends.
import fs from "node:fs";
import path from "node:path";
import { createNodeOs, OsError } from "@fe/native";
import { describe, expect, test } from "vitest";
import { mustLock, namesIn, prepareOne, scratch, takeAway } from "../test/scratch.ts";
import { watchOs } from "../test/watched-os.ts";
import { phaseBlockBytes } from "./record-codec.ts";

const node = createNodeOs();

describe("a live record", () => {
  test("S24 finish() marks and removes; 'already gone' is success", async () => {
    const place = scratch();
    const first = await prepareOne(place);
    const otherName = path.join(place.root, "other-name");
    fs.linkSync(first.live.path, otherName);
    const report = await first.live.finish();
    expect(report).toEqual({ markError: undefined, record: "removed", lock: "removed" });
    expect(namesIn(place.store)).toEqual([]);
    expect(fs.readFileSync(otherName).readUInt32LE(8)).toBe(2);
    await first.lock.release();

    const second = await prepareOne(place);
    takeAway(place, second.live.path);
    expect((await second.live.finish()).record).toBe("absent");
    await expect(second.live.finish()).rejects.toThrow("ended already");
    await first.journal.close();
    await second.journal.close();
  });

  test("S9 finish() ends the key lock: releasing it later takes nobody's away", async () => {
    const place = scratch();
    const { journal, live, lock, draft } = await prepareOne(place);
    await live.finish();
    const next = await mustLock(journal, draft.key);
    await lock.release();
    expect(namesIn(place.store)).toEqual([`${draft.key}.lock`]);
    expect(await journal.tryLockKey(draft.key)).toBeUndefined();
    await next.release();
    await journal.close();
  });

  test("withdraw() leaves nothing; a second end does nothing", async () => {
    const place = scratch();
    const { journal, live } = await prepareOne(place);
    await live.withdraw();
    expect(namesIn(place.store)).toEqual([]);
    await live.withdraw();
    await live.keep();
    await live.drop();
    await journal.close();
  });

  test("withdraw() lets go of both locks even if the record cannot be removed", async () => {
    const place = scratch();
    const watched = watchOs(node);
    const { journal, live, draft } = await prepareOne(place, watched.os);
    watched.hook = ({ name, arguments: [target] }) => {
      if (name === "directory.unlink" && target === `${draft.key}.fer`) {
        throw new OsError("EIO", "unlink");
      }
      return undefined;
    };
    await expect(live.withdraw()).rejects.toThrow("EIO");
    watched.hook = undefined;
    const lock = await mustLock(journal, draft.key);
    expect((await journal.findRecord(lock)).kind).toBe("held");
    await journal.close();
  });

  test("keep() leaves the record for the next, both locks free", async () => {
    const place = scratch();
    const { journal, live, draft } = await prepareOne(place);
    await live.keep();
    expect(namesIn(place.store)).toEqual([`${draft.key}.fer`]);
    const lock = await mustLock(journal, draft.key);
    const finding = await journal.findRecord(lock);
    if (finding.kind !== "held") expect.unreachable(finding.kind);
    expect(finding.record.ownerIsProvenByLocks).toBe(true);
    await finding.record.release();
    await lock.release();
    await journal.close();
  });

  test("A4 markDoubtful() says so to the next, with the boot, and no more changes", async () => {
    const place = scratch();
    const { journal, live, draft } = await prepareOne(place);
    const before = fs.readFileSync(live.path);
    await live.markDoubtful();
    await live.keep();
    const after = fs.readFileSync(live.path);
    expect(after.subarray(phaseBlockBytes).equals(before.subarray(phaseBlockBytes))).toBe(true);
    const lock = await mustLock(journal, draft.key);
    const finding = await journal.findRecord(lock);
    if (finding.kind !== "held") expect.unreachable(finding.kind);
    const { bootId } = await node.self();
    expect(finding.record).toMatchObject({ phase: "doubtful", doubtBootId: bootId });
    await finding.record.release();
    expect(await journal.list()).toMatchObject([{ phase: "doubtful" }]);
    await lock.release();
    await expect(live.markDoubtful()).rejects.toThrow("ended already");
    await journal.close();
  });

  test("isAtItsName() sees a lost name; drop() then removes nothing by name", async () => {
    const place = scratch();
    const { journal, live, draft } = await prepareOne(place);
    expect(await live.isAtItsName()).toBe(true);
    fs.renameSync(live.path, path.join(place.root, "taken"));
    expect(await live.isAtItsName()).toBe(false);
    fs.writeFileSync(live.path, "of somebody else", { mode: 0o600 });
    expect(await live.isAtItsName()).toBe(false);
    await live.drop();
    expect(namesIn(place.store)).toEqual([`${draft.key}.fer`, `${draft.key}.lock`]);
    const lock = await journal.tryLockKey(draft.key);
    expect(lock).toBeDefined();
    await journal.close();
  });
});
