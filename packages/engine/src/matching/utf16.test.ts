import { bytesSource } from "@fe/journal";
import { describe, expect, it } from "vitest";
import { applyPatch } from "../../test/apply-patch.ts";
import { edit, failIn, locateIn } from "../../test/locate-helper.ts";
import { findCodec } from "./codec.ts";
import type { ByteOrder, TextCodec } from "./text-form.ts";
import { unifiedDiff } from "./unified-diff.ts";
import { encodeUtf16, looksLikeUtf16, utf16Codec, utf16OrderOf } from "./utf16.ts";
import { WorkMeter } from "./work-meter.ts";

const orders = ["le", "be"] as const;
const bom = "\ufeff";
const byMark = async () => (await findCodec("utf-16")) as TextCodec;

describe("locate() in UTF-16", () => {
  it.each(orders)("B8 edits with and without a mark, and keeps it (%s)", async (order) => {
    for (const start of ["", bom]) {
      const text = `${start}Größe: 1\r\nza 😀\r\n`;
      const located = await locateIn(
        encodeUtf16(text, order),
        [edit("1\nza", "2\nneu\nza"), edit("😀", "€")],
        { codec: utf16Codec(order) },
      );
      const wanted = `${start}Größe: 2\r\nneu\r\nza €\r\n`;
      expect(located.after).toEqual(encodeUtf16(wanted, order));
      expect(located.lineEndings).toBe("crlf");
      expect(located.matches[0]).toMatchObject({ line: 1, column: 8 });
      expect(located.matches[1]).toMatchObject({ line: 2, column: 4 });
    }
  });

  it.each(orders)("B8 matches no text across two code units (%s)", async (order) => {
    const text = "\u0000\u6161\u0000 a";
    const content = encodeUtf16(text, order);
    const codec = utf16Codec(order);
    const located = await locateIn(content, [edit("a", "b")], { codec });
    expect(located.after).toEqual(encodeUtf16("\u0000\u6161\u0000 b", order));
    // Byte by byte the same bytes are there before, across two characters.
    expect(content.indexOf(encodeUtf16("a", order)) % 2).toBe(1);
    const { byteOrder: _, decode: _cannotHalve, ...bytewise } = codec;
    const named = { codec: bytewise, isEncodingNamed: true };
    expect((await failIn(content, [edit("a", "b")], named)).kind).toBe("ambiguous");
  });

  it("B8 keeps surrogates that stand alone", async () => {
    const content = encodeUtf16("\ud83d a \ude00\ud83d", "le");
    const located = await locateIn(content, [edit("a", "bb")], { codec: utf16Codec("le") });
    expect(located.after).toEqual(encodeUtf16("\ud83d bb \ude00\ud83d", "le"));
  });

  it("B8 never doubles the mark", async () => {
    for (const order of orders) {
      const content = encodeUtf16(`${bom}a`, order);
      const located = await locateIn(content, [edit("a", `${bom}b`)], {
        codec: utf16Codec(order),
      });
      expect(located.after).toEqual(encodeUtf16(`${bom}b`, order));
    }
  });

  it("B8 takes the order of the mark, if the name leaves it open", async () => {
    const codec = await byMark();
    for (const order of orders) {
      const marked = encodeUtf16(`${bom}a`, order);
      const { after } = await locateIn(marked, [edit("a", "b")], { codec });
      expect(after).toEqual(encodeUtf16(`${bom}b`, order));
    }
    const error = await failIn(encodeUtf16("abc", "le"), [edit("a", "b")], { codec });
    expect(error.kind).toBe("invalid-encoding");
    expect(error.message).toMatch(/no byte order mark/u);
    expect(error.hint).toMatch(/utf-16le/u);
    expect((await failIn("", [edit("a", "b")], { codec })).hint).toMatch(/^The file is empty/);
  });

  it("Q5 refuses a file that cannot be what was named", async () => {
    const failWith = (content: Buffer, order: ByteOrder) =>
      failIn(content, [edit("a", "b")], { codec: utf16Codec(order) });
    const odd = await failWith(Buffer.from("a\0\0"), "le");
    expect(odd.kind).toBe("invalid-encoding");
    expect(odd.message).toBe(
      "the file has 3 bytes, an odd number, so it is not utf-16le throughout",
    );
    const other = await failWith(encodeUtf16(`${bom}a`, "be"), "le");
    expect(other.message).toBe("the file is utf-16be, by its byte order mark, not utf-16le");
    expect(other.hint).toContain('encoding: "utf-16be"');
    const utf8 = await failWith(Buffer.from(`${bom}a`), "be");
    expect(utf8.message).toMatch(/is utf-8, by its byte order mark, not utf-16be/u);
    const wide = await failWith(Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]), "le");
    expect(wide.message).toMatch(/is utf-32/u);
  });

  it("B7 explains a miss in the characters of the file", async () => {
    const error = await failIn(encodeUtf16("eins\nzwei  drei\n", "be"), [edit("zwei drei", "x")], {
      codec: utf16Codec("be"),
    });
    expect(error.reason).toBe("line 2 differs in white space only");
    expect(error.nearest).toEqual([{ line: 2, text: "zwei  drei" }]);
  });

  it("B7 says what to name if nobody named it, and replaces no half of a character", async () => {
    for (const order of orders) {
      for (const text of [`${bom}abc`, "Title: draft\n", "中文形式abc行列", "Привет, Anna\n"]) {
        // One letter is found byte by byte, and to replace that by two would shift all the rest.
        const error = await failIn(encodeUtf16(text, order), [edit("a", "bb")]);
        expect(error.kind).toBe("invalid-encoding");
        expect(error.message).toContain(`utf-16${order}`);
        expect(error.hint).toContain(`encoding: "utf-16${order}"`);
      }
    }
    const named = { isEncodingNamed: true };
    const nuls = encodeUtf16("Title: draft\n", "le");
    expect((await locateIn(nuls, [edit("a", "b")], named)).replacements).toBe(1);
  });

  it("B7 finds the text also where the beginning has no NUL to look like UTF-16", async () => {
    for (const order of orders) {
      const error = await failIn(encodeUtf16(`${"中文".repeat(1024)}abc行列`, order), [
        edit("abc", "x"),
      ]);
      expect(error).toMatchObject({ kind: "no-match" });
      expect(error.reason).toBe(`the text is there in utf-16${order}`);
      expect(error.hint).toContain(`encoding: "utf-16${order}"`);
    }
  });
});

describe("looksLikeUtf16()", () => {
  it("knows Latin text of both orders, and takes nothing else for it", () => {
    const look = (bytes: Uint8Array, size = bytes.length) => looksLikeUtf16(bytes, size);
    expect(look(encodeUtf16("Hello, world\n", "le"))).toBe("le");
    expect(look(encodeUtf16("Hello, world\n", "be"))).toBe("be");
    expect(look(encodeUtf16("\u001b[1mHello, world\u001b[0m\n", "be"))).toBe("be");
    expect(look(encodeUtf16("Hello, world\n", "le"), 27)).toBeUndefined();
    expect(look(encodeUtf16("abc", "le"))).toBeUndefined();
    for (const order of ["le", "be"] as const) {
      const scripts = [
        "Привет, мир\n",
        "中文，形式\n行列",
        "こんにちは a",
        "שלום עולם",
        "한국어 글",
        "一二三 四\n",
        "😀😀 a",
      ];
      for (const text of scripts) expect(look(encodeUtf16(text, order)), text).toBe(order);
      // The beginning of a longer file may end between two halves.
      const cut = encodeUtf16(`${"а".repeat(8)}\n😀`, order);
      expect(look(cut.subarray(0, -2), 4096)).toBe(order);
      expect(look(encodeUtf16("中文形式行列中文", order)), "nothing tells it").toBeUndefined();
    }
    expect(look(Buffer.alloc(100))).toBeUndefined();
    expect(look(Buffer.from("a\0b\0c\0 plain text with few NULs"))).toBeUndefined();
    expect(look(Buffer.from("plain text of UTF-8"))).toBeUndefined();
    expect(look(Buffer.from("docs/a.md\0README.md\0src/index.ts\0"))).toBeUndefined();
    expect(look(Buffer.from("abcdefghijk\0lmnopqrstuvwxyz\n12345678"))).toBeUndefined();
    // Numbers of two bytes: controls, or no characters.
    expect(look(Buffer.from(Uint16Array.from([1, 2, 700, 9, 4096, 3]).buffer))).toBeUndefined();
    expect(look(Buffer.from(Uint16Array.from([0xdc00, 65, 66, 67, 68]).buffer))).toBeUndefined();
  });
});

describe("utf16OrderOf()", () => {
  it("B7 goes by the byte order mark, and then by looks", () => {
    for (const order of orders) {
      expect(utf16OrderOf(encodeUtf16(`${bom}中`, order))).toBe(order);
      expect(utf16OrderOf(encodeUtf16("abcdef", order))).toBe(order);
    }
    expect(utf16OrderOf(Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]))).toBeUndefined();
    expect(utf16OrderOf(Buffer.from("\ufeffabcdef"))).toBeUndefined();
    expect(utf16OrderOf(Buffer.alloc(0))).toBeUndefined();
  });
});

describe("unifiedDiff() of UTF-16", () => {
  it.each(orders)("B6 is to be read, and says from what it was made (%s)", async (order) => {
    const text = `${bom}1\n2\n3\n4\nGröße \u0a00\r\n6\n7\n8\n9`;
    const content = encodeUtf16(text, order);
    const codec = utf16Codec(order);
    const changes = [edit("Größe", "Maß"), edit("9", "neun")];
    const { diff } = await locateIn(content, changes, { codec, diffPath: "f" });
    if (diff === undefined) throw new Error("no diff");
    expect(diff.transcodedFrom).toBe(`utf-16${order}`);
    const shown = Buffer.from(diff.bytes);
    expect(shown.toString()).toBe(
      "--- a/f\n+++ b/f\n@@ -2,8 +2,8 @@\n 2\n 3\n 4\n-Größe \u0a00\r\n+Maß \u0a00\r\n" +
        " 6\n 7\n 8\n-9\n\\ No newline at end of file\n+neun\n\\ No newline at end of file\n",
    );
    const after = applyPatch(Buffer.from(text), shown);
    expect(after.toString()).toBe(text.replace("Größe", "Maß").replace("9", "neun"));
  });

  it("B6 is as before where nobody named UTF-16", async () => {
    const before = bytesSource(encodeUtf16("a\nb\n", "le"));
    const splice = { offsetBytes: 0, removedBytes: 1, inserted: Buffer.from("x") };
    const diff = await unifiedDiff(before, [splice], { path: "f" }, new WorkMeter(undefined));
    expect(diff.transcodedFrom).toBeUndefined();
    expect(Buffer.from(diff.bytes).toString("latin1")).toContain("-a\0\n+x\0\n");
  });
});
