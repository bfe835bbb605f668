// Reports of edits that could not be had back after a crash, or whose undo destroyed more.
import { createHash } from "node:crypto";
import {
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { openEngineWith } from "@fe/engine/testing";
import type { Os } from "@fe/native";
import { interceptOs } from "@fe/native/testing";
import { afterEach, describe, expect, it } from "vitest";
import { needs } from "../../../native/test/abilities.ts";
import { strandEdit } from "../../../packages/engine/test/orphans.ts";
import { failureOf, Place, publishing } from "../../../packages/engine/test/place.ts";
import {
  contentOf,
  simulatedPlace,
  userDataDirectory,
} from "../../../packages/engine/test/simulated-place.ts";
import { pageText } from "../../../scripts/docs/page-text.mjs";
import { lookAfter } from "../crash/aftermath.ts";
import { edit as oneEdit } from "../crash/scenarios.ts";
import { CommandFolder, replace } from "../harness/command.ts";
import { killedEdit } from "../harness/stopped-edit.ts";

const before = "one two three\n";
const edit = { oldString: "two", newString: "zwei" };
const after = "one zwei three\n";
const torn = "one zw three\n";

/** A place with the record of an edit that failed in its midst. */
async function placeWithRecord(): Promise<{ place: Place; path: string; id: string }> {
  const place = new Place();
  const file = place.path("f");
  writeFileSync(file, before);
  return { place, path: file, id: await strandEdit(place, file, edit, torn) };
}

describe("a power loss", () => {
  /** What the file holds when the power goes right after the answer. */
  async function afterPowerLoss(seed: number, wrap: (os: Os) => Os): Promise<string> {
    const world = simulatedPlace({ f: before }, { seed });
    const engine = await openEngineWith(wrap(world.start().os), { userDataDirectory });
    expect((await engine.edit({ path: "/home/f", ...edit })).status).toBe("applied");
    world.losePower();
    return contentOf(world, "f");
  }

  it("3A-8 [simulated: power loss] leaves the new bytes of an applied edit", async () => {
    for (let seed = 0; seed < 200; seed++) {
      expect(await afterPowerLoss(seed, (os) => os), `seed ${seed}`).toBe(after);
    }
    // The same without the sync of the file: some disks keep none of it, or a part.
    const left = new Set<string>();
    for (let seed = 0; seed < 50; seed++) {
      const content = await afterPowerLoss(seed, (os) =>
        interceptOs(os, (call) => (call.name === "target.sync" ? undefined : call.proceed())),
      );
      left.add(content);
    }
    expect(left.size).toBeGreaterThan(1);
  });
});

describe.concurrent("a kill", () => {
  it.each([
    { at: "os.openTarget" },
    { at: "file.tryLock" },
    { at: "pinned.openForWriting" },
    { at: "directory.createUnnamedFile" },
    { at: "file.write", partBytes: 700 },
    { at: "file.sync" },
    { at: publishing },
    { at: "directory.sync" },
    { at: "target.startExclusion" },
    { at: "target.overwrite" },
    { at: "target.overwrite", partBytes: 9 },
    { at: "target.sync" },
    { at: "directory.finishRecord" },
  ])("3A-13 at $at (part: $partBytes) leaves a version that can be had exactly", async (stop) => {
    const prepared = await oneEdit.prepare();
    await using folder = prepared.folder;
    const plan = { path: prepared.path, userData: folder.dataPath, ...stop };
    await killedEdit({ ...plan, edit: oneEdit.edit ?? edit });
    const killed = { exit: null, signal: "SIGKILL", out: "", err: "" } as const;
    const { problems } = await lookAfter(prepared, killed, 0);
    expect(problems).toEqual([]);
  });
});

describe("a record", () => {
  it("3A-14 that is torn is told and stays; the others are settled", async () => {
    const { place, path: file, id } = await placeWithRecord();
    const other = place.path("other");
    writeFileSync(other, before);
    const otherId = await strandEdit(place, other, edit, torn);
    const record = path.join(place.store, `${id}.fer`);
    truncateSync(record, Math.floor(statSync(record).size / 2));
    const engine = await place.engine();
    const listed = await engine.recovery.list();
    expect(listed.find((each) => each.id === id)).toMatchObject({ phase: "unreadable" });
    expect(listed.find((each) => each.id === otherId)).toMatchObject({ phase: "prepared" });
    await engine.recovery.resolve(otherId, { keep: "after" });
    expect(readFileSync(other, "utf8")).toBe(after);
    const request = { path: file, oldString: "one", newString: "1" };
    expect((await failureOf(engine.edit(request))).code).toBe("FE_RECORD_UNSAFE");
    const refused = await failureOf(engine.recovery.resolve(id, { keep: "before" }));
    expect(refused.code).toBe("FE_RECORD_UNSAFE");
    expect(readFileSync(file, "utf8")).toBe(torn);
    expect(place.records()).toEqual([`${id}.fer`]);
    // Put aside by a person, it stands in nobody's way.
    const moved = await engine.recovery.resolve(id, { keep: "current" });
    expect(statSync(moved.movedRecordTo ?? "").isFile()).toBe(true);
    expect((await engine.edit(request)).status).toBe("applied");
  });

  it("3A-15 does not take back what a person wrote since; told to, it saves that", async () => {
    const { place, path: file, id } = await placeWithRecord();
    const engine = await place.engine();
    const byHand = "what a person wrote\n";
    const expectSha256 = createHash("sha256").update(torn).digest("hex");
    writeFileSync(file, byHand);
    const late = engine.recovery.resolve(id, { keep: "before", expectSha256 });
    expect((await failureOf(late)).code).toBe("FE_CONTENT_CHANGED");
    expect(readFileSync(file, "utf8")).toBe(byHand);
    const forced = await engine.recovery.resolve(id, { keep: "before" });
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(readFileSync(forced.savedPath ?? "", "utf8")).toBe(byHand);
    // And taking that back refuses to write over later work as well.
    writeFileSync(file, "and later work\n");
    expect((await failureOf(engine.recovery.undo(id))).code).toBe("FE_CONTENT_CHANGED");
    expect(readFileSync(file, "utf8")).toBe("and later work\n");
  });

  it("3A-16 holds the bytes that were on disk, whatever size and time say", async () => {
    const place = new Place();
    const file = place.path("f");
    writeFileSync(file, "stale one two\n");
    const { atime, mtime } = statSync(file);
    const engine = await place.engine();
    await engine.preview({ path: file, ...edit });
    for (const real of ["fresh one two\n", "newer one two\n"]) {
      writeFileSync(file, real);
      utimesSync(file, atime, mtime);
    }
    const id = await strandEdit(place, file, edit, torn);
    expect((await place.versionOf(id, "before")).toString()).toBe("newer one two\n");
    expect((await place.versionOf(id, "after")).toString()).toBe("newer one zwei\n");
  });

  it("3A-17 of an edit by a link brings the link's file back, the link a link", async (context) => {
    needs(context, "symlinks");
    const place = new Place();
    writeFileSync(place.path("target"), before);
    symlinkSync("target", place.path("link"));
    const plan = { path: place.path("link"), userData: place.userData, edit };
    await killedEdit({ ...plan, at: "target.overwrite", partBytes: 2 });
    expect(readFileSync(place.path("target"), "utf8")).not.toBe(before);
    const engine = await place.engine();
    const [record] = await engine.recovery.list();
    expect(record?.path).toBe(place.path("target"));
    const id = record?.id ?? "";
    expect((await place.versionOf(id, "before")).toString()).toBe(before);
    await engine.recovery.resolve(id, { keep: "before" });
    expect(readFileSync(place.path("target"), "utf8")).toBe(before);
    expect(lstatSync(place.path("link")).isSymbolicLink()).toBe(true);
  });
});

describe("the recovery store", () => {
  const initial = process.umask();
  afterEach(() => {
    process.umask(initial);
  });

  it("3C-7 is 0700 and its files 0600, whatever the umask, saved ones too", async (c) => {
    needs(c, "modes");
    for (const umask of [0, 0o22, 0o777]) {
      const place = new Place();
      const file = place.path("f");
      writeFileSync(file, before);
      process.umask(umask);
      const first = await strandEdit(place, file, edit, torn);
      await (await place.engine()).recovery.resolve(first, { keep: "before" });
      await strandEdit(place, file, edit, torn);
      process.umask(initial);
      const names = [".", ...readdirSync(place.store, { recursive: true }).map(String)];
      for (const ending of [".fer", ".bytes", ".note"]) {
        expect(
          names.some((name) => name.endsWith(ending)),
          ending,
        ).toBe(true);
      }
      for (const name of names) {
        const { mode } = statSync(path.join(place.store, name));
        const wanted = /^(\.|saved)$/u.test(name) ? 0o700 : 0o600;
        expect(mode & 0o7777, `${name} at umask ${umask}`).toBe(wanted);
      }
    }
  });
});

describe("several changes at once", () => {
  it("3C-18 are all there or none, also after a kill; of several files none is taken", async () => {
    await using folder = await CommandFolder.create();
    const file = await folder.write("f", "alpha\nbeta\ngamma\n");
    const edits = [
      { old_string: "alpha", new_string: "ALPHA and more" },
      { old_string: "gamma", new_string: "g" },
    ];
    const request = (path: string): string => JSON.stringify({ file_path: path, edits });
    const both = "ALPHA and more\nbeta\ng\n";
    const killed = { path: file, userData: folder.dataPath };
    const engineEdit = {
      edits: edits.map((each) => ({
        oldString: each.old_string,
        newString: each.new_string,
      })),
    };
    await killedEdit({ ...killed, edit: engineEdit, at: "target.overwrite", partBytes: 4 });
    const refused = await folder.fe(replace("f", "beta", "b", "--json"));
    expect(refused.exit).toBe(7);
    const { id } = JSON.parse(refused.out).record;
    const shown = await folder.fe(["recovery", "show", id, "--version", "after"]);
    expect(shown.out).toBe(both);
    expect((await folder.fe(["recovery", "resolve", id, "--keep", "after"])).exit).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(both);
    // One that is not found takes the other back too.
    const missing = await folder.fe(["edit", "--request", "-", "--json"], {
      input: request(file),
    });
    expect([missing.exit, JSON.parse(missing.out).error.edit_index]).toEqual([3, 0]);
    const two = JSON.stringify({
      files: [
        { file_path: file, edits },
        { file_path: file, edits },
      ],
    });
    const several = await folder.fe(["edit", "--request", "-", "--json"], { input: two });
    expect([several.exit, JSON.parse(several.out).error.effect]).toEqual([2, "none"]);
    expect(readFileSync(file, "utf8")).toBe(both);
    expect(pageText("README.md").includes("Several files are not edited together")).toBe(true);
  });
});
