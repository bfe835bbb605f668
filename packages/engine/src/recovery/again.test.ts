// What is said of a record that was resolved, of a file that is gone, of a wrong mode of a record.
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import { needs } from "../../../../native/test/abilities.ts";
import { strandEdit } from "../../test/orphans.ts";
import { failureOf, type Place, placeWithFile } from "../../test/place.ts";

const edit = { oldString: "two", newString: "zwei" };
const before = "one\ntwo\nthree\n";

async function torn() {
  const { place, path } = placeWithFile(before);
  const id = await strandEdit(place, path, edit, "torn");
  return { place, path, id, engine: await place.engine() };
}

function copiesIn(place: Place): string[] {
  return readdirSync(`${place.store}/saved`).sort();
}

describe("a second resolve()", () => {
  it("B10 says that it was done, of which file, and what takes it back", async () => {
    const { path, id, engine } = await torn();
    await engine.recovery.resolve(id, { keep: "before" });
    const failure = await failureOf(engine.recovery.resolve(id.slice(0, 8), { keep: "after" }));
    expect(failure).toMatchObject({ code: "FE_NOT_FOUND", effect: "none", path });
    expect(failure.message).toContain(`of "${path}": it was resolved already`);
    expect(failure.hint).toContain("`recovery.undo` takes that back");
    expect(readFileSync(path, "utf8")).toBe(before);
    const other = id.startsWith("0") ? "1".repeat(8) : "0".repeat(8);
    const never = await failureOf(engine.recovery.resolve(other, { keep: "after" }));
    expect(never.message).toContain("there is none");
  });

  it("B10 says nothing of it with roots that the file is not below", async () => {
    const { place, id, engine } = await torn();
    await engine.recovery.resolve(id, { keep: "before" });
    const rooted = await place.engine({ roots: [place.userData] });
    const failure = await failureOf(rooted.recovery.resolve(id, { keep: "after" }));
    expect([failure.code, failure.path]).toEqual(["FE_NOT_FOUND", undefined]);
    expect(failure.message).toContain("there is none");
  });
});

describe("a file that is gone", () => {
  it("B10 is named so by resolve, which puts the record aside with keep current", async () => {
    const { path, id, engine } = await torn();
    unlinkSync(path);
    const failure = await failureOf(engine.recovery.resolve(id, { keep: "before" }));
    expect(failure.code).toBe("FE_TARGET_REPLACED");
    expect(failure.message).toContain(`there is no file "${path}"`);
    expect(failure.hint).toContain("If it was moved, move it back");
    const result = await engine.recovery.resolve(id, { keep: "current" });
    expect(result.before).toBeUndefined();
    expect(existsSync(result.movedRecordTo ?? "")).toBe(true);
    // Put aside, it can be read yet.
    const shown = await engine.recovery.show(id, "before");
    expect(shown.sizeBytes).toBe(before.length);
    await shown.close();
  });

  it("B10 is named so by undo, with what is saved of it", async () => {
    const { place, path, id, engine } = await torn();
    const { savedPath = "" } = await engine.recovery.resolve(id, { keep: "before" });
    renameSync(path, place.path("elsewhere"));
    const failure = await failureOf(engine.recovery.undo(id));
    expect(failure).toMatchObject({ code: "FE_NOT_FOUND", effect: "none", path });
    expect(failure.message).toContain("it is gone");
    expect(failure.hint).toContain(`saved last stays at "${savedPath}"`);
    expect(failure.hint).not.toContain("spelling");
    renameSync(place.path("elsewhere"), path);
    await engine.recovery.undo(id);
    expect(readFileSync(path, "utf8")).toBe("torn");
  });
});

describe("a record that others can reach", () => {
  it("S18 is not trusted, and says with which mode it is", async (context) => {
    needs(context, "modes");
    const { path, id, engine } = await torn();
    const recordPath = (await engine.recovery.list())[0]?.recordPath ?? "";
    chmodSync(recordPath, 0o644);
    const [listed] = await engine.recovery.list();
    expect(listed?.phase).toBe("unreadable");
    expect(listed?.why).toContain("mode 644; with mode 600 it is trusted");
    const failure = await failureOf(engine.recovery.resolve(id, { keep: "before" }));
    expect(failure.code).toBe("FE_RECORD_UNSAFE");
    expect(failure.message).toContain("with mode 600");
    chmodSync(recordPath, 0o600);
    await engine.recovery.resolve(id, { keep: "before" });
    expect(readFileSync(path, "utf8")).toBe(before);
  });
});

describe("what undo cannot put back", () => {
  it("B10 is named by its path: for a changed file, and for another one", async () => {
    const { place, path, id, engine } = await torn();
    const { savedPath = "" } = await engine.recovery.resolve(id, { keep: "before" });
    writeFileSync(path, "later work");
    const changed = await failureOf(engine.recovery.undo(id));
    expect(changed.code).toBe("FE_CONTENT_CHANGED");
    expect(changed.hint).toContain(`saved last stays at "${savedPath}"`);
    writeFileSync(place.path("new"), before);
    renameSync(place.path("new"), path);
    const other = await failureOf(engine.recovery.undo(id));
    expect(other.code).toBe("FE_TARGET_REPLACED");
    expect(other.hint).toContain(`"${savedPath}"`);
    const version = await failureOf(engine.recovery.undo(id, { keep: "after" }));
    expect(version.hint).toContain("`recovery.show`");
  });

  it("B10 a wrong id names every file, those of last first", async () => {
    const { place, path, id, engine } = await torn();
    await engine.recovery.resolve(id, { keep: "before" });
    // The same file, and so the same id, under another name.
    const other = place.path("other");
    renameSync(path, other);
    expect(await strandEdit(place, other, edit, "torn again")).toBe(id);
    await engine.recovery.resolve(id, { keep: "before" });
    const wrong = id.startsWith("0") ? "1".repeat(8) : "0".repeat(8);
    const { hint = "" } = await failureOf(engine.recovery.undo(wrong));
    expect(hint.indexOf(`"${other}"`)).toBeGreaterThan(0);
    expect(hint.indexOf(`"${path}"`)).toBeGreaterThan(hint.indexOf(`"${other}"`));
    expect(hint.split(`of "${other}"`)).toHaveLength(2);
  });
});

describe("what undo replaces", () => {
  it("B10 is saved by the name that the file has now, not by one that it had", async () => {
    const { place, path, id, engine } = await torn();
    await engine.recovery.resolve(id, { keep: "before" });
    const other = place.path("other");
    renameSync(path, other);
    expect(await strandEdit(place, other, edit, "torn again")).toBe(id);
    await engine.recovery.resolve(id, { keep: "after" });
    await engine.recovery.undo(id);
    // Of what the first resolution wrote, that one is the newest that can be taken back.
    writeFileSync(other, before);
    writeFileSync(path, "of another file");
    const { savedPath = "" } = await engine.recovery.undo(id);
    expect([other, path].map((each) => readFileSync(each, "utf8"))).toEqual([
      "torn",
      "of another file",
    ]);
    expect(readFileSync(savedPath, "utf8")).toBe(before);
    await engine.recovery.undo(id);
    expect(readFileSync(other, "utf8")).toBe(before);
  });

  it("B10 is what was saved: if it was other bytes for a moment, nothing is written", async () => {
    const { place, path, id, engine } = await torn();
    await engine.recovery.resolve(id, { keep: "before" });
    let opened = 0;
    const watched = await place.watched((call) => {
      if (call.name === "os.openTarget") {
        opened += 1;
        // Between the look and the saving, and back before the edit.
        if (opened === 2) writeFileSync(path, "for a moment");
        if (opened === 3) writeFileSync(path, before);
      }
      return call.proceed();
    });
    const failure = await failureOf(watched.recovery.undo(id));
    expect([failure.code, failure.effect]).toEqual(["FE_CONTENT_CHANGED", "none"]);
    writeFileSync(path, before);
    await engine.recovery.undo(id);
    expect(readFileSync(path, "utf8")).toBe("torn");
  });

  it("B10 is not saved where it is there already, so undo goes back as before", async () => {
    const { place, path, id, engine } = await torn();
    await engine.recovery.resolve(id, { keep: "before" });
    const copies = copiesIn(place);
    const same = await engine.recovery.undo(id, { keep: "before" });
    expect([same.status, same.savedPath]).toEqual(["unchanged", undefined]);
    expect(copiesIn(place)).toEqual(copies);
    await engine.recovery.undo(id);
    expect(readFileSync(path, "utf8")).toBe("torn");
  });

  it("B10 is not pushed out by attempts that fail", async () => {
    const { place, path, id, engine } = await torn();
    // In no version of the record, so its copy will be the only one.
    await engine.recovery.resolve(id, { content: Buffer.from("merged by hand") });
    await engine.recovery.undo(id);
    const copies = copiesIn(place);
    const refused = await place.engine({ authorize: () => false });
    for (let count = 0; count < 21; count++) {
      expect((await failureOf(refused.recovery.undo(id))).code).toBe("FE_POLICY_DENIED");
    }
    expect(copiesIn(place)).toEqual(copies);
    await engine.recovery.undo(id);
    expect(readFileSync(path, "utf8")).toBe("merged by hand");
  });

  it.each([undefined, "after"] as const)(
    "B10 does not push out what was to be put back, if the edit is refused: %s",
    async (keep) => {
      const { place, path, id, engine } = await torn();
      await engine.recovery.resolve(id, { keep: "before" });
      // As many as are kept; each is the only one of its file.
      for (let count = 1; count < 20; count++) {
        const other = place.path(`${count}`);
        writeFileSync(other, before);
        const otherId = await strandEdit(place, other, edit, "torn");
        await engine.recovery.resolve(otherId, { keep: "before" });
      }
      const options = keep === undefined ? {} : { keep };
      const refused = await place.engine({ authorize: () => false });
      const failure = await failureOf(refused.recovery.undo(id, options));
      expect(failure.code).toBe("FE_POLICY_DENIED");
      await engine.recovery.undo(id, options);
      expect(readFileSync(path, "utf8")).toBe(keep === undefined ? "torn" : "one\nzwei\nthree\n");
    },
  );
});
