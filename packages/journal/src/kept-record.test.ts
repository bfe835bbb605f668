// The record of a resolution, put into `saved/`: what it takes, and what may stand in its way.
import fs from "node:fs";
import path from "node:path";
import { createNodeOs, OsError } from "@fe/native";
import { describe, expect, test } from "vitest";
import { needs } from "../../../native/test/abilities.ts";
import { anotherRecord, mustHold, orphan } from "../test/orphans.ts";
import { readAll } from "../test/read-all.ts";
import { mustLock, namesIn, type Scratch, scratch, takeAway } from "../test/scratch.ts";
import { watchOs } from "../test/watched-os.ts";
import { bytesSource } from "./byte-source.ts";
import type { SavedNote } from "./journal-types.ts";

const node = createNodeOs();

/** An orphan under both locks, and what the system was asked for. */
async function taken(place: Scratch) {
  const watched = watchOs(node);
  const { journal, draft, live } = await orphan(place, watched.os);
  const lock = await mustLock(journal, draft.key);
  const record = await mustHold(journal, lock);
  const { realPath, target, before, after } = record.metadata;
  const note: SavedNote = { realPath, target, writtenSha256: before.sha256 };
  const end = async () => {
    await lock.release();
    await journal.close();
  };
  return { watched, journal, lock, record, note, after, path: live.path, end };
}

function savedIn(place: Scratch): string[] {
  return namesIn(path.join(place.store, "saved"));
}

describe("keep() of a held record", () => {
  test("B10 moves it durably, with its note; it is listed, read, and in nobody's way", async () => {
    const place = scratch();
    const { watched, journal, lock, record, note, after, path: old, end } = await taken(place);
    watched.calls.length = 0;
    const report = await record.keep(note);
    // The new name first: a power loss may leave it at both places, never at none.
    const order = watched.calls.filter((call) => /moveTo|unlink|sync/.test(call));
    const move = order.indexOf("directory.moveTo");
    expect(order.slice(move, move + 3)).toEqual([
      ...["directory.moveTo", "directory.sync", "directory.sync"],
    ]);
    expect(await journal.findRecord(lock)).toEqual({ kind: "none" });
    const [kept, ...rest] = await journal.listKept();
    expect([kept, rest]).toMatchObject([{ id: record.id, note, why: undefined }, []]);
    expect(report).toEqual({ kind: "kept", path: kept?.path });
    // A power loss may bring the old name back, beside the new one.
    const aside = kept?.path ?? "";
    fs.linkSync(aside, old);
    expect(await journal.peekRecord(record.id)).toEqual({ kind: "none" });
    expect(fs.existsSync(old)).toBe(true);
    expect(await journal.findRecord(lock)).toEqual({ kind: "none" });
    expect(fs.existsSync(old)).toBe(false);
    // Not so if its second name is none of ours.
    const foreign = `${aside}.link`;
    fs.linkSync(aside, old);
    fs.renameSync(aside, foreign);
    expect(await journal.findRecord(lock)).toMatchObject({ kind: "unsafe", why: "has 2 names" });
    fs.renameSync(foreign, aside);
    fs.unlinkSync(old);
    const opened = await journal.openKept(kept?.path ?? "");
    expect((await readAll(opened.after)).length).toBe(after.sizeBytes);
    await opened.close();
    await end();
  });

  test("B10 goes with the bytes of its resolution when the limits drop them", async () => {
    const place = scratch();
    const { watched, journal, record, note, end } = await taken(place);
    const at = async (ms: number, save: () => Promise<unknown>) => {
      watched.hook = ({ name }) => (name === "os.now" ? ms : undefined);
      await save();
    };
    const one = () => journal.saveBytes(record.id, bytesSource(Buffer.from("held")), note);
    await at(1_700_000_000_000, async () => record.keep((await one()).path));
    const groups = new Set(savedIn(place).map((name) => name.replace(/\.[a-z]+$/u, "")));
    expect([savedIn(place).length, groups.size]).toEqual([3, 1]);
    for (let count = 10; count < 30; count++) {
      // Each of another file: bytes of this one would go before its record.
      const other = `${count}`.repeat(32);
      const save = () => journal.saveBytes(other, bytesSource(Buffer.from("held")), note);
      await at(1_700_000_000_000 + count, save);
    }
    expect(await journal.listKept()).toEqual([]);
    expect(savedIn(place)).toHaveLength(40);
    await end();
  });

  test.each([
    ["a name", "directory.moveTo", true],
    ["the note", "file.write", false],
  ])("B10 lets no full disk stop a decision: no room for %s", async (_, call, isRemoved) => {
    const place = scratch();
    const { watched, journal, lock, record, note, end } = await taken(place);
    watched.hook = ({ name }) => {
      if (name === call) throw new OsError("ENOSPC", name);
      return undefined;
    };
    const report = await record.keep(note);
    watched.hook = undefined;
    expect(report.kind).toBe(isRemoved ? "reclaimed" : "kept");
    expect("noRoom" in report).toBe(isRemoved);
    expect(await journal.findRecord(lock)).toEqual({ kind: "none" });
    expect(await journal.listKept()).toHaveLength(isRemoved ? 0 : 1);
    await end();
  });

  test.each(["EIO", "EXDEV", "EROFS", "ENOENT"])(
    "I10 leaves it at its name if the move fails with %s, and says so",
    async (code) => {
      const place = scratch();
      const { watched, record, note, path: name, end } = await taken(place);
      watched.hook = (call) => {
        if (call.name === "directory.moveTo") throw new OsError(code, call.name);
        return undefined;
      };
      expect(await record.keep(note)).toMatchObject({ kind: "stands", error: { code } });
      expect([fs.existsSync(name), savedIn(place)]).toEqual([true, []]);
      await end();
    },
  );

  test("leaves it at its name if others can reach `saved`", async (context) => {
    needs(context, "modes");
    const place = scratch();
    const { record, note, path: name, end } = await taken(place);
    fs.chmodSync(path.join(place.store, "saved"), 0o777);
    const report = await record.keep(note);
    expect(report).toMatchObject({ kind: "stands", error: { name: "StoreNotPrivateError" } });
    expect(fs.existsSync(name)).toBe(true);
    fs.chmodSync(path.join(place.store, "saved"), 0o700);
    await end();
  });

  test.each(["EIO", "ENOSPC"])(
    "I10 says where it is if the move is not known to be durable (%s)",
    async (code) => {
      const place = scratch();
      const { watched, journal, record, note, path: name, end } = await taken(place);
      let isMoved = false;
      watched.hook = (call) => {
        isMoved ||= call.name === "directory.moveTo";
        if (isMoved && call.name === "directory.sync") throw new OsError(code, call.name);
        return undefined;
      };
      const report = await record.keep(note);
      watched.hook = undefined;
      const [kept] = await journal.listKept();
      expect(report).toMatchObject({ kind: "kept", path: kept?.path, unsettled: { code } });
      expect(fs.existsSync(name)).toBe(false);
      await end();
    },
  );

  test("I10 takes a record that is gone by then as removed", async () => {
    const place = scratch();
    const { record, note, path: name, end } = await taken(place);
    takeAway(place, name);
    expect(await record.keep(note)).toEqual({ kind: "reclaimed" });
    await end();
  });

  test("S26 puts back what a program without locks has put in its place", async () => {
    const place = scratch();
    const { watched, record, note, path: name, end } = await taken(place);
    const newer = await anotherRecord();
    watched.hook = (call) => {
      if (call.name === "directory.moveTo") {
        watched.hook = undefined;
        takeAway(place, name);
        fs.writeFileSync(name, newer, { mode: 0o600 });
      }
      return undefined;
    };
    expect(await record.keep(note)).toEqual({ kind: "put-back" });
    expect(fs.readFileSync(name).equals(newer)).toBe(true);
    expect(savedIn(place)).toEqual([]);
    await end();
  });

  test("S26 never replaces a record that is newer still: it says where the other is", async () => {
    const place = scratch();
    const { watched, record, note, path: name, end } = await taken(place);
    const newer = await anotherRecord();
    let moves = 0;
    watched.hook = (call) => {
      if (call.name !== "directory.moveTo") return undefined;
      moves += 1;
      if (moves === 1) takeAway(place, name);
      fs.writeFileSync(name, newer, { mode: 0o600 });
      return undefined;
    };
    const report = await record.keep(note);
    expect(report).toMatchObject({ kind: "displaced" });
    expect(fs.readFileSync(name).equals(newer)).toBe(true);
    expect(savedIn(place).filter((one) => one.endsWith(".fer"))).toHaveLength(1);
    await end();
  });
});

test("openKept() opens nothing outside of `saved`", async () => {
  const place = scratch();
  const { journal, record, path: name, end } = await taken(place);
  for (const bad of [name, `${place.store}/saved/../x.fer`, "", "/etc/passwd"]) {
    await expect(journal.openKept(bad)).rejects.toThrow();
  }
  await record.release();
  await end();
});
