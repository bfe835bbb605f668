/**
 * The built command on real files: that its parts are put together rightly. What an edit does to a
 * file is tested in the engine.
 */
import { link, readFile, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { needs } from "../../native/test/abilities.ts";
import { CommandFolder, fileState, replace } from "./harness/command.ts";

let folder: CommandFolder;

beforeEach(async () => {
  folder = await CommandFolder.create();
});

afterEach(async () => {
  await folder[Symbol.asyncDispose]();
});

describe("fe edit", () => {
  it("S8 edits in place: the same inode, so a hard link shows the new text", async () => {
    const file = await folder.write("notes.md", "a draft\n");
    await link(file, folder.file("other.md"));
    const before = await stat(file);
    const result = await folder.fe(replace("notes.md", "draft", "final"));
    expect(result).toMatchObject({
      exit: 0,
      err: "",
      out: "Replaced 1 place in notes.md\n  at     1:3\n  bytes  8 -> 8\n",
    });
    expect((await stat(file)).ino).toBe(before.ino);
    expect(await readFile(folder.file("other.md"), "utf8")).toBe("a final\n");
    expect(await folder.storeFiles()).toEqual([]);
  });

  it("prints one JSON object", async () => {
    await folder.write("f", "x x\n");
    const result = await folder.fe(replace("f", "x", "yy", "--replace-all", "--json"));
    expect(result).toMatchObject({ exit: 0, err: "" });
    expect(JSON.parse(result.out)).toMatchObject({
      status: "applied",
      file_path: "f",
      replacements: 2,
      bytes_before: 4,
      bytes_after: 6,
      durability: "synced",
      matches: [
        { line: 1, column: 1, byte_offset: 0 },
        { line: 1, column: 3, byte_offset: 2 },
      ],
    });
    expect(JSON.parse(result.out).identity.file).toBe(String((await stat(folder.file("f"))).ino));
  });

  it("takes texts from a file and from standard input, byte for byte", async () => {
    await folder.write("f", "one\r\ntwo\nthree\n");
    await folder.write("old", "two\n");
    const parameters = [
      "edit",
      "f",
      "--old-file",
      "old",
      "--new-file",
      "-",
      "--line-endings=exact",
    ];
    const result = await folder.fe(parameters, { input: "2\n2\n" });
    expect(result).toMatchObject({ exit: 0, err: "" });
    expect(await readFile(folder.file("f"), "utf8")).toBe("one\r\n2\n2\nthree\n");
  });

  it("takes texts that begin with a dash", async () => {
    const file = await folder.write("-f", "--json\n");
    const parameters = ["edit", "--old-string", "--json", "--new-string", "-x", "--", "-f"];
    expect(await folder.fe(parameters)).toMatchObject({ exit: 0, err: "" });
    expect(await readFile(file, "utf8")).toBe("-x\n");
  });

  it("B6 changes nothing with --dry-run", async () => {
    const file = await folder.write("f", "a\n");
    const before = await fileState(file);
    const result = await folder.fe(replace("f", "a", "b", "--dry-run", "--json"));
    expect(result.exit).toBe(0);
    expect(JSON.parse(result.out)).toMatchObject({ status: "unchanged", dry_run: true });
    expect(await fileState(file)).toEqual(before);
    expect(await folder.storeFiles()).toEqual([]);
  });

  it("says nothing with --quiet", async () => {
    await folder.write("f", "a\n");
    expect(await folder.fe(replace("f", "a", "b", "--quiet"))).toEqual({
      exit: 0,
      signal: null,
      out: "",
      err: "",
    });
    const store = path.join(folder.dataPath, "edit-recovery");
    const { out } = await folder.fe(["recovery", "list"]);
    expect(out).toBe(`No recovery records in ${store}\n`);
  });

  it("edits a file with a name that is not UTF-8 by a link with another", async (context) => {
    needs(context, "shell");
    const name = Buffer.concat([Buffer.from(folder.file("f")), Buffer.of(0xff)]);
    try {
      await writeFile(name, "a\n");
    } catch {
      context.skip("names that are not UTF-8 are refused here");
    }
    await symlink(name, folder.file("plain"));
    expect(await folder.fe(replace("plain", "a", "b"))).toMatchObject({ exit: 0 });
    expect(await readFile(name, "utf8")).toBe("b\n");
    // What Node makes of the name.
    const lost = await folder.fe(replace("f\u{FFFD}", "a", "b"));
    expect(lost.err).toMatch(/FE_NOT_FOUND.*\nhint: A name that is not UTF-8 cannot be given/u);
  });

  it("ends well when nobody reads what it prints", async () => {
    await folder.write("f", "a\n");
    const result = await folder.fe(replace("f", "a", "b"), { closedOutput: true });
    expect(result).toMatchObject({ exit: 0, err: "" });
  });

  it("is stopped by SIGINT and SIGTERM only while nothing is changed", async (context) => {
    needs(context, "signals");
    const file = await folder.write("f", `${"0123456789abcde\n".repeat(4_000_000)}needle\n`);
    const before = await fileState(file);
    for (const [signal, exit] of [
      ["SIGINT", 130],
      ["SIGTERM", 143],
    ] as const) {
      const kill = { signal, afterMs: 150 };
      const result = await folder.fe(replace("f", "needle", "pin"), { kill });
      if (result.exit === 0) break;
      // Before the command listens, the signal ends it in the ordinary way.
      if (result.signal === null) expect(result.exit, result.err).toBe(exit);
      expect(await fileState(file)).toEqual(before);
      expect(await folder.storeFiles()).toEqual([]);
    }
  });
});
