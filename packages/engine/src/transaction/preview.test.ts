import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import type { EntryStatus } from "@fe/native";
import { describe, expect, it } from "vitest";
import { leaveCommitted, strandEdit } from "../../test/orphans.ts";
import { failureOf, placeWithFile } from "../../test/place.ts";
import { contentOf, engineIn, homeOf, simulatedPlace } from "../../test/simulated-place.ts";

const swap = { oldString: "two", newString: "2" };

describe("preview() of a file with a record", () => {
  it("S20 B6 is refused as the edit is, changes nothing and keeps no lock", async () => {
    const { place, path } = placeWithFile("one two three\n");
    const id = await strandEdit(place, path, swap, "one torn two");
    const before = statSync(path, { bigint: true });
    const names = place.storeNames();
    const engine = await place.engine();
    const foreseen = await failureOf(engine.preview({ path, ...swap }));
    expect(foreseen.code).toBe("FE_RECOVERY_REQUIRED");
    expect(foreseen.record).toMatchObject({ id, choices: ["before", "after", "current"] });
    expect(place.storeNames()).toEqual(names);
    expect(statSync(path, { bigint: true }).mtimeNs).toBe(before.mtimeNs);
    const refused = await failureOf(engine.edit({ path, ...swap }));
    expect(refused.message).toBe(foreseen.message);
    expect(refused.record).toEqual(foreseen.record);
    await engine.recovery.resolve(id, { keep: "current" });
    expect((await engine.preview({ path, ...swap })).warnings).toEqual([]);
  });

  it("B6 is refused for another file at the path, or a record that cannot be read", async () => {
    const { place, path } = placeWithFile("one two three\n");
    const id = await strandEdit(place, path, swap, "one torn two");
    const other = place.path("b");
    writeFileSync(other, "two");
    renameSync(path, place.path("old"));
    renameSync(other, path);
    const engine = await place.engine();
    const foreseen = await failureOf(engine.preview({ path, ...swap }));
    expect(foreseen).toMatchObject({ code: "FE_RECOVERY_REQUIRED", record: { id } });
    expect(foreseen.record?.choices).toEqual(["current"]);
    const [record = ""] = place.records();
    writeFileSync(`${place.store}/${record}`, "no record");
    const moved = { path: place.path("old"), ...swap };
    expect((await failureOf(engine.preview(moved))).code).toBe("FE_RECORD_UNSAFE");
    expect((await failureOf(engine.edit(moved))).code).toBe("FE_RECORD_UNSAFE");
  });

  it("B6 says what the edit would do, where the edit settles the record", async () => {
    const { place, path } = placeWithFile("one two three\n");
    await strandEdit(place, path, swap, "one two three\n");
    const engine = await place.engine();
    const names = place.storeNames();
    const foreseen = await engine.preview({ path, ...swap });
    expect(foreseen).toMatchObject({ dryRun: true, replacements: 1, warnings: [] });
    expect(place.storeNames()).toEqual(names);
    const result = await engine.edit({ path, ...swap });
    expect(result.recovered).toBeDefined();
    expect(result.afterSha256).toBe(foreseen.afterSha256);
  });

  it("B6 warns as the edit refuses, in a store without locks, where none is settled", async () => {
    const { place, path } = placeWithFile("one two three\n");
    await leaveCommitted(place, path, swap);
    const shared = { type: "nfs", class: "network" };
    const engine = await place.watched(async (call): Promise<unknown> => {
      const answer = await call.proceed();
      if (call.name !== "directory.status") return answer;
      return { ...(answer as EntryStatus), filesystem: shared };
    });
    const request = { path, oldString: "2", newString: "3" };
    // First, as of an engine that has locked nothing yet.
    const { warnings } = await engine.preview(request);
    expect(warnings).toEqual([expect.stringMatching(/^Another edit of this file is, or may be/)]);
    expect((await failureOf(engine.edit(request))).code).toBe("FE_BUSY");
  });

  it("S15 keeps no record locked while it looks, so no edit is busy for it", async () => {
    const { place, path } = placeWithFile("one two three\n");
    await strandEdit(place, path, swap, "one two three\n");
    const editing = await place.engine();
    const done: string[] = [];
    const engine = await place.before("pinned.openForReading", async () => {
      done.push((await editing.edit({ path, ...swap })).status);
    });
    await failureOf(engine.preview({ path, ...swap }));
    expect(done).toEqual(["applied"]);
  });

  it("B6 warns of an edit that is at work, and does not wait for it", async () => {
    const { place, path } = placeWithFile("one two three\n");
    const looking = await place.engine();
    const seen: (readonly string[])[] = [];
    const engine = await place.before("target.overwrite", async () => {
      seen.push((await looking.preview({ path, ...swap })).warnings);
    });
    await engine.edit({ path, ...swap });
    expect(seen).toEqual([
      [expect.stringMatching(/^Another edit of this file is.*its owner holds a lock/)],
    ]);
    expect(readFileSync(path, "utf8")).toBe("one 2 three\n");
  });
});

describe("preview() of a file that may not be written", () => {
  it("B6 is refused as the edit is, and opens nothing for writing", async () => {
    const world = simulatedPlace({ a: "one two" });
    const file = homeOf(world).entries.get("a");
    if (file?.kind !== "regular") expect.unreachable();
    file.mode = 0o444;
    const engine = await engineIn(world);
    const request = { path: "/home/a", ...swap };
    const foreseen = await failureOf(engine.preview(request));
    expect(foreseen.code).toBe("FE_PERMISSION_DENIED");
    expect((await failureOf(engine.edit(request))).message).toBe(foreseen.message);
    expect(contentOf(world, "a")).toBe("one two");
    file.mode = 0o644;
    expect((await engine.preview(request)).replacements).toBe(1);
  });

  it("B6 asks without opening it for writing, which others would notice", async () => {
    const { place, path } = placeWithFile("one two");
    const calls: string[] = [];
    const engine = await place.watched((call) => {
      calls.push(call.name);
      return call.proceed();
    });
    await engine.preview({ path, ...swap });
    expect(calls).toContain("os.checkWritable");
    expect(calls).not.toContain("pinned.openForWriting");
    expect(place.storeNames()).toEqual([]);
  });
});
