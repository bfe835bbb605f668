import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { edit, failIn, locateIn } from "../../test/locate-helper.ts";
import { findCodec, isUtf8Name } from "./codec.ts";
import type { TextCodec } from "./text-form.ts";

async function codecOf(name: string): Promise<TextCodec> {
  const codec = await findCodec(name);
  if (typeof codec !== "object") throw new Error(`${name}: ${codec}`);
  return codec;
}

const samples: Readonly<Record<string, string>> = {
  "windows-1252": "Größe – “naïve” €5\r\nplain\r\n",
  latin1: "Größe à la carte\nplain\n",
  "koi8-r": "Привет, мир\n",
  gbk: "中文形式行列\n第二行 abc 编码\n",
  gb18030: "中文\u{1f600}形式 㐀\n第二行\n",
  shift_jis: "表示ソート能力\r\n予定表ABC\r\n",
  "euc-jp": "表示ソート能力\n予定\n",
  "euc-kr": "한국어 문서\n둘째 줄\n",
  big5: "許功蓋 中文\n第二行\n",
};

describe("findCodec()", () => {
  it("B8 puts a text into its encoding and leaves every other byte alone", async () => {
    for (const [name, text] of Object.entries(samples)) {
      const codec = await codecOf(name);
      const bytes = iconv.encode(text, name as "gbk");
      expect(codec.encode(text), name).toEqual(bytes);
      // Each character that is there once, replaced where the library itself would find it.
      for (const character of new Set(text)) {
        if (text.split(character).length !== 2 || /\s/u.test(character)) continue;
        const located = await locateIn(bytes, [edit(character, "Q")], { codec });
        const wanted = iconv.encode(text.replace(character, "Q"), name as "gbk");
        expect(located.after, `${name} ${character}`).toEqual(wanted);
      }
    }
  });

  it("B8 begins characters where a decoder does, also in the middle of a long line", async () => {
    for (const [name, text] of Object.entries(samples)) {
      const codec = await codecOf(name);
      if (codec.startsCharacter === undefined) continue;
      const starts = new Set<number>();
      let size = 0;
      for (const character of text) {
        starts.add(size);
        size += iconv.encode(character, name as "gbk").length;
      }
      const bytes = iconv.encode(text, name as "gbk");
      for (let place = 0; place < bytes.length; place++) {
        const starting = codec.startsCharacter(bytes.subarray(0, place), true);
        expect(starting, `${name} at ${place}`).toBe(starts.has(place));
        const cut = codec.startsCharacter(bytes.subarray(1, place), false);
        if (place > 1 && cut !== undefined) expect(cut).toBe(starts.has(place));
      }
    }
  });

  it("B8 refuses what it cannot tell: a long line without any ASCII", async () => {
    const codec = await codecOf("gbk");
    const long = iconv.encode(`${"中".repeat(3000)}文`, "gbk");
    const error = await failIn(long, [edit("文", "x")], { codec });
    expect(error).toMatchObject({ kind: "invalid-encoding" });
    expect(error.message).toMatch(/cannot be told/);
    const broken = iconv.encode(`${"中".repeat(3000)} 文`, "gbk");
    expect((await locateIn(broken, [edit("文", "x")], { codec })).replacements).toBe(1);
  });

  it("B8 refuses where so many places end the search before the file does", async () => {
    const codec = await codecOf("shift_jis");
    // The second byte of ア is an A; one real A more than is looked at stands behind the others.
    const content = iconv.encode("アアアア A A", "shift_jis");
    for (const maxPlaces of [3, 4]) {
      for (const replaceAll of [false, true]) {
        const error = await failIn(content, [edit("A", "B", { replaceAll })], { codec, maxPlaces });
        expect(error.kind, `${maxPlaces}`).toBe("too-many-places");
        expect(error.countIsAtLeast).toBe(true);
      }
    }
    const all = await locateIn(content, [edit("A", "B", { replaceAll: true })], {
      codec,
      maxPlaces: 6,
    });
    expect(all.replacements).toBe(2);
  });

  it("B8 knows which characters an encoding lacks", async () => {
    expect((await codecOf("latin1")).encode("€")).toBeUndefined();
    expect((await codecOf("latin1")).encode("?")).toEqual(Buffer.from("?"));
    expect((await codecOf("gbk")).encode("\u{1f600}")).toBeUndefined();
    expect((await codecOf("gb18030")).encode("\u{1f600}")).toHaveLength(4);
    expect((await codecOf("shift_jis")).encode("\ud800")).toBeUndefined();
  });

  it("B7 explains a miss in the words of the encoding", async () => {
    const codec = await codecOf("gbk");
    const bytes = iconv.encode("第一行\n编码  错误\n", "gbk");
    const error = await failIn(bytes, [edit("编码 错误", "x")], { codec });
    expect(error.reason).toBe("line 2 differs in white space only");
    expect(error.nearest).toEqual([{ line: 2, text: "编码  错误" }]);
  });

  it("Q5 knows no name that is none, and none whose ASCII is not ASCII", async () => {
    for (const name of ["klingon", "", "constructor", "__proto__", "a b", "x".repeat(41), "-"]) {
      expect(await findCodec(name), name).toBe("unknown");
    }
    for (const name of ["ucs2", "utf-32be", "utf-7", "base64", "hex"]) {
      expect(await findCodec(name), name).toBe("wide");
    }
    for (const name of ["utf-16le", "UTF16LE", "utf_16le", "utf-16be", "utf-16", "UTF16"]) {
      const codec = await codecOf(name);
      const bytes = Buffer.from("aé", "utf16le");
      const isBigEndian = /be$/iu.test(name);
      expect(codec.encode("aé"), name).toEqual(isBigEndian ? bytes.swap16() : bytes);
    }
    expect(["utf8", "UTF-8", "utf-16"].map(isUtf8Name)).toEqual([true, true, false]);
  });
});
