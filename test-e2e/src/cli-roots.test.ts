// The built command with --root, beside the record of a killed edit of a file that is not below it.
import { link, mkdir, readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommandFolder, replace } from "./harness/command.ts";
import { killedEdit } from "./harness/stopped-edit.ts";

let folder: CommandFolder;

beforeEach(async () => {
  folder = await CommandFolder.create();
});

afterEach(async () => {
  await folder[Symbol.asyncDispose]();
});

describe("fe --root", () => {
  it("S19 names the record of a file outside by its id, and how to reach it", async () => {
    await mkdir(folder.file("secret"));
    await mkdir(folder.file("in"));
    const outside = await folder.write("secret/f", "first line\nthe old text\n");
    await killedEdit({
      ...{ path: outside, userData: folder.dataPath, at: "target.overwrite", partBytes: 5 },
      edit: { oldString: "the old text", newString: "a new text, longer" },
    });
    await link(outside, folder.file("in/g"));
    const refused = replace("in/g", "first", "1st", "--root", "in");
    const text = await folder.fe(refused);
    expect(text.exit).toBe(7);
    expect(text.err).toContain("error FE_RECOVERY_REQUIRED");
    expect(text.err).toContain("The record is not of a file below --root.");
    const json = await folder.fe([...refused, "--json"]);
    expect([text.out, text.err, json.out, json.err].join()).not.toContain("secret");
    const { id } = JSON.parse(json.out).record;
    expect(id).toMatch(/^[0-9a-f]{64}$/u);
    const rooted = await folder.fe(["recovery", "show", id, "--version", "before", "--root", "in"]);
    expect(rooted.exit).toBe(6);
    expect(rooted.err).toContain("outside of `--root`, and unreadable ones, are not looked at");
    // What the message says works as it stands.
    const [resolve = ""] = /fe recovery resolve \S+ --keep after.*/u.exec(text.err) ?? [];
    const words = resolve.split(" ").slice(1);
    expect(words).toContain("--keep");
    expect((await folder.fe(words)).exit).toBe(0);
    expect(await readFile(outside, "utf8")).toContain("a new text, longer");
    expect((await folder.fe(refused)).exit).toBe(0);
  });
});
