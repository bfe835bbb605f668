/** The built command on files of other encodings, and its diffs in the hands of `patch`. */
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommandFolder, fileState, replace } from "./harness/command.ts";

let folder: CommandFolder;

beforeEach(async () => {
  folder = await CommandFolder.create();
});

afterEach(async () => {
  await folder[Symbol.asyncDispose]();
});

/** Bytes before and after, around those that the edit changes. */
const samples: readonly (readonly [
  encoding: string,
  before: string,
  oldString: string,
  newString: string,
  after: string,
])[] = [
  // "Grö€e" to "Maße"; 0x81 and 0xff beside it.
  ["windows-1252", "81 20 47 72 f6 80 65 0d 0a ff", "Grö€e", "Maße", "81 20 4d 61 df 65 0d 0a ff"],
  ["latin1", "e0 0a e9 85 0a", "é", "è", "e0 0a e8 85 0a"],
  // 中文形: d6d0 cec4 d0ce; 形 is also the halves in between.
  ["gbk", "d6 d0 ce c4 0a d0 ce 0a", "形", "行", "d6 d0 ce c4 0a d0 d0 0a"],
  // 表 is 95 5c, with a backslash as second half.
  ["shift_jis", "95 5c 5c 6e 0d 0a 94 5c", "\\n", "能\\n", "95 5c 94 5c 5c 6e 0d 0a 94 5c"],
];

const bytesOf = (hex: string): Buffer => Buffer.from(hex.replaceAll(" ", ""), "hex");

describe("fe edit --encoding", () => {
  it.each(samples)(
    "B8 edits %s, every byte outside of the match the same",
    async (encoding, before, oldString, newString, after) => {
      const file = await folder.write("f", bytesOf(before));
      const options = ["--encoding", encoding, "--line-endings", "exact"];
      const result = await folder.fe(replace("f", oldString, newString, ...options));
      expect(result).toMatchObject({ exit: 0, err: "" });
      expect(await readFile(file)).toEqual(bytesOf(after));
    },
  );

  it("Q5 says what is wrong with an encoding, and changes nothing", async () => {
    const file = await folder.write("f", bytesOf("47 72 f6 0a"));
    const state = await fileState(file);
    const run = (name: string, text = "o") =>
      folder.fe(replace("f", "Gr", text, "--encoding", name, "--json"));
    for (const [name, text, exit, code, word] of [
      ["klingon", "o", 2, "FE_INVALID_REQUEST", "klingon"],
      ["", "o", 2, "FE_INVALID_REQUEST", "encoding"],
      ["utf-32", "o", 2, "FE_INVALID_REQUEST", "ASCII"],
      ["latin1", "€", 6, "FE_INVALID_ENCODING", "latin1 lacks"],
    ] as const) {
      const result = await run(name, text);
      expect(result.exit, result.out).toBe(exit);
      const { error } = JSON.parse(result.out);
      expect(error.code).toBe(code);
      expect(error.message).toContain(word);
    }
    const unnamed = await folder.fe(replace("f", "Grö", "x"));
    expect(unnamed.exit).toBe(6);
    expect(unnamed.err).toMatch(/hint: .*--encoding/u);
    expect(await fileState(file)).toEqual(state);
    expect(await folder.storeFiles()).toEqual([]);
  });
});

/** What files are like, an edit of each, and what must come of it. */
const files: readonly (readonly [
  kind: string,
  before: Buffer,
  oldString: string,
  newString: string,
  after: Buffer,
])[] = [
  ["only CRLF", Buffer.from("a\r\nb\r\nc\r\n"), "a\nb\n", "x\ny\n", Buffer.from("x\r\ny\r\nc\r\n")],
  [
    "a byte order mark",
    Buffer.from("\ufeff第一行\nb\n"),
    "第一行",
    "\ufefffirst",
    Buffer.from("\ufefffirst\nb\n"),
  ],
  [
    "mixed line ends",
    Buffer.from("a\r\nb\nc\rd\r\n"),
    "b\nc",
    "b\nx",
    Buffer.from("a\r\nb\nx\rd\r\n"),
  ],
  [
    "NUL and stray bytes",
    Buffer.from("\0\xff a \0\xfe", "latin1"),
    " a ",
    " b ",
    Buffer.from("\0\xff b \0\xfe", "latin1"),
  ],
];

describe("fe edit and the form of a file", () => {
  it.each(files)("B8 keeps %s", async (_kind, before, oldString, newString, after) => {
    const file = await folder.write("f", before);
    const result = await folder.fe(replace("f", oldString, newString));
    expect(result).toMatchObject({ exit: 0, err: "" });
    expect(await readFile(file)).toEqual(after);
  });

  it("B8 refuses UTF-16 that nobody named, says what to name, and edits it then", async () => {
    const file = await folder.write("f", Buffer.from("\ufeffa\n", "utf16le"));
    const state = await fileState(file);
    const result = await folder.fe(replace("f", "a", "b"));
    expect(result.exit).toBe(6);
    const [, encoding = ""] = /`--encoding ([^ `]+)`/u.exec(result.err) ?? [];
    expect(result.err).toMatch(/FE_INVALID_ENCODING: .*utf-16le, by its byte order mark/u);
    expect(await fileState(file)).toEqual(state);
    const named = [...replace("f", "a", "b"), "--encoding", encoding, "--diff"];
    expect(await folder.fe(named)).toMatchObject({
      exit: 0,
      out: "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-\ufeffa\n+\ufeffb\n",
      err: expect.stringContaining("`patch` cannot take"),
    });
    expect(await readFile(file, "utf16le")).toBe("\ufeffb\n");
  });

  it("B8 B11 edits a file of one line of 100 MiB", { timeout: 60_000 }, async () => {
    const before = Buffer.alloc(100 * 1024 * 1024, "abc ");
    before.write("needle", 77_777_777);
    const file = await folder.write("f", before);
    const result = await folder.fe(replace("f", "needle", "pin", "--diff", "--json"));
    expect(result.exit, result.err).toBe(0);
    const answer = JSON.parse(result.out);
    expect(answer).toMatchObject({
      matches: [{ line: 1, column: 77_777_778, byte_offset: 77_777_777 }],
      // One line is more than a diff may have.
      diff: "--- a/f\n+++ b/f\n",
      diff_truncated: true,
    });
    const after = await readFile(file);
    expect(after.length).toBe(before.length - 3);
    expect(after.subarray(0, 77_777_777).equals(before.subarray(0, 77_777_777))).toBe(true);
    expect(after.subarray(77_777_780).equals(before.subarray(77_777_783))).toBe(true);
  });
});

describe("fe edit --diff", () => {
  const hasPatch = spawnSync("patch", ["--version"]).status === 0;

  it.skipIf(!hasPatch)("B6 prints what patch makes the same file with", async () => {
    const before = Buffer.from("a\r\n\xe4\r\n\x1b[2J\r\nlast", "latin1");
    const file = await folder.write("f g.txt", before);
    const state = await fileState(file);
    const request = replace("f g.txt", "last", "last\nline", "--diff");
    const dry = await folder.fe([...request, "--dry-run", "--json"]);
    const diff = Buffer.from(JSON.parse(dry.out).diff_base64, "base64");
    expect(await fileState(file)).toEqual(state);
    const other = await CommandFolder.create();
    await other.write("f g.txt", before);
    const patched = spawnSync("patch", ["--binary", "-p1", "--fuzz=0"], {
      cwd: other.path,
      input: diff,
    });
    expect(patched.status, patched.stdout.toString()).toBe(0);
    const result = await folder.fe(request);
    expect(result.exit).toBe(0);
    expect(result.err).toMatch(/^Replaced 1 place in f g.txt\n/u);
    expect(await readFile(file)).toEqual(await readFile(other.file("f g.txt")));
    await other[Symbol.asyncDispose]();
  });

  it("B6 prints the diff alone to standard output", async () => {
    await folder.write("f", "a\nb\n");
    const result = await folder.fe(replace("f", "b", "c", "--diff", "--dry-run"));
    expect(result).toMatchObject({
      exit: 0,
      out: "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n",
      err: "Would replace 1 place in f\n  at     2:1\n  bytes  4 -> 4\n",
    });
    const same = await folder.fe(replace("f", "a", "z", "--diff", "--quiet"));
    expect(same.err).toBe("");
  });
});

describe("fe edit --request", () => {
  it("B5 applies several replacements from standard input, all or none", async () => {
    const file = await folder.write("f", "one\ntwo\n");
    const edits = [
      { old_string: "one", new_string: "1" },
      { old_string: "two", new_string: "$& 2" },
    ];
    const run = (request: object, ...more: string[]) =>
      folder.fe(["edit", "--request", "-", ...more], { input: JSON.stringify(request) });
    const wrong = [...edits, { old_string: "three", new_string: "3" }];
    const missed = await run({ file_path: "f", edits: wrong }, "--json");
    expect(JSON.parse(missed.out).error).toMatchObject({ code: "FE_NO_MATCH", edit_index: 2 });
    expect(await run({ file_path: "f", edits, dry_run: true })).toMatchObject({ exit: 0 });
    expect(await readFile(file, "utf8")).toBe("one\ntwo\n");
    expect(await run({ file_path: "f", edits })).toMatchObject({ exit: 0, err: "" });
    expect(await readFile(file, "utf8")).toBe("1\n$& 2\n");
  });

  it("Q5 refuses a request that is none", async () => {
    const file = await folder.write("f", "a\n");
    const state = await fileState(file);
    for (const input of ["", "{}", '{"file_path":"f","old_str":"a","new_str":"b"}']) {
      const result = await folder.fe(["edit", "--request", "-"], { input });
      expect(result).toMatchObject({ exit: 2, out: "" });
      expect(result.err).toMatch(/^error FE_INVALID_REQUEST: The request .*\nhint: /u);
    }
    expect(await fileState(file)).toEqual(state);
  });
});
