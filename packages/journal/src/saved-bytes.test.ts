import fs from "node:fs";
import path from "node:path";
import { createNodeOs, OsError } from "@fe/native";
import { describe, expect, test } from "vitest";
import { abilities, needs } from "../../../native/test/abilities.ts";
import { namesIn, prepareOne, type Scratch, scratch, text } from "../test/scratch.ts";
import { readAll } from "../test/splices.ts";
import { watchOs } from "../test/watched-os.ts";
import { sha256 } from "./checksum.ts";
import { bytesSource, type openJournal, type SavedNote } from "./index.ts";

const node = createNodeOs();
const id = "f".repeat(64);
const aNote: SavedNote = {
  realPath: "/x",
  target: { volume: 1n, file: 2n, device: 3n },
  writtenSha256: "0".repeat(64),
};

async function open(place: Scratch, os = node): ReturnType<typeof openJournal> {
  const { journal, live } = await prepareOne(place, os);
  await live.withdraw();
  return journal;
}

describe("saveBytes()", () => {
  test("saves bytes as they are, private and durable, with a note", async () => {
    const place = scratch();
    const watched = watchOs(node);
    const journal = await open(place, watched.os);
    const note: SavedNote = {
      realPath: "/home/\udcff/x",
      target: { volume: 1n, file: 2n, device: 3n },
      writtenSha256: "0".repeat(64),
    };
    watched.calls.length = 0;
    const saved = await journal.saveBytes(id, bytesSource(text("of the user")), note);
    const publish = abilities.unnamedFiles ? "directory.linkUnnamedFile" : "directory.rename";
    const calls = watched.calls.filter((call) => /sync|link|rename|makeDirectory/.test(call));
    const one = ["file.sync", publish, "directory.sync"];
    expect(calls).toEqual(["directory.sync", ...one, ...one]);
    expect(fs.readFileSync(saved.path, "utf8")).toBe("of the user");
    expect(saved.sha256).toBe(sha256("of the user").toString("hex"));
    if (abilities.modes) {
      expect(fs.statSync(saved.path).mode & 0o7777).toBe(0o600);
      expect(fs.statSync(path.dirname(saved.path)).mode & 0o7777).toBe(0o700);
    }
    const [listed] = await journal.listSaved();
    expect(listed).toMatchObject({ id, path: saved.path, sizeBytes: 11, note });
    const opened = await journal.openSaved(saved.path);
    expect((await readAll(opened?.bytes ?? bytesSource(text("")))).toString()).toBe("of the user");
    await opened?.close();
    await journal.close();
  });

  test("takes a large source in pieces, and one without a note", async () => {
    const place = scratch();
    const journal = await open(place);
    const content = Buffer.alloc(3_000_000, "0123456789");
    const saved = await journal.saveBytes(id, bytesSource(content));
    expect(fs.readFileSync(saved.path).equals(content)).toBe(true);
    expect((await journal.listSaved())[0]?.note).toBeUndefined();
    await journal.close();
  });

  test("leaves nothing if it fails, also where there are no unnamed files", async () => {
    for (const isNamed of [false, true]) {
      const place = scratch();
      const watched = watchOs(node);
      const journal = await open(place, watched.os);
      watched.hook = ({ name }) => {
        if (isNamed && name === "directory.createUnnamedFile")
          throw new OsError("EOPNOTSUPP", name);
        if (name === "file.sync") throw new OsError("EIO", name);
        return undefined;
      };
      await expect(journal.saveBytes(id, bytesSource(text("x")))).rejects.toThrow("EIO");
      expect(namesIn(path.join(place.store, "saved"))).toEqual([]);
      // Room for the note, and none for the bytes.
      watched.hook = ({ name, arguments: [piece] }) => {
        if (isNamed && name === "directory.createUnnamedFile")
          throw new OsError("EOPNOTSUPP", name);
        if (name === "file.write" && (piece as Uint8Array).length > 1000)
          throw new OsError("ENOSPC", name);
        return undefined;
      };
      const many = bytesSource(Buffer.alloc(2000));
      await expect(journal.saveBytes(id, many, aNote)).rejects.toThrow("ENOSPC");
      expect(namesIn(path.join(place.store, "saved"))).toEqual([]);
      await journal.close();
    }
  });

  test("dropSaved() takes the bytes and their note, and nothing else", async () => {
    const place = scratch();
    const journal = await open(place);
    const first = await journal.saveBytes(id, bytesSource(text("x")), aNote);
    const second = await journal.saveBytes(id, bytesSource(text("y")), aNote);
    const foreign = path.join(place.root, path.basename(second.path));
    for (const other of [foreign, second.path.replace(/bytes$/u, "note"), place.store]) {
      await journal.dropSaved(other);
    }
    expect(await journal.listSaved()).toHaveLength(2);
    for (const _ of ["there", "gone"]) await journal.dropSaved(second.path);
    expect((await journal.listSaved()).map((saved) => saved.path)).toEqual([first.path]);
    expect(namesIn(path.dirname(first.path))).toHaveLength(2);
    await journal.close();
  });

  test("S32 removes what a killed process left half saved, not what is being saved", async () => {
    const place = scratch();
    const journal = await open(place);
    const first = await journal.saveBytes(id, bytesSource(text("x")));
    const saved = path.dirname(first.path);
    const left = `${path.basename(first.path)}.tmp`;
    const leftNote = left.replace("bytes", "note");
    const beingSaved = left.replace(id, "e".repeat(64));
    for (const name of [left, leftNote, beingSaved]) {
      fs.writeFileSync(path.join(saved, name), "hal", { mode: 0o600 });
    }
    const directory = await node.openStoreDirectory(saved);
    const owner = await directory.openFile(beingSaved, "read");
    expect(await owner.tryLock()).toBe(true);
    await journal.saveBytes(id, bytesSource(text("y")));
    expect(namesIn(saved).filter((name) => name.endsWith(".tmp"))).toEqual([beingSaved]);
    await owner.close();
    await journal.saveBytes(id, bytesSource(text("z")));
    expect(namesIn(saved).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    await directory.close();
    await journal.close();
  });

  test("keeps the 20 newest, for at most 30 days, and always the one just saved", async () => {
    const place = scratch();
    const watched = watchOs(node);
    const journal = await open(place, watched.os);
    const paths: string[] = [];
    const saveAt = async (now: number, content: string): Promise<string> => {
      watched.hook = ({ name }) => (name === "os.now" ? now : undefined);
      const saved = await journal.saveBytes(id, bytesSource(text(content)));
      // How old the content is does not count, only when it was saved.
      fs.utimesSync(saved.path, 1, 1);
      return saved.path;
    };
    for (let index = 0; index < 25; index++) {
      paths.push(await saveAt(1_700_000_000_000 + index, `${index}`));
    }
    const kept = (await journal.listSaved()).map((saved) => saved.path);
    expect(kept).toEqual(paths.slice(5).reverse());
    const last = await saveAt(1_703_000_000_000, "last");
    expect((await journal.listSaved()).map((saved) => saved.path)).toEqual([last]);
    const inThePast = await saveAt(1_600_000_000_000, "by a clock that was set back");
    expect(fs.existsSync(inThePast)).toBe(true);
    await journal.close();
  });

  test("B10 by a clock that was set back, what is saved last is the newest yet", async () => {
    const place = scratch();
    const watched = watchOs(node);
    const journal = await open(place, watched.os);
    const saveAt = async (now: number, file: number): Promise<string> => {
      watched.hook = ({ name }) => (name === "os.now" ? now : undefined);
      const other = `${file}`.padStart(64, "0");
      return (await journal.saveBytes(other, bytesSource(text("x")))).path;
    };
    for (let file = 0; file < 20; file++) await saveAt(1_700_000_000_000 + file, file);
    const back = [await saveAt(1_600_000_000_000, 20), await saveAt(1_600_000_000_001, 21)];
    const listed = (await journal.listSaved()).map((saved) => saved.path);
    expect([listed.length, ...listed.slice(0, 2)]).toEqual([20, ...back.reverse()]);
    // Nor does one of the last that a name can tell put an end to saving.
    fs.renameSync(back[0] ?? "", (back[0] ?? "").replace(/\.\d{13}\./u, ".9999999999999."));
    expect(fs.existsSync(await saveAt(1_600_000_000_002, 22))).toBe(true);
    expect(await journal.listSaved()).toHaveLength(20);
    await journal.close();
  });

  test("S32 passes over what is not ours, and opens nothing outside", async (context) => {
    needs(context, "symlinks", "modes");
    const place = scratch();
    const journal = await open(place);
    const saved = await journal.saveBytes(id, bytesSource(text("x")));
    const directory = path.dirname(saved.path);
    const secret = path.join(place.root, "secret");
    fs.writeFileSync(secret, "secret");
    const link = path.join(directory, `${id}.1700000000000.0123456789ab.bytes`);
    fs.symlinkSync(secret, link);
    fs.writeFileSync(path.join(directory, "notes.txt"), "a person's own");
    expect(await journal.listSaved()).toHaveLength(1);
    for (const bad of [link, secret, `${directory}/../x`, path.join(directory, "notes.txt"), ""]) {
      expect(await journal.openSaved(bad)).toBeUndefined();
    }
    fs.chmodSync(directory, 0o755);
    await expect(journal.listSaved()).rejects.toThrow("has mode 755");
    await journal.close();
  });

  test("refuses what is not an id", async () => {
    const journal = await open(scratch());
    await expect(journal.saveBytes("../x", bytesSource(text("")))).rejects.toThrow("Not the id");
    await journal.close();
  });
});
