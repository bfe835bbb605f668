// A record that somebody else prepared: it is not followed, changed or removed.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { createNodeOs } from "@fe/native";
import { describe, expect, test } from "vitest";
import { needs } from "../../../native/test/abilities.ts";
import { orphan } from "../test/orphans.ts";
import { mustLock, prepareOne, type Scratch, scratch } from "../test/scratch.ts";
import { picture, type Spoiler } from "../test/spoilers.ts";
import { RecordUnsafeError } from "./index.ts";

const node = createNodeOs();

describe("S32 a record", () => {
  const spoilers: readonly Spoiler<(record: string, place: Scratch) => void>[] = [
    [
      "is a symbolic link",
      "is a symbolic link",
      (record, { root }) => {
        fs.renameSync(record, path.join(root, "elsewhere"));
        fs.symlinkSync(path.join(root, "elsewhere"), record);
      },
      "symlinks",
    ],
    [
      "is a symbolic link to nothing",
      "is a symbolic link",
      (record, { root }) => {
        fs.unlinkSync(record);
        fs.symlinkSync(path.join(root, "nothing"), record);
      },
      "symlinks",
    ],
    [
      "is a FIFO",
      "is not a regular file",
      (record) => {
        fs.unlinkSync(record);
        execFileSync("mkfifo", ["-m", "600", record]);
      },
      "fifos",
    ],
    [
      "is a directory",
      "is not a regular file",
      (record) => {
        fs.unlinkSync(record);
        fs.mkdirSync(record);
      },
    ],
    [
      "can be read by the group",
      "read by others (mode 640; with mode 600 it is trusted)",
      (record) => fs.chmodSync(record, 0o640),
      "modes",
    ],
    [
      "can be written by others",
      "written by others (mode 602)",
      (record) => fs.chmodSync(record, 0o602),
      "modes",
    ],
    [
      "has a second name elsewhere",
      "has 2 names",
      (record, { root }) => fs.linkSync(record, path.join(root, "second")),
    ],
    ["is empty", "is malformed", (record) => fs.truncateSync(record, 0)],
    [
      "was cut off in the middle",
      "is malformed",
      (record) => fs.truncateSync(record, fs.statSync(record).size - 30),
    ],
    ["is garbage", "is malformed", (record) => fs.writeFileSync(record, Buffer.alloc(5000, 0xa5))],
    [
      "is larger than any record",
      "more than any record",
      (record) => fs.truncateSync(record, 300 * 1024 * 1024),
    ],
    [
      "is of an unknown version",
      "format version 7 is not known",
      (record) => {
        const bytes = fs.readFileSync(record);
        bytes.writeUInt32LE(7, 520);
        fs.writeFileSync(record, bytes);
      },
    ],
  ];

  test.for(spoilers)("that %s is unsafe, and left as it is", async (spoiler, context) => {
    const [, why, spoil, ability] = spoiler;
    if (ability !== undefined) needs(context, ability);
    const place = scratch();
    const { journal, draft, live, file } = await orphan(place);
    spoil(live.path, place);
    const before = picture(place.store);
    const rootBefore = picture(place.root);
    const lock = await mustLock(journal, draft.key);
    const finding = await journal.findRecord(lock);
    if (finding.kind !== "unsafe") expect.unreachable(finding.kind);
    expect(finding).toMatchObject({ id: draft.key, path: live.path });
    expect(finding.why).toContain(why);
    const [listed] = await journal.list();
    expect(listed?.metadata).toBeUndefined();
    expect(listed?.why).toBe(finding.why);
    await expect(journal.open(draft.key)).rejects.toThrow(RecordUnsafeError);
    expect(await journal.recordsNaming(file, "e".repeat(64))).toEqual([]);
    await lock.release();
    expect(picture(place.store)).toEqual(before);
    expect(picture(place.root)).toEqual(rootBefore);
    await journal.close();
  });

  test.for(spoilers)("that %s can be put aside unopened", async (spoiler, context) => {
    const [, , spoil, ability] = spoiler;
    if (ability !== undefined) needs(context, ability);
    const place = scratch();
    const { journal, draft, live } = await orphan(place);
    spoil(live.path, place);
    const { ino } = fs.lstatSync(live.path);
    const lock = await mustLock(journal, draft.key);
    const moved = await journal.moveUnsafeToSaved(lock, draft.key);
    expect(fs.lstatSync(moved).ino).toBe(ino);
    expect(await journal.findRecord(lock)).toEqual({ kind: "none" });
    await expect(journal.moveUnsafeToSaved(lock, draft.key)).rejects.toThrow("no recovery record");
    await lock.release();
    await journal.close();
  });

  test("that is sound is not put aside as unsafe", async () => {
    const place = scratch();
    const { journal, draft, live } = await orphan(place);
    const lock = await mustLock(journal, draft.key);
    await expect(journal.moveUnsafeToSaved(lock, draft.key)).rejects.toThrow("no recovery record");
    expect(fs.existsSync(live.path)).toBe(true);
    await lock.release();
    await journal.close();
  });

  test("that belongs to somebody else is unsafe", async (context) => {
    if (process.geteuid?.() !== 0) context.skip("needs root, to give a file away");
    const place = scratch();
    const { journal, draft, live } = await orphan(place);
    fs.chownSync(live.path, 12345, 12345);
    const lock = await mustLock(journal, draft.key);
    const finding = await journal.findRecord(lock);
    expect(finding).toMatchObject({ kind: "unsafe", why: "belongs to somebody else (12345)" });
    await lock.release();
    await journal.close();
  });

  test("with one image damaged is listed, and refused when it is read", async () => {
    const place = scratch();
    const { journal, draft, live } = await orphan(place);
    const bytes = fs.readFileSync(live.path);
    const at = bytes.indexOf("one two three");
    bytes.write("ONE", at);
    fs.writeFileSync(live.path, bytes);
    expect((await journal.list())[0]?.why).toBeUndefined();
    await expect(journal.open(live.id)).rejects.toThrow("before-image does not have the checksum");
    const lock = await mustLock(journal, draft.key);
    expect((await journal.findRecord(lock)).kind).toBe("unsafe");
    await lock.release();
    await journal.close();
  });

  test("S19 that is torn does not hide the others", async () => {
    const place = scratch();
    const torn = await orphan(place);
    const whole = await prepareOne(place, node, "other.txt");
    await whole.live.keep();
    fs.truncateSync(torn.live.path, 700);
    const listed = await torn.journal.list();
    expect(listed).toHaveLength(2);
    const byId = new Map(listed.map((record) => [record.id, record]));
    expect(byId.get(torn.live.id)?.why).toContain("is malformed");
    expect(byId.get(whole.live.id)?.metadata?.realPath).toBe(whole.file);
    await torn.journal.close();
    await whole.journal.close();
  });
});
