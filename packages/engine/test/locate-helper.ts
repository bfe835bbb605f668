/** Calls of `locate` on a few bytes, for its tests. */
import { createHash } from "node:crypto";
import { afterSource, type ByteSource, bytesSource } from "@fe/journal";
import { expect } from "vitest";
import {
  type Located,
  type LocateOptions,
  locate,
  MatchError,
  type TextEdit,
} from "../src/matching/locate.ts";

export const usual: LocateOptions = {
  lineEndings: "match-file",
  maxAfterBytes: 128 * 1024 * 1024,
  maxPlaces: 1_000_000,
};

export type Content = string | Uint8Array;
export const bytesOf = (content: Content): Buffer => Buffer.from(content as Uint8Array);
export const edit = (
  oldString: string,
  newString: string,
  rest: Partial<TextEdit> = {},
): TextEdit => ({
  oldString,
  newString,
  ...rest,
});

async function readAll(source: ByteSource): Promise<Buffer> {
  const bytes = Buffer.alloc(source.sizeBytes);
  expect(await source.read(bytes, 0)).toBe(bytes.length);
  return bytes;
}

export async function locateIn(
  content: Content,
  edits: readonly TextEdit[],
  options: Partial<LocateOptions> = {},
): Promise<Omit<Located, "after"> & { after: Buffer }> {
  const before = bytesSource(bytesOf(content));
  const located = await locate(before, edits, { ...usual, ...options });
  const sumOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
  expect(located.beforeSum).toBe(sumOf(bytesOf(content)));
  const after = await readAll(afterSource(before, located.splices));
  if (located.splices.length === 0) {
    expect(located.after).toBeUndefined();
  } else {
    expect(located.after?.sha256).toBe(sumOf(after));
    // Not by `toEqual`, which takes seconds for a megabyte.
    expect(after.equals(located.after?.bytes ?? Buffer.of())).toBe(true);
  }
  return { ...located, after };
}

export async function failIn(
  content: Content,
  edits: readonly TextEdit[],
  options: Partial<LocateOptions> = {},
): Promise<MatchError> {
  const error = await locateIn(content, edits, options).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(MatchError);
  return error as MatchError;
}

export const textAfter = async (content: Content, edits: readonly TextEdit[]) =>
  (await locateIn(content, edits)).after.toString();
