import { bytesSource } from "@fe/journal";
import { expect, it } from "vitest";
import { edit, failIn } from "../../test/locate-helper.ts";
import { linesAround } from "./lines-around.ts";
import { encodeUtf16 } from "./utf16.ts";

it("B7 an ambiguous or miscounted text comes with the first lines in which it is", async () => {
  const content = "x = 1\ny = 2; y = 2\r\nz\ny = 2\ny = 2 # d\n";
  const lines = [
    { line: 2, text: "y = 2; y = 2" },
    { line: 4, text: "y = 2" },
    { line: 5, text: "y = 2 # d" },
  ];
  expect((await failIn(content, [edit("y = 2", "w")])).nearest).toEqual(lines);
  const counted = edit("y = 2", "w", { replaceAll: true, expectedReplacements: 2 });
  expect((await failIn(content, [counted])).nearest).toEqual(lines);
  const later = [edit("x = 1", "w"), edit("y = 2", "v")];
  expect((await failIn(content, later)).nearest).toBeUndefined();
});

it("linesAround() shows a long line around the place, at most 200 whole characters", async () => {
  const text = `${"😀é".repeat(5000)}here${"😀é".repeat(5000)}`;
  const bytes = Buffer.from(text);
  const source = { text: bytesSource(bytes), isUtf8: true };
  const [shown] = await linesAround(source, [{ place: bytes.indexOf("here"), line: 7 }]);
  expect(shown?.line).toBe(7);
  expect([...(shown?.text ?? "")]).toHaveLength(200);
  expect(shown?.text).toMatch(/^…(?:😀?é?)+here😀é/u);
  expect(shown?.text).not.toMatch(/\p{Surrogate}|\ufffd/u);
});

it("linesAround() reads UTF-16 too", async () => {
  const bytes = Buffer.from(encodeUtf16("a\nĊone two\nb", "le"));
  const decode = (some: Uint8Array) => Buffer.from(some).toString("utf16le");
  const place = bytes.indexOf(Buffer.from("two", "utf16le"));
  expect(
    await linesAround({ text: bytesSource(bytes), isUtf8: false, decode }, [{ place, line: 2 }]),
  ).toEqual([{ line: 2, text: "Ċone two" }]);
});
