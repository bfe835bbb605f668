// Reports of bytes that an edit changed beside the match: marks, encodings, line ends.
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { failureOf, Place } from "../../../packages/engine/test/place.ts";
import { pageText } from "../../../scripts/docs/page-text.mjs";
import { CommandFolder, replace } from "../harness/command.ts";
import { startMcp } from "../harness/mcp.ts";

const mark = Buffer.from("\ufeff");

describe("a byte order mark", () => {
  it("3A-28 stays when the first line is edited without it", async () => {
    await using folder = await CommandFolder.create();
    const path = await folder.write("f", "\ufeff第一行 one\n第二行\n");
    expect((await folder.fe(replace("f", "第一行 one", "第一行 1"))).exit).toBe(0);
    expect(readFileSync(path)).toEqual(Buffer.from("\ufeff第一行 1\n第二行\n"));
    expect(readFileSync(path).subarray(0, 3)).toEqual(mark);
  });

  it("3A-29 is there once after three edits, also if the texts begin with one", async () => {
    await using folder = await CommandFolder.create();
    const path = await folder.write("f", "\ufeffone\n");
    await using server = await startMcp(folder, folder.path);
    for (const [old_string, new_string] of [
      ["one", "two"],
      ["\ufefftwo", "\ufeffthree"],
      ["three", "four"],
    ] as const) {
      const answer = await server.call("edit_file", { file_path: path, old_string, new_string });
      expect(answer.isError, answer.text).toBe(false);
    }
    expect(readFileSync(path)).toEqual(Buffer.from("\ufefffour\n"));
  });

  it("3C-15 is not made where none was", async () => {
    await using folder = await CommandFolder.create();
    const path = await folder.write("f", "one é\n");
    await folder.write("new", "1 é");
    const texts = ["--old-string", "one é", "--new-file", "new"];
    expect((await folder.fe(["edit", "f", ...texts])).exit).toBe(0);
    expect(readFileSync(path)).toEqual(Buffer.from("1 é\n"));
  });
});

describe("bytes that are not UTF-8", () => {
  it("3A-30 stay when a text elsewhere is edited; one that must be read is refused", async () => {
    const place = new Place();
    const engine = await place.engine();
    const path = place.path("f");
    const gbk = Buffer.from("d6d0cec4", "hex");
    const tail = Buffer.from("ff00fe80", "hex");
    const content = (text: string): Buffer => Buffer.concat([Buffer.from(text), gbk, tail]);
    writeFileSync(path, content("one\n"));
    await engine.edit({ path, oldString: "one", newString: "a longer one" });
    expect(readFileSync(path)).toEqual(content("a longer one\n"));
    const failure = await failureOf(engine.edit({ path, oldString: "中", newString: "x" }));
    expect(failure.code).toBe("FE_INVALID_ENCODING");
    expect(readFileSync(path)).toEqual(content("a longer one\n"));
  });
});

describe("line ends", () => {
  const crlf = "one\r\ntwo\r\nthree\r\n";

  it("3A-31 of the new text follow the file, which is told and documented", async () => {
    await using folder = await CommandFolder.create();
    const path = await folder.write("f", crlf);
    const result = await folder.fe(replace("f", "two", "2\nand more\nlines", "--json"));
    expect(JSON.parse(result.out).line_endings).toBe("crlf");
    expect(readFileSync(path, "utf8")).toBe("one\r\n2\r\nand more\r\nlines\r\nthree\r\n");
    const exact = ["--line-endings", "exact", "--json"];
    const asGiven = await folder.fe(replace("f", "three", "3\n4", ...exact));
    expect(JSON.parse(asGiven.out)).toMatchObject({
      line_endings: "crlf",
      warnings: [expect.stringContaining("other line breaks than the file (crlf)")],
    });
    expect(readFileSync(path, "utf8")).toContain("\r\n3\n4\r\n");
    // Only a text that mixes them where they were not mixed is worth a word.
    for (const [before, newString] of [
      [crlf, "2\r\n3"],
      [crlf, "2"],
      ["one\r\ntwo\n", "2\n3"],
    ] as const) {
      writeFileSync(path, before);
      const plain = await folder.fe(replace("f", "two", newString, "--dry-run", ...exact));
      expect(JSON.parse(plain.out).warnings).toEqual([]);
    }
    const policy = /has one line break throughout, line breaks of both texts are taken as that/u;
    expect(policy.test(pageText("packages/cli/README.md"))).toBe(true);
  });

  it("3A-32 of the old text match those of the file, or the miss says why not", async () => {
    await using folder = await CommandFolder.create();
    const path = await folder.write("f", crlf);
    expect((await folder.fe(replace("f", "one\ntwo", "1\n2"))).exit).toBe(0);
    expect(readFileSync(path, "utf8")).toBe("1\r\n2\r\nthree\r\n");
    const mixed = await folder.write("mixed", "one\r\ntwo\nthree\r\n");
    const missed = await folder.fe(replace("mixed", "one\ntwo", "1\n2", "--json"));
    expect(missed.exit).toBe(3);
    expect(JSON.parse(missed.out).error.reason).toMatch(/line (break|end)/u);
    expect(readFileSync(mixed, "utf8")).toBe("one\r\ntwo\nthree\r\n");
  });

  it("3C-16 are not mixed by a match of one line and a text of several", async () => {
    await using folder = await CommandFolder.create();
    await using server = await startMcp(folder, folder.path);
    for (const [before, after, told] of [
      [crlf, "one\r\n2\r\n2b\r\nthree\r\n", "crlf"],
      ["one\rtwo\rthree\r", "one\r2\r2b\rthree\r", "cr"],
      ["one\ntwo\nthree\n", "one\n2\n2b\nthree\n", "lf"],
    ] as const) {
      const path = await folder.write("f", before);
      for (const new_string of ["2\n2b", "2\r\n2b"]) {
        writeFileSync(path, before);
        const input = { file_path: path, old_string: "two", new_string };
        const { structured } = await server.call("edit_file", input);
        expect(structured.line_endings).toBe(told);
        expect(readFileSync(path, "utf8")).toBe(after);
      }
    }
  });
});
