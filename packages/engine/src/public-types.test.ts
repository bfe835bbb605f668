// What is taken is said twice, by the types and at run time; the two must not drift apart.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { strandEdit } from "../test/orphans.ts";
import { failureOf, Place } from "../test/place.ts";
import type { EditRequest, ResolveOptions, TextEdit, Version } from "./index.ts";

const path = "notes.md";
const one: TextEdit = { oldString: "a", newString: "b" };

/** Each line that ends in an error of the type checker is one that it must find. */
const misusedRequests: Readonly<Record<string, EditRequest>> = {
  // @ts-expect-error neither texts nor edits
  "no edit": { path },
  // @ts-expect-error what it is to become
  "old text alone": { path, oldString: "a" },
  // @ts-expect-error what is to be replaced
  "new text alone": { path, newString: "a" },
  // @ts-expect-error one replacement beside several
  both: { path, ...one, edits: [one] },
  // @ts-expect-error it would count for none of them
  "a guard beside edits": { path, edits: [one], expectedReplacements: 1 },
  // @ts-expect-error it would count for none of them
  "a flag beside edits": { path, edits: [one], replaceAll: true },
};

const misusedOptions: Readonly<Record<string, ResolveOptions>> = {
  // @ts-expect-error neither a version nor bytes
  nothing: {},
  // @ts-expect-error two answers to one question
  both: { keep: "before", content: Buffer.from("x") },
  // @ts-expect-error no such version
  "another version": { keep: "newest" },
};

/** How programs make requests: of what is settled, of lists, by parts that may be missing. */
function usualRequests(expectedSha256: string | undefined, edits: TextEdit[]): EditRequest[] {
  const settled = { path, oldString: "a", newString: "b" };
  const guarded = { ...settled, ...(expectedSha256 === undefined ? {} : { expectedSha256 }) };
  const several = { path, edits };
  const either = edits.length > 1 ? { edits } : one;
  return [settled, guarded, several, { path, ...one, replaceAll: false }, { path, ...either }];
}

function usualOptions(keep: Version, content: Uint8Array): ResolveOptions[] {
  const choice: { keep: Version } | { content: Uint8Array } =
    content.length > 0 ? { content } : { keep };
  const settled = { keep, signal: new AbortController().signal };
  return [settled, { content: Buffer.from("x") }, { ...choice, signal: settled.signal }];
}

describe("what types allow is taken, and what they forbid is refused", () => {
  it.each(Object.entries(misusedRequests))("EditRequest: %s", async (_, request) => {
    const engine = await new Place().engine();
    expect(await failureOf(engine.edit(request))).toMatchObject({ code: "FE_INVALID_REQUEST" });
  });

  it.each(Object.entries(misusedOptions))("ResolveOptions: %s", async (_, options) => {
    const place = new Place();
    writeFileSync(place.path("a"), "a");
    const id = await strandEdit(place, place.path("a"), one, "torn");
    const engine = await place.engine();
    const failure = await failureOf(engine.recovery.resolve(id, options));
    expect(failure).toMatchObject({ code: "FE_INVALID_REQUEST" });
  });

  it("requests as programs make them", async () => {
    const place = new Place();
    const engine = await place.engine();
    const sha256 = createHash("sha256").update("a").digest("hex");
    const requests = [[one], [one, { oldString: "b", newString: "c" }]].flatMap((edits) => [
      ...usualRequests(undefined, edits),
      ...usualRequests(sha256, edits),
    ]);
    for (const request of requests) {
      writeFileSync(place.path(path), "a");
      const { status } = await engine.edit({ ...request, path: place.path(path) });
      expect(status).toBe("applied");
    }
  });

  it("a listed record that is not unreadable names its file, and what belongs to it", async () => {
    const place = new Place();
    writeFileSync(place.path("a"), "a");
    await strandEdit(place, place.path("a"), one, "torn");
    writeFileSync(`${place.store}/${"f".repeat(64)}.fer`, "no record");
    const engine = await place.engine();
    const named: string[] = [];
    for (const record of await engine.recovery.list()) {
      // @ts-expect-error one that cannot be read has none
      const path: string = record.path;
      if (record.phase !== "unreadable") named.push(record.path, String(record.before.sizeBytes));
      if (path === undefined) expect(record.phase).toBe("unreadable");
      if (record.path === undefined) named.push(record.phase satisfies "unreadable");
    }
    expect(named.sort()).toEqual(["1", place.path("a"), "unreadable"].sort());
  });

  it("options of a resolution as programs make them", async () => {
    const place = new Place();
    const given = [...usualOptions("before", Buffer.of()), ...usualOptions("after", Buffer.of(1))];
    for (const options of given) {
      writeFileSync(place.path("a"), "a");
      const id = await strandEdit(place, place.path("a"), one, "torn");
      const engine = await place.engine();
      expect((await engine.recovery.resolve(id, options)).status).toBe("applied");
    }
  });
});
