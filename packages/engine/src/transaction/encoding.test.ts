// `encoding` of a request, on real files.
import { readFileSync, writeFileSync } from "node:fs";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { failureOf, Place } from "../../test/place.ts";

describe("edit() with an encoding", () => {
  it("B8 edits files of other encodings, all bytes outside of the match the same", async () => {
    const place = new Place();
    const engine = await place.engine();
    const path = place.path("f");
    for (const [encoding, text, oldString, newString] of [
      ["windows-1252", "Preis: 5 €\r\nGröße\r\n", "5 €\nGröße", "6 €\nMaß"],
      ["gbk", "中文形\n行\n", "行", "列"],
      ["Shift_JIS", "表\\n能\n", "能", "表示"],
      ["latin1", "\u0085à\u00ff\n", "à", "é"],
    ] as const) {
      writeFileSync(path, iconv.encode(text, encoding));
      const result = await engine.edit({ path, oldString, newString, encoding });
      expect(result.status).toBe("applied");
      const wanted = text.replaceAll("\r\n", "\n").replace(oldString, newString);
      const inStyle = text.includes("\r\n") ? wanted.replaceAll("\n", "\r\n") : wanted;
      expect(readFileSync(path)).toEqual(iconv.encode(inStyle, encoding));
    }
  });

  it("Q5 refuses unknown, wide and impossible encodings before anything is done", async () => {
    const place = new Place();
    const engine = await place.engine();
    const path = place.path("f");
    writeFileSync(path, "a\n");
    const failWith = (encoding: unknown, newString = "b") =>
      failureOf(engine.edit({ path, oldString: "a", newString, encoding: encoding as string }));
    expect(await failWith("klingon")).toMatchObject({
      code: "FE_INVALID_REQUEST",
      message: expect.stringContaining('there is no encoding "klingon"'),
      hint: expect.stringContaining("windows-1252"),
    });
    expect((await failWith(7)).code).toBe("FE_INVALID_REQUEST");
    expect((await failWith(null)).code).toBe("FE_INVALID_REQUEST");
    expect(await failWith("utf-32le")).toMatchObject({
      message: expect.stringContaining("no encoding in which ASCII"),
      hint: expect.stringContaining("utf-16le"),
    });
    expect(await failWith("latin1", "€")).toMatchObject({
      code: "FE_INVALID_ENCODING",
      hint: expect.stringContaining("`encoding`"),
    });
    expect(readFileSync(path, "utf8")).toBe("a\n");
    expect(place.storeNames()).toEqual([]);
  });

  it("B8 edits UTF-16 that is larger than what is held in memory, byte-exactly", async () => {
    const place = new Place();
    const engine = await place.engine();
    const path = place.path("f");
    const line = "\ufeffGröße \u6161\ud83d x\r\n";
    const before = Buffer.from(`${line.repeat(400_000)}Ende 😀\r\n${line}`, "utf16le");
    expect(before.length).toBeGreaterThan(8 * 1024 * 1024);
    for (const swap of [false, true]) {
      const bytes = (text: Buffer): Buffer => (swap ? Buffer.from(text).swap16() : text);
      writeFileSync(path, bytes(before));
      const result = await engine.edit({
        path,
        oldString: "Ende 😀\n",
        newString: "Ende\nweiter\n",
        encoding: swap ? "utf-16be" : "utf-16",
      });
      expect(result.matches).toEqual([
        { line: 400_001, column: 1, byteOffset: line.length * 2 * 400_000 },
      ]);
      const after = `${line.repeat(400_000)}Ende\r\nweiter\r\n${line}`;
      expect(readFileSync(path).equals(bytes(Buffer.from(after, "utf16le")))).toBe(true);
    }
  });

  it("B8 refuses UTF-16 that nobody named, and says what to name", async () => {
    const place = new Place();
    const engine = await place.engine();
    const path = place.path("f");
    for (const text of ["\ufeffa = 1\n", "a = 1\nb = 2\n"]) {
      writeFileSync(path, Buffer.from(text, "utf16le"));
      const failure = await failureOf(engine.edit({ path, oldString: "a", newString: "bb" }));
      expect(failure.code).toBe("FE_INVALID_ENCODING");
      expect(failure.hint).toContain('encoding: "utf-16le"');
      expect(readFileSync(path, "utf16le")).toBe(text);
    }
    expect(place.storeNames()).toEqual([]);
  });

  it("B8 names the option where an encoding is needed", async () => {
    const place = new Place();
    const engine = await place.engine();
    const path = place.path("f");
    writeFileSync(path, iconv.encode("Größe\n", "latin1"));
    const failure = await failureOf(engine.edit({ path, oldString: "Größe", newString: "x" }));
    expect(failure.code).toBe("FE_INVALID_ENCODING");
    expect(failure.hint).toContain("`encoding`");
    const utf8 = { path, oldString: "Größe", newString: "x", encoding: "UTF-8" };
    expect((await failureOf(engine.edit(utf8))).code).toBe("FE_INVALID_ENCODING");
  });
});
