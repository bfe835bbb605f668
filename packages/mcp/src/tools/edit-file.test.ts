// The tool as the SDK's own client sees it, on real files.
import { linkSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import { sep } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { abilities, needs } from "../../../../native/test/abilities.ts";
import { strandEdit } from "../../../engine/test/orphans.ts";
import { placeWithFile } from "../../../engine/test/place.ts";
import { connect, Place, replace } from "../../test/connection.ts";
import { maxTextLength } from "../limits.ts";

describe("edit_file", () => {
  it("edits in place, and answers the one object and a text", async () => {
    const place = new Place();
    const file = place.write("a", "one\ntwo\n");
    linkSync(file, place.path("b"));
    const { call } = await connect(place.settings());
    const answer = await call("edit_file", replace(file));
    expect(answer).toMatchObject({ isError: false });
    expect(answer.text).toContain(`Replaced 1 place in ${file}, at line:column 2:1.`);
    expect(answer.structured).toMatchObject({
      status: "applied",
      file_path: file,
      replacements: 1,
      matches: [{ line: 2, column: 1, byte_offset: 4 }],
      bytes_before: 8,
      bytes_after: 6,
      warnings: [],
    });
    expect(answer.structured.identity).toMatchObject({ file: String(statSync(file).ino) });
    expect(place.read("b")).toBe("one\n2\n");
  });

  it("understands other tools' names, in edits too", async () => {
    const place = new Place();
    const file = place.write("a", "one\ntwo two\n");
    const { call } = await connect(place.settings());
    const edits = [
      { oldText: "one", newText: "1" },
      { old_str: "two", newString: "2", allow_multiple: true, expected_replacements: 2 },
    ];
    const dry = await call("edit_file", { path: file, edits, dryRun: true });
    expect(dry.structured).toMatchObject({ status: "unchanged", dry_run: true, replacements: 3 });
    expect(dry.structured.diff).toContain("-one\n-two two\n+1\n+2 2\n");
    expect(dry.text).toContain("\n-two two\n+1\n");
    expect(place.read("a")).toBe("one\ntwo two\n");
    expect((await call("edit_file", { filePath: file, edits })).isError).toBe(false);
    expect(place.read("a")).toBe("1\n2 2\n");
  });

  it("B6 answers an edit with a diff if asked, and a dry run unless told not to", async () => {
    const place = new Place();
    const file = place.write("a", "one\ntwo\n");
    const { call } = await connect(place.settings());
    const quiet = await call("edit_file", { ...replace(file), dry_run: true, diff: false });
    expect(quiet.structured).toMatchObject({ dry_run: true, replacements: 1 });
    expect(quiet.structured).not.toHaveProperty("diff");
    const shown = await call("edit_file", { ...replace(file), diff: true });
    expect(shown.structured.diff).toContain("@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
    expect(shown.text).toContain("\n-two\n+2");
    const plain = await call("edit_file", replace(file, "one", "1"));
    expect(plain.structured).not.toHaveProperty("diff");
    expect(place.read("a")).toBe("1\n2\n");
  });

  it("B6 refuses a dry run as it refuses the edit, with the steps for a person", async () => {
    const { place, path: file } = placeWithFile("one\ntwo\n");
    const id = await strandEdit(place, file, { oldString: "two", newString: "2" }, "one\nt");
    const engine = { userDataDirectory: place.userData };
    const { call } = await connect(new Place().settings({ roots: [place.work], engine }));
    const dry = await call("edit_file", { ...replace(file, "one", "1"), dry_run: true });
    expect(dry).toMatchObject({ isError: true, code: "FE_RECOVERY_REQUIRED" });
    expect(dry.text).toContain(id);
    expect(dry).toEqual(await call("edit_file", replace(file, "one", "1")));
  });

  it("names the file of a path in another form", async () => {
    const place = new Place();
    const file = place.write("src/app.ts", "one\ntwo\n");
    const { call } = await connect(place.settings());
    const uri = pathToFileURL(file).href;
    for (const asked of [uri, "@src/app.ts", "src/app.ts:2", '"src/app.ts"']) {
      const answer = await call("edit_file", replace(asked));
      // Windows refuses colons and quotes by the text.
      const isOdd = !abilities.anyName && /[:"]/u.test(asked);
      expect(answer.code).toBe(isOdd ? "FE_INVALID_REQUEST" : "FE_NOT_FOUND");
      const told = abilities.anyName ? answer.text : answer.text.replaceAll("\\", "/");
      const named = abilities.anyName ? file : file.replaceAll("\\", "/");
      expect(told).toContain(`Hint: "${named}" is there; name it so`);
    }
    expect(place.read("src/app.ts")).toBe("one\ntwo\n");
  });

  it("never lets a new text that is there pass for a success", async () => {
    const place = new Place();
    const text = "DEBUG = True\nif x:\n    DEBUG = False\n";
    const file = place.write("a", text);
    const { call } = await connect(place.settings());
    const near = await call("edit_file", replace(file, "DEBUG  = True", "DEBUG = False"));
    expect(near).toMatchObject({ isError: true, code: "FE_NO_MATCH" });
    expect(near.text).toContain("not there: line 1 differs in white space only\n");
    expect(near.text).toContain("line 3, but that does not show that the edit was made");
    const far = await call("edit_file", replace(file, "other", "DEBUG = False"));
    expect(far.text).toContain("line 3, which does not show that this edit was made");
    expect(place.read("a")).toBe(text);
  });

  it("shows one place of a file of one long line, in an answer that is short", async () => {
    const place = new Place();
    const file = place.write("min.js", `${"a();".repeat(60_000)}two${"b();".repeat(40_000)}`);
    const { call } = await connect(place.settings());
    const dry = await call("edit_file", { ...replace(file), dry_run: true });
    expect(dry.text).toMatch(/\n-\[\.\.\. \d+ more \.\.\.\].*\);twob/u);
    expect(dry.text).toMatch(/\n\+\[\.\.\. \d+ more \.\.\.\].*\);2b/u);
    expect(dry.structured).toMatchObject({ diff_truncated: true });
    expect(dry.structured.diff_bytes).toBeGreaterThan(800_000);
    expect(JSON.stringify(dry.structured).length + dry.text.length).toBeLessThan(8000);
    const many = { ...replace(file, "();", "(0);"), replace_all: true, diff: true };
    const answer = await call("edit_file", many);
    expect(answer.structured).toMatchObject({ replacements: 100_000, matches_truncated: true });
    expect(answer.structured.matches).toHaveLength(20);
    expect(JSON.stringify(answer.structured).length).toBeLessThan(8000);
  });

  it("explains a miss, and lists the places of an ambiguity", async () => {
    const place = new Place();
    const file = place.write("a", "\tone\ntwo\ntwo\n");
    const { call } = await connect(place.settings());
    const miss = await call("edit_file", replace(file, "    one", "1"));
    expect(miss).toMatchObject({ isError: true, code: "FE_NO_MATCH" });
    expect(miss.structured).toMatchObject({
      status: "rejected",
      error: { effect: "none", retryable: false, nearest: [{ line: 1, text: "\tone" }] },
    });
    expect(miss.structured.error).toMatchObject({
      differing: [{ line: 1, there: "\tone", given: "    one" }],
    });
    expect(miss.text).toContain("1 | \tone");
    expect(miss.text).toContain("1 in the file | →one\n  as given    | ····one\n");
    const ambiguous = await call("edit_file", replace(file));
    expect(ambiguous).toMatchObject({ isError: true, code: "FE_AMBIGUOUS_MATCH" });
    expect(ambiguous.text).toContain("is there 2 times, at lines 2, 3\nLines:\n2 | two\n3 | two\n");
    const all = { ...replace(file), replace_all: true, expected_replacements: 3 };
    expect((await call("edit_file", all)).code).toBe("FE_COUNT_MISMATCH");
    expect(place.read("a")).toBe("\tone\ntwo\ntwo\n");
  });

  it("refuses a file that is not the one expected", async () => {
    const place = new Place();
    const file = place.write("a", "two\n");
    const { call } = await connect(place.settings());
    const input = { ...replace(file), expected_sha256: "0".repeat(64) };
    const answer = await call("edit_file", input);
    expect(answer).toMatchObject({ code: "FE_CONTENT_CHANGED" });
    expect(answer.structured).toMatchObject({ status: "conflict" });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["a missing path", { old_string: "a", new_string: "b" }, '"file_path" is missing'],
    ["an empty path", { path: "" }, "file_path is empty"],
    ["a path that is no text", { file_path: 1 }, '"file_path" must be text, not 1'],
    ["two spellings", { path: "/x", file_path: "/x" }, 'Both "path" and "file_path" are given'],
    [
      "two spellings in edits",
      { path: "/x", edits: [{ old_text: "a", oldText: "a", new_text: "b" }] },
      'Both "old_text" and "oldText" are given in edits[0]',
    ],
    ["an unknown argument", { path: "/x", expected_sha: "a" }, 'Did you mean "expected_sha256"?'],
    [
      "an unknown argument in edits",
      { path: "/x", edits: [{ path: "/y" }] },
      '"path" in "edits[0]"',
    ],
    [
      "edits and a text",
      { path: "/x", old_str: "a", edits: [{}] },
      '"edits[0].old_string" is missing',
    ],
    [
      "edits and replace_all",
      { path: "/x", replaceAll: true, edits: [{ old_str: "a", new_str: "b" }] },
      'Both "replace_all" and "edits" are given',
    ],
    [
      "edits as text",
      { path: "/x", edits: "[]" },
      '"edits" must be a list of 1 or more, not the text "[]"',
    ],
    ["no edits", { path: "/x", edits: [] }, '"edits" must be a list of 1 or more, not an empty'],
    ["a missing text", { path: "/x", old_string: "a" }, '"new_string" is missing'],
    ["an empty old text", { path: "/x", old_str: "", new_str: "b" }, "the old text is empty"],
    ["NUL in a path", { path: "/x\0", old_str: "a", new_str: "b" }, "no path can have one"],
    ["NUL in a text", { path: "/x", old_str: "a", new_str: "\0" }, "new_string holds a NUL"],
    [
      "half a character",
      { path: "/x", edits: [{ old_str: "a", new_str: "\ud800" }] },
      "edits[0].new_string holds half of a surrogate pair",
    ],
    ["half a character in a path", { path: "/\udc80" }, "file_path holds half"],
    [
      "too much text",
      { path: "/x", old_str: "a", new_str: "b".repeat(maxTextLength) },
      `more than ${maxTextLength}`,
    ],
    ["a long path", { path: `/${"x".repeat(40_000)}` }, "file_path has 40001 characters"],
    [
      "a hash that is none",
      { path: "/x", expected_sha256: "" },
      '"expected_sha256" must be 64 hex',
    ],
    [
      "a count of zero",
      { path: "/x", expected_replacements: 0 },
      "must be a whole number from 1 on, not 0",
    ],
    [
      "a negative wait",
      { path: "/x", wait_ms: -1 },
      '"wait_ms" must be a whole number from 0 to 600000, not -1',
    ],
    [
      "a policy that is none",
      { path: "/x", line_endings: "crlf" },
      'must be "match-file" or "exact", not the text "crlf"',
    ],
  ])("refuses %s", async (_what, input, message) => {
    const place = new Place();
    place.write("a", "a\n");
    const { call } = await connect(place.settings());
    const answer = await call("edit_file", input);
    expect(answer).toMatchObject({ isError: true, code: "FE_INVALID_REQUEST" });
    expect(answer.structured).toMatchObject({ status: "rejected", error: { effect: "none" } });
    expect(answer.text).toContain(message);
    expect(answer.text.length).toBeLessThan(1000);
  });

  it("takes a relative path from the only root, never from the working directory", async () => {
    const place = new Place();
    place.write("d/a", "two\n");
    const { call } = await connect(place.settings());
    const answer = await call("edit_file", replace("d/a"));
    expect(answer.structured).toMatchObject({
      status: "applied",
      file_path: `${place.work}${sep}d/a`,
    });
    expect((await call("edit_file", replace("../data/x"))).code).toBe("FE_OUTSIDE_ROOT");
    mkdirSync(place.path("e"));
    const two = { roots: [place.path("d"), place.path("e")] };
    const second = await connect(place.settings(two));
    const refused = await second.call("edit_file", replace("a", "2", "3"));
    expect(refused).toMatchObject({ code: "FE_INVALID_REQUEST" });
    expect(refused.text).toContain(place.path("d"));
    expect(place.read("d/a")).toBe("2\n");
  });

  it("tells nothing of what lies outside of the roots", async () => {
    const place = new Place();
    place.write("in/a", "two\n");
    place.write("out/a", "two\n");
    if (abilities.symlinks) symlinkSync(place.path("out"), place.path("link"));
    const { call } = await connect(place.settings({ roots: [place.path("in")] }));
    const told = async (name: string): Promise<string> => {
      const { text, code } = await call("edit_file", replace(`${place.work}/${name}`));
      expect(code).toBe("FE_OUTSIDE_ROOT");
      return text.replaceAll(name, "NAME");
    };
    const there = await told("out/a");
    for (const name of ["out/b", "link/a", "nowhere/x", "in/../out/a", "inn"]) {
      expect(await told(name)).toBe(there);
    }
    const inside = await call("edit_file", replace(place.path("in/b")));
    expect(inside.code).toBe("FE_NOT_FOUND");
    expect(place.read("out/a")).toBe("two\n");
  });

  it("follows a link from outside that leads into a root", async (context) => {
    needs(context, "symlinks");
    const place = new Place();
    place.write("in/a", "two\n");
    symlinkSync(place.path("in"), place.path("link"));
    const { call } = await connect(place.settings({ roots: [place.path("link")] }));
    expect((await call("edit_file", replace(place.path("link/b")))).code).toBe("FE_NOT_FOUND");
    expect((await call("edit_file", replace(place.path("link/a")))).isError).toBe(false);
    expect(place.read("in/a")).toBe("2\n");
  });

  it("S10 applies parallel calls on one file one after the other", async () => {
    const place = new Place();
    const lines = Array.from({ length: 6 }, (_, index) => `line ${index} old`);
    const file = place.write("a", `${lines.join("\n")}\n`);
    const { call } = await connect(place.settings());
    const answers = await Promise.all(
      lines.map((line) => call("edit_file", replace(file, line, line.replace("old", "new")))),
    );
    expect(answers.map(({ structured }) => structured.status)).toEqual(lines.map(() => "applied"));
    expect(place.read("a")).toBe(`${lines.join("\n").replaceAll("old", "new")}\n`);
  });
});
