import { bytesSource } from "@fe/journal";
import { describe, expect, it } from "vitest";
import { bytesOf, edit, failIn, locateIn, textAfter, usual } from "../../test/locate-helper.ts";
import { defaultSizes } from "./limits.ts";
import { locateBySizes } from "./locate.ts";

describe("locate() and line ends", () => {
  it("B8 takes both texts in the file's style (openai/codex#25048, zzet/gortex#69)", async () => {
    const located = await locateIn("a\r\nb\r\nc\r\n", [edit("a\nb\n", "a\nx\ny\n")]);
    expect(located.after.toString()).toBe("a\r\nx\r\ny\r\nc\r\n");
    expect(located.lineEndings).toBe("crlf");
    expect(await textAfter("a\nb\n", [edit("a\r\nb", "a\r\nc\rd")])).toBe("a\nc\nd\n");
    expect(await textAfter("a\rb\r", [edit("a\nb", "a\nc")])).toBe("a\rc\r");
  });

  it("B8 leaves no mixed ends if only the new text has a line break", async () => {
    expect(await textAfter("a\r\nb\r\n", [edit("b", "c\nd")])).toBe("a\r\nc\r\nd\r\n");
  });

  it("B8 takes texts as they are in a file of mixed ends, and says so", async () => {
    const located = await locateIn("a\r\nb\nc\n", [edit("b\nc", "b\nd\r\ne")]);
    expect(located.after.toString()).toBe("a\r\nb\nd\r\ne\n");
    expect(located.lineEndings).toBe("mixed");
    const error = await failIn("a\r\nb\nc\n", [edit("a\nb", "x")]);
    expect(error.reason).toBe(
      "lines 1 to 2 differ in line ends only: line 1 ends in CR LF, not LF",
    );
    expect(error.hint).toMatch(/CR LF is \\r\\n.*or replace line by line/);
    expect(await textAfter("a\r\nb\nc\n", [edit("a\r\nb", "x")])).toBe("x\nc\n");
  });

  it("B8 takes texts as they are if exact is wanted", async () => {
    const exact = { lineEndings: "exact" } as const;
    const located = await locateIn("a\r\nb\r\n", [edit("b", "c\nd")], exact);
    expect(located.after.toString()).toBe("a\r\nc\nd\r\n");
    expect(located.lineEndings).toBe("crlf");
    expect((await failIn("a\r\nb\r\n", [edit("a\nb", "x")], exact)).reason).toMatch(/line ends/);
  });

  it("B8 B7 takes no other line ends for the new text if exact is wanted", async () => {
    const [content, edits] = ["1\r\n2\r\nthree\r\n", [edit("four", "1\n2")]] as const;
    const exact = await failIn(content, edits, { lineEndings: "exact" });
    expect(exact.reason).toBeUndefined();
    expect((await failIn(content, edits)).reason).toMatch(/^the new text is there, at line 1,/);
  });

  it("B8 keeps the style for later edits", async () => {
    expect(await textAfter("a\r\nb\r\n", [edit("b", "c"), edit("a\nc", "d\ne")])).toBe(
      "d\r\ne\r\n",
    );
  });

  it("changes nothing if only the line ends would change", async () => {
    const located = await locateIn("a\r\nb\r\n", [edit("a\nb", "a\r\nb")]);
    expect(located).toMatchObject({ splices: [], replacements: 1 });
  });

  it("looks at the line ends of a large file only if a text has one", async () => {
    const large = `${"x\r\n".repeat(400_000)}end`;
    expect((await locateIn(large, [edit("end", "END")])).lineEndings).toBe("not-examined");
    expect((await locateIn(large, [edit("x\nend", "END")])).lineEndings).toBe("crlf");
  });
});

describe("locate() and byte order marks", () => {
  const bom = "\ufeff";

  it("B8 keeps the mark and never needs it (MoonshotAI/kimi-code#3825)", async () => {
    const located = await locateIn(`${bom}第一行\nb\n`, [edit("第一行", "first")]);
    expect(located.after.toString()).toBe(`${bom}first\nb\n`);
    expect(located.matches).toEqual([{ line: 1, column: 1, byteOffset: 3 }]);
  });

  it("B8 never doubles the mark (RooCodeInc/Roo-Code#1500)", async () => {
    let content = `${bom}0`;
    for (let round = 0; round < 3; round++) {
      content = await textAfter(content, [edit(`${round}`, `${bom}${round + 1}`)]);
    }
    expect(content).toBe(`${bom}3`);
    expect(await textAfter(`${bom}a`, [edit(`${bom}a`, `${bom}b`)])).toBe(`${bom}b`);
  });

  it("B8 adds no mark where there was none, unless the new text has one", async () => {
    expect(await textAfter("a", [edit("a", "b")])).toBe("b");
    expect(await textAfter("xyza", [edit("a", `${bom}b`)])).toBe(`xyz${bom}b`);
  });

  it("B8 refuses UTF-16 and UTF-32 that nobody named, with a hint", async () => {
    for (const [bytes, hint] of [
      [[0xff, 0xfe, 0x61, 0], 'encoding: "utf-16le"'],
      [[0xfe, 0xff, 0, 0x61], 'encoding: "utf-16be"'],
      [[0xff, 0xfe, 0, 0, 0x61, 0, 0, 0], "Convert the file to UTF-8 first"],
      [[0, 0, 0xfe, 0xff], "Convert the file to UTF-8 first"],
    ] as const) {
      const error = await failIn(Uint8Array.from(bytes), [edit("a", "b")]);
      expect(error.kind).toBe("invalid-encoding");
      expect(error.hint).toContain(hint);
    }
  });
});

describe("locate() in a file that is not UTF-8", () => {
  const gbk = Buffer.from([0xd6, 0xd0, 0xce, 0xc4]); // 中文

  it("B8 keeps bytes that it cannot read (anomalyco/opencode#45924)", async () => {
    const content = Buffer.concat([Buffer.from("name = 1\n"), gbk, Buffer.from("\n")]);
    const { after } = await locateIn(content, [edit("name = 1", "name = 22")]);
    expect(after).toEqual(Buffer.concat([Buffer.from("name = 22\n"), gbk, Buffer.from("\n")]));
  });

  it("B8 keeps odd characters far from the place (earendil-works/pi#3554)", async () => {
    const far = "trailing  \t\n\u00a0\u201cquoted\u201d \r\n\u2014 e\u0301\n";
    const located = await locateIn(`${far}draft${far}`, [edit("draft", "final")]);
    expect(located.after.toString()).toBe(`${far}final${far}`);
  });

  it("B8 refuses a text that is not ASCII, old or new, of whatever edit", async () => {
    for (const edits of [[edit("é", "e")], [edit("a", "é")], [edit("a", "b"), edit("b", "é")]]) {
      const error = await failIn(Buffer.from("a\xe9", "latin1"), edits);
      expect(error).toMatchObject({ kind: "invalid-encoding", editIndex: edits.length - 1 });
      expect(error.message).toMatch(/is not UTF-8, and the (?:old|new) text.* not plain ASCII/);
    }
  });

  it("B8 refuses a match that may be the second half of a character", async () => {
    const half = Buffer.from([0x20, 0x81, 0x41, 0x20]); // 丄, whose second byte is an A.
    const error = await failIn(half, [edit("A", "B")]);
    expect(error).toMatchObject({ kind: "invalid-encoding", positions: [{ byteOffset: 2 }] });
    expect(error.message).toMatch(/may begin within a two-byte character/);
  });

  it("B8 takes a match that is the second half in no encoding", async () => {
    const content = Buffer.concat([gbk, Buffer.from("name"), gbk, Buffer.from("(x)")]);
    const { after } = await locateIn(content, [edit("name", "Name"), edit("(x)", "(y)")]);
    expect(after).toEqual(Buffer.concat([gbk, Buffer.from("Name"), gbk, Buffer.from("(y)")]));
  });

  it("knows UTF-8 whatever the chunks", async () => {
    const content = bytesOf(`${"aé😀中".repeat(50)}!`);
    for (let chunkBytes = 1; chunkBytes < 9; chunkBytes++) {
      const sizes = { ...defaultSizes, bufferedBytes: 0, chunkBytes };
      const located = await locateBySizes(bytesSource(content), [edit("!", "é")], usual, sizes);
      expect(located.replacements).toBe(1);
    }
  });
});

describe("locate() with a codec", () => {
  /**
   * A toy with the shape of GBK: 中 is d6 d0, 文 is ce c4, 形 is d0 ce, 行 is d0 d0, A and B are
   * themselves.
   */
  const pairs: Readonly<Record<string, readonly number[]>> = {
    中: [0xd6, 0xd0],
    文: [0xce, 0xc4],
    形: [0xd0, 0xce],
    行: [0xd0, 0xd0],
  };
  const codec = {
    name: "toy",
    encode(value: string) {
      const bytes = [...value].map((character) =>
        character.charCodeAt(0) < 0x80 ? [character.charCodeAt(0)] : pairs[character],
      );
      if (bytes.includes(undefined)) return undefined;
      return Uint8Array.from(bytes.flatMap((some) => some ?? []));
    },
    startsCharacter(before: Uint8Array) {
      let index = 0;
      while (index < before.length) index += (before[index] ?? 0) >= 0x80 ? 2 : 1;
      return index === before.length;
    },
  };
  const encoded = (value: string) => codec.encode(value) as Uint8Array;

  it("B8 finds characters, not halves of two", async () => {
    const located = await locateIn(encoded("中文\n形"), [edit("形", "A")], { codec });
    expect(located.after).toEqual(Buffer.from(encoded("中文\nA")));
    expect((await failIn(encoded("中文"), [edit("形", "A")], { codec })).kind).toBe("no-match");
  });

  it("B8 replaces all characters, whatever the halves around them", async () => {
    const all = [edit("形", "B", { replaceAll: true })];
    const located = await locateIn(encoded("中文形形"), all, { codec });
    expect(located.after).toEqual(Buffer.from(encoded("中文BB")));
    // d6 d0 d0 d0: the two halves in the middle must not hide the character after them.
    const lines = [edit("行", "B", { replaceAll: true })];
    const hidden = await locateIn(encoded("中行"), lines, { codec });
    expect(hidden.after).toEqual(Buffer.from(encoded("中B")));
  });

  it("B8 refuses a character that the encoding lacks", async () => {
    const error = await failIn(encoded("A"), [edit("A", "€")], { codec });
    expect(error).toMatchObject({ kind: "invalid-encoding" });
    expect(error.message).toMatch(/toy lacks/);
  });
});
