// Method: a real process makes an edit and is killed with SIGKILL at one call; then the built
// command is used as a person would, from the error to a whole file.
// Fault model: the process is gone, what it wrote is in the page cache, the kernel freed its locks.
// Not covered here: power loss, and the kill at every call (see docs/traceability.md).
import { link, readFile, rename, stat, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommandFolder, fileState, replace } from "./harness/command.ts";
import { killedEdit, type StopPlan } from "./harness/stopped-edit.ts";

const before = `first line\n${"unchanged ".repeat(200)}\nthe old text\nlast line\n`;
const edit = { oldString: "the old text\nlast", newString: "a new text, longer\nfinal" };
const after = before.replace(edit.oldString, edit.newString);

let folder: CommandFolder;
let path: string;

beforeEach(async () => {
  folder = await CommandFolder.create();
  path = await folder.write("f", before);
});

afterEach(async () => {
  await folder[Symbol.asyncDispose]();
});

const plan = (more: Pick<StopPlan, "at"> & Partial<StopPlan>): StopPlan => ({
  path,
  userData: folder.dataPath,
  edit,
  ...more,
});

/** What `fe recovery show` gives. */
async function shown(id: string, version: string): Promise<string> {
  const result = await folder.fe(["recovery", "show", id, "--version", version]);
  expect(result.exit).toBe(0);
  return result.out;
}

/** The record that stops the next edit; both its versions are exact and nothing is touched. */
async function expectRecordThatStops(text: string): Promise<string> {
  const state = await fileState(path);
  const refused = await folder.fe(replace("f", "i", "j", "--json"));
  expect(refused.exit).toBe(7);
  const answer = JSON.parse(refused.out);
  expect(answer).toMatchObject({
    status: "recovery_required",
    error: { code: "FE_RECOVERY_REQUIRED", effect: "none", retryable: false },
    record: { phase: "prepared", path },
  });
  const { id } = answer.record;
  const told = await folder.fe(replace("f", "i", "j"));
  expect(told.exit).toBe(7);
  expect(told.err).toContain(id.slice(0, 12));
  expect(told.err).toMatch(/fe recovery resolve [0-9a-f]{12}.* --keep/);
  expect(await fileState(path)).toEqual(state);
  expect(await shown(id, "before")).toBe(before);
  expect(await shown(id, "after")).toBe(after);
  expect(await shown(id, "current")).toBe(text);
  return id;
}

describe("an edit killed with SIGKILL", () => {
  it("S14 S17 S18 S33 in mid-mutation: a person gets every version back", async () => {
    await killedEdit(plan({ at: "target.overwrite", partBytes: 9 }));
    const torn = await readFile(path, "utf8");
    expect(torn).not.toBe(before);
    expect(torn).not.toBe(after);
    const id = await expectRecordThatStops(torn);
    const resolved = await folder.fe(["recovery", "resolve", id, "--keep", "before", "--json"]);
    expect(resolved.exit).toBe(0);
    expect(await readFile(path, "utf8")).toBe(before);
    expect(await readFile(JSON.parse(resolved.out).saved_path, "utf8")).toBe(torn);
    expect((await folder.fe(replace("f", edit.oldString, edit.newString))).exit).toBe(0);
    expect(await readFile(path, "utf8")).toBe(after);
  });

  it("S17 whose file is then empty, a prefix of the plan, or somebody's text", async () => {
    for (const text of ["", after.slice(0, after.length - 9), "somebody else wrote this\n"]) {
      await writeFile(path, before);
      await killedEdit(plan({ at: "target.overwrite", partBytes: 9 }));
      await writeFile(path, text);
      const id = await expectRecordThatStops(text);
      const resolved = await folder.fe(["recovery", "resolve", id, "--keep", "before"]);
      expect(resolved.exit).toBe(0);
      expect((await folder.fe(replace("f", "first line", "1st line"))).exit).toBe(0);
    }
  });

  it("S16 before the first byte or after the last: the next edit just goes on", async () => {
    for (const at of ["directory.sync", "target.overwrite", "target.sync", "target.status"]) {
      await writeFile(path, before);
      await killedEdit(plan({ at, nth: at === "target.status" ? 2 : 0 }));
      const result = await folder.fe(replace("f", "first line", "1st line", "--json"));
      expect(result.exit, at).toBe(0);
      expect(await folder.storeFiles()).toEqual([]);
    }
  });

  it("S16 S24 between the mark and the removal of its record", async () => {
    await killedEdit(plan({ at: "directory.finishRecord" }));
    expect(await readFile(path, "utf8")).toBe(after);
    const result = await folder.fe(replace("f", "first", "1st", "--json"));
    expect(result.exit).toBe(0);
    expect(JSON.parse(result.out).recovered.record_id).toMatch(/^[0-9a-f]{64}$/);
  });

  it("S9 S19 is found by another name, and stays when the inode is another", async () => {
    await killedEdit(plan({ at: "target.overwrite", partBytes: 9 }));
    await link(path, folder.file("other"));
    const other = await folder.fe(replace("other", "first", "1st", "--json"));
    expect(other.exit).toBe(7);
    const id = JSON.parse(other.out).record.id;
    await writeFile(folder.file("new"), before);
    await rename(folder.file("new"), path);
    const ino = (await stat(path)).ino;
    const refused = await folder.fe(replace("f", "first", "1st", "--json"));
    expect(refused.exit).toBe(7);
    expect(JSON.parse(refused.out).record.id).toBe(id);
    const kept = await folder.fe(["recovery", "resolve", id, "--keep", "before", "--json"]);
    expect(JSON.parse(kept.out).error.code).toBe("FE_TARGET_REPLACED");
    expect(await readFile(path, "utf8")).toBe(before);
    expect((await stat(path)).ino).toBe(ino);
  });
});
