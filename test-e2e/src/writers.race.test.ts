// Many processes and one file: every edit that said `applied` is there at the end (S9, S15).
import { link, readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommandFolder, replace } from "./harness/command.ts";
import { editOwnLines, type LinesPlan, oldLines } from "./harness/edit-lines.ts";
import { stoppedEdit } from "./harness/stopped-edit.ts";

let folder: CommandFolder;

beforeEach(async () => {
  folder = await CommandFolder.create();
});

afterEach(async () => {
  await folder[Symbol.asyncDispose]();
});

/** A process that edits its own lines of a file of the folder. */
function editLines(
  name: string,
  from: number,
  to: number,
  exclusive: LinesPlan["exclusive"] = "prefer",
): Promise<string> {
  const path = folder.file(name);
  return editOwnLines({ path, userData: folder.dataPath, from, to, exclusive });
}

describe("several processes", () => {
  it("S9 S15 3A-4 2 × 100 edits through two hard links: all 200 are there", async () => {
    await folder.write("a", oldLines(200));
    await link(folder.file("a"), folder.file("b"));
    const output = await Promise.all([editLines("a", 0, 100), editLines("b", 100, 200)]);
    expect(output).toEqual(["", ""]);
    const text = await readFile(folder.file("a"), "utf8");
    expect(text.match(/ is new/gu)).toHaveLength(200);
    expect(text).not.toContain("old");
    expect(await folder.storeFiles()).toEqual([]);
  }, 60_000);

  it("B2 4 × 40 edits with exclusion required never stand in each other's way", async () => {
    await folder.write("a", oldLines(160));
    const writers = [0, 40, 80, 120].map((from) => editLines("a", from, from + 40, "require"));
    expect(await Promise.all(writers)).toEqual(["", "", "", ""]);
    expect((await readFile(folder.file("a"), "utf8")).match(/ is new/gu)).toHaveLength(160);
  }, 60_000);

  it("S15 fe edit is refused while another process is at work, and waits with --wait", async () => {
    const path = await folder.write("f", "one two\n");
    const stopped = await stoppedEdit({
      path,
      userData: folder.dataPath,
      edit: { oldString: "one", newString: "1" },
      at: "target.overwrite",
    });
    const refused = await folder.fe(replace("f", "two", "2", "--json"));
    expect(refused.exit).toBe(75);
    expect(JSON.parse(refused.out)).toMatchObject({
      status: "conflict",
      error: { code: "FE_BUSY", effect: "none", retryable: true },
    });
    const waiting = folder.fe(replace("f", "two", "2", "--wait", "10s"));
    expect(await stopped.goOn()).toBe("applied");
    expect((await waiting).exit).toBe(0);
    expect(await readFile(path, "utf8")).toBe("1 2\n");
  });
});
