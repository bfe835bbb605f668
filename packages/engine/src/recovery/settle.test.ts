// What the next edit makes of a record that an earlier one left, and what a person can do.
import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { abilities } from "../../../../native/test/abilities.ts";
import { leaveCommitted, strandEdit } from "../../test/orphans.ts";
import { failureOf, type Place, placeWithFile, publishing } from "../../test/place.ts";
import { errorToJson } from "../json.ts";
import type { Version } from "../record-report.ts";

const edit = { oldString: "two", newString: "zwei" };
const before = "one\ntwo\nthree\n";
const after = "one\nzwei\nthree\n";

async function show(place: Place, id: string, version: Version): Promise<string> {
  const engine = await place.engine();
  const shown = await engine.recovery.show(id, version);
  let text = "";
  for await (const chunk of shown.chunks()) text += Buffer.from(chunk).toString();
  await shown.close();
  return text;
}

describe("the next edit", () => {
  it("S12 the record is complete, synced and named before the first byte changes", async () => {
    const { place, path } = placeWithFile(before);
    const names: string[] = [];
    const engine = await place.watched((call) => {
      names.push(call.name);
      return call.proceed();
    });
    await engine.edit({ path, ...edit });
    const order = [
      "file.write",
      "file.sync",
      publishing,
      "directory.sync",
      "target.overwrite",
      "target.sync",
      "directory.finishRecord",
    ];
    // Each after the one before it; an earlier sync of the directory is that of the store's making.
    let from = names.indexOf("directory.createUnnamedFile");
    for (const name of order) {
      const found = names.indexOf(name, from);
      expect(found, `${name} in ${names.slice(from).join(" ")}`).toBeGreaterThan(-1);
      from = found + 1;
    }
    const nameSynced = names.indexOf("directory.sync", names.indexOf(publishing));
    expect(names.indexOf("target.overwrite")).toBeGreaterThan(nameSynced);
  });

  it("S15 is a conflict while a transaction lives, and goes on after a wait", async () => {
    const { place, path } = placeWithFile(before);
    let letGo: () => void = () => {};
    const stopped = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let arrive: () => void = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const slow = await place.before("target.overwrite", async () => {
      arrive();
      await stopped;
    });
    const first = slow.edit({ path, ...edit });
    await arrived;
    const other = await place.engine();
    const failure = await failureOf(other.edit({ path, oldString: "one", newString: "eins" }));
    expect(failure).toMatchObject({ code: "FE_BUSY", status: "conflict", retryable: true });
    const started = Date.now();
    const limited = { path, oldString: "one", newString: "eins" };
    await failureOf(other.edit(limited, { waitMs: 60 }));
    expect(Date.now() - started).toBeGreaterThanOrEqual(55);
    const patient = other.edit(limited, { waitMs: 20_000 });
    letGo();
    expect((await first).status).toBe("applied");
    expect((await patient).status).toBe("applied");
    expect(readFileSync(path, "utf8")).toBe("eins\nzwei\nthree\n");
  });

  it("S16 discards an orphan whose file holds exactly before or after, and goes on", async () => {
    for (const text of [before, after]) {
      const { place, path } = placeWithFile(before);
      const id = await strandEdit(place, path, edit, "torn");
      writeFileSync(path, text);
      const syncs: string[] = [];
      const engine = await place.watched((call) => {
        if (/reader\.sync|rename/.test(call.name)) syncs.push(call.name);
        return call.proceed();
      });
      const result = await engine.edit({ path, oldString: "one", newString: "1" });
      expect(result.recovered?.recordId).toBe(id);
      expect(syncs[0]).toBe("reader.sync"); // I6: before its record goes, the target is durable.
      expect(readFileSync(path, "utf8")).toBe(text.replace("one", "1"));
      expect(place.storeNames()).toEqual([]);
    }
  });

  it("S16 says what it settled also if it fails, waits or asks after that", async () => {
    const { place, path } = placeWithFile(before);
    const left = async (): Promise<string> => {
      const id = await strandEdit(place, path, edit, "torn");
      writeFileSync(path, before);
      return id;
    };
    const first = await left();
    const missing = { path, oldString: "nowhere", newString: "x" };
    const engine = await place.engine();
    const failure = await failureOf(engine.edit(missing));
    expect(failure).toMatchObject({ code: "FE_NO_MATCH", effect: "none" });
    expect(failure.recovered).toMatchObject({ recordId: first });
    expect(errorToJson(failure)).toMatchObject({ recovered: { record_id: first } });
    expect(place.records()).toEqual([]);
    expect((await failureOf(engine.edit(missing))).recovered).toBeUndefined();

    // The attempt that writes finds no record any more: the one before the question settled it.
    const second = await left();
    const asking = await place.engine({ beforeCommit: () => true });
    expect((await asking.edit({ path, ...edit })).recovered?.recordId).toBe(second);
  });

  it("S17 never overwrites an empty file, a prefix of the plan, or anything else", async () => {
    for (const text of ["", after.slice(0, 6), "somebody's own words\n", `${after}more\n`]) {
      const { place, path } = placeWithFile(before);
      const id = await strandEdit(place, path, edit, text);
      const engine = await place.engine();
      const failure = await failureOf(engine.edit({ path, oldString: "s", newString: "t" }));
      expect(failure).toMatchObject({ code: "FE_RECOVERY_REQUIRED", effect: "none" });
      expect(failure.record?.id).toBe(id);
      expect(readFileSync(path, "utf8")).toBe(text);
      expect(await show(place, id, "before")).toBe(before);
      expect(await show(place, id, "after")).toBe(after);
      expect(await show(place, id, "current")).toBe(text);
    }
  });

  it("S18 names the record and the three things to do, in order; then an edit works", async () => {
    const { place, path } = placeWithFile(before);
    const id = await strandEdit(place, path, edit, "one\nzw");
    const engine = await place.engine();
    const failure = await failureOf(engine.edit({ path, oldString: "one", newString: "1" }));
    expect(failure.message).toContain(id.slice(0, 12));
    expect(failure.hint).toMatch(/save the current file.*both versions.*restore or merge/s);
    const resolved = await engine.recovery.resolve(id.slice(0, 8), { keep: "before" });
    expect(resolved).toMatchObject({ status: "applied", kept: "before", path });
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(readFileSync(resolved.savedPath ?? "", "utf8")).toBe("one\nzw");
    if (abilities.modes) {
      expect(statSync(resolved.savedPath ?? "").mode & 0o7777).toBe(0o600);
    }
    const result = await engine.edit({ path, oldString: "one", newString: "1" });
    expect(result.status).toBe("applied");
    expect(result.recovered).toBeUndefined();
  });

  it("S19 a changed inode needs a person, whether the old file is gone or moved", async () => {
    const { place, path } = placeWithFile(before);
    const id = await strandEdit(place, path, edit, "one\nzw");
    renameSync(path, place.path("moved"));
    writeFileSync(path, "new file, two\n");
    const engine = await place.engine();
    const failure = await failureOf(engine.edit({ path, ...edit }));
    expect(failure).toMatchObject({ code: "FE_RECOVERY_REQUIRED" });
    expect(failure.record?.id).toBe(id);
    expect(readFileSync(path, "utf8")).toBe("new file, two\n");
    const refused = await failureOf(engine.recovery.resolve(id, { keep: "before" }));
    expect(refused.code).toBe("FE_TARGET_REPLACED");
    const resolved = await engine.recovery.resolve(id, { keep: "current" });
    expect(existsSync(resolved.movedRecordTo ?? "")).toBe(true);
    expect((await engine.edit({ path, ...edit })).status).toBe("applied");
  });

  it("S19 a malformed record needs a person; it is kept, then set aside unread", async () => {
    const { place, path } = placeWithFile(before);
    const id = await strandEdit(place, path, edit, "torn");
    const record = join(place.store, place.records()[0] ?? "");
    writeFileSync(record, "garbage", { mode: 0o600 });
    const engine = await place.engine();
    const failure = await failureOf(engine.edit({ path, oldString: "torn", newString: "x" }));
    expect(failure).toMatchObject({ code: "FE_RECORD_UNSAFE", status: "recovery_required" });
    expect(readFileSync(record, "utf8")).toBe("garbage");
    const resolved = await engine.recovery.resolve(id, { keep: "current" });
    expect(readFileSync(resolved.movedRecordTo ?? "", "utf8")).toBe("garbage");
    expect((await engine.edit({ path, oldString: "torn", newString: "x" })).status).toBe("applied");
  });

  it("S24 reclaims a committed record and asks when the file changed since", async () => {
    const { place, path } = placeWithFile(before);
    await leaveCommitted(place, path, edit);
    expect(place.records()).toHaveLength(1);
    const engine = await place.engine();
    const result = await engine.edit({ path, oldString: "one", newString: "1" });
    expect(result.recovered?.decision).toMatch(/complete/);
    expect(place.storeNames()).toEqual([]);

    await leaveCommitted(place, path, { oldString: "three", newString: "drei" });
    writeFileSync(path, "changed since\n");
    const failure = await failureOf(engine.edit({ path, oldString: "s", newString: "t" }));
    expect(failure.code).toBe("FE_RECOVERY_REQUIRED");
    expect(failure.message).toMatch(/complete/);
    expect(readFileSync(path, "utf8")).toBe("changed since\n");
  });

  it("S9 finds the record through another hard link, and through another engine", async () => {
    const { place, path } = placeWithFile(before);
    const id = await strandEdit(place, path, edit, "torn");
    linkSync(path, place.path("other"));
    const engine = await place.engine();
    const failure = await failureOf(
      engine.edit({ path: place.path("other"), oldString: "torn", newString: "x" }),
    );
    expect(failure.record?.id).toBe(id);
  });

  it("S20 listing and showing decide and change nothing", async () => {
    const { place, path } = placeWithFile(before);
    const id = await strandEdit(place, path, edit, before);
    const names = readdirSync(place.store);
    const engine = await place.engine();
    const records = await engine.recovery.list();
    expect(records).toMatchObject([{ id, path, phase: "prepared" }]);
    expect(await show(place, id, "current")).toBe(before);
    expect(readdirSync(place.store)).toEqual(names);
  });
});
