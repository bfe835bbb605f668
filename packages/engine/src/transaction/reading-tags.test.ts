// What is matched in a large file is what is recorded, though the file is read twice; and how that
// is known.
import { readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { bytesSource } from "@fe/journal";
import { afterEach, describe, expect, it, vi } from "vitest";
import { failureOf, Place } from "../../test/place.ts";
import { ReadingTags, summed } from "./reading-tags.ts";

async function drawn(id: string): Promise<ReadingTags> {
  const tags = await ReadingTags.draw({ randomId: async () => id });
  if (tags === undefined) throw new Error("This Node has no tags");
  return tags;
}

async function tagOf(id: string, ...pieces: readonly Uint8Array[]): Promise<string> {
  const tag = (await drawn(id)).newTag();
  for (const piece of pieces) tag.update(piece);
  return tag.digest();
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("ReadingTags", () => {
  const bytes = Buffer.from("the quick brown fox jumps over the lazy dog\n".repeat(3));

  it("gives the same bytes the same tag, in whatever pieces they come", async () => {
    const whole = await tagOf("a", bytes);
    expect(whole).toMatch(/^[0-9a-f]{32}$/);
    for (const at of [0, 1, 15, 16, 17, bytes.length - 1]) {
      expect(await tagOf("a", bytes.subarray(0, at), bytes.subarray(at))).toBe(whole);
    }
  });

  it("gives others another: for each bit, each length, and each order", async () => {
    const tags = new Set([await tagOf("a", bytes)]);
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      tags.add(await tagOf("a", changed));
    }
    for (let length = 0; length < bytes.length; length++) {
      tags.add(await tagOf("a", bytes.subarray(0, length)));
    }
    tags.add(await tagOf("a", bytes, Buffer.alloc(1)));
    tags.add(await tagOf("a", bytes.subarray(16), bytes.subarray(0, 16)));
    expect(tags.size).toBe(1 + 8 * bytes.length + bytes.length + 2);
  });

  it("gives another edit another tag for the same bytes", async () => {
    expect(await tagOf("a", bytes)).not.toBe(await tagOf("b", bytes));
  });

  it("are none where a second piece does not add to the first, or there is no cipher", async () => {
    const seen = (pieces: readonly Uint8Array[]) => ({
      final: () => undefined,
      getAuthTag: () => Buffer.concat(pieces),
    });
    const id = { randomId: async () => "a" };
    const addsUp = () => {
      const pieces: Uint8Array[] = [];
      return { ...seen(pieces), setAAD: (piece: Uint8Array) => pieces.push(piece) };
    };
    expect(await ReadingTags.draw(id, addsUp)).toBeInstanceOf(ReadingTags);
    const keepsLast = () => {
      const pieces: Uint8Array[] = [];
      return { ...seen(pieces), setAAD: (piece: Uint8Array) => pieces.splice(0, 1, piece) };
    };
    expect(await ReadingTags.draw(id, keepsLast)).toBeUndefined();
    const keepsNothing = () => ({ ...seen([]), setAAD: () => undefined });
    expect(await ReadingTags.draw(id, keepsNothing)).toBeUndefined();
    const isMissing = () => {
      throw new Error("Unknown cipher");
    };
    expect(await ReadingTags.draw(id, isMissing)).toBeUndefined();
  });
});

describe("summed()", () => {
  it("refuses to be read out of order, or twice", async () => {
    const source = summed(bytesSource(Buffer.from("0123456789")), (await drawn("a")).newTag());
    const piece = Buffer.alloc(4);
    expect(await source.read(piece, 0)).toBe(4);
    await expect(source.read(piece, 5)).rejects.toThrow("in order");
    await expect(source.read(piece, 0)).rejects.toThrow("in order");
    expect(await source.read(piece, 4)).toBe(4);
  });
});

/** Twice 5 MiB around a word: too large to be kept in memory. */
const half = "x".repeat(5 * 1024 * 1024);
const content = `${half}one${half}`;
const swap = { oldString: "one", newString: "two" };

/** An edit of a large file that another program changes between match and record. */
async function changedWhileRecorded(): Promise<{ place: Place; outcome: string }> {
  const place = new Place();
  const path = place.path("a");
  writeFileSync(path, content);
  const engine = await place.beforeNext(["directory.createUnnamedFile"], () => {
    const { atime, mtime } = statSync(path);
    writeFileSync(path, "y", { flag: "r+" });
    utimesSync(path, atime, mtime);
  });
  const outcome = await engine.edit({ path, ...swap }).then(
    ({ status }) => status,
    ({ code }: { code: string }) => code,
  );
  return { place, outcome };
}

describe("an edit of a large file", () => {
  it("S5 stops if what it records is not what it matched", async () => {
    const { place, outcome } = await changedWhileRecorded();
    expect(outcome).toBe("FE_CONTENT_CHANGED");
    expect(place.storeNames()).toEqual([]);
    expect(readFileSync(place.path("a"), "utf8")).toBe(`y${content.slice(1)}`);
  });

  it("S5 stops by SHA-256 where there are no tags", async () => {
    vi.spyOn(ReadingTags, "draw").mockResolvedValue(undefined);
    expect((await changedWhileRecorded()).outcome).toBe("FE_CONTENT_CHANGED");
  });

  it("would go on without the tags: what it records agrees with the file", async () => {
    const blind = { update: () => undefined, digest: () => "the same" };
    const tags = { newTag: () => blind } as unknown as ReadingTags;
    vi.spyOn(ReadingTags, "draw").mockResolvedValue(tags);
    expect((await changedWhileRecorded()).outcome).toBe("applied");
  });

  it("tells the SHA-256 of both versions, also if it changes nothing", async () => {
    const place = new Place();
    const path = place.path("a");
    writeFileSync(path, content);
    const engine = await place.engine();
    const { beforeSha256 } = await engine.preview({ path, ...swap });
    const back = { oldString: "two", newString: "one" };
    const same = await engine.edit({ path, edits: [swap, back] });
    expect(same).toMatchObject({ status: "unchanged", beforeSha256, afterSha256: beforeSha256 });
    expect(await engine.edit({ path, ...swap })).toMatchObject({ beforeSha256 });
  });

  it("compares with the SHA-256 that is expected", async () => {
    const place = new Place();
    const path = place.path("a");
    writeFileSync(path, content);
    const engine = await place.engine();
    const { beforeSha256: expectedSha256 } = await engine.preview({ path, ...swap });
    writeFileSync(path, "y", { flag: "r+" });
    const failure = await failureOf(engine.edit({ path, ...swap, expectedSha256 }));
    expect(failure.code).toBe("FE_CONTENT_CHANGED");
    writeFileSync(path, "x", { flag: "r+" });
    expect((await engine.edit({ path, ...swap, expectedSha256 })).status).toBe("applied");
  });
});
