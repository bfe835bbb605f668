// No undo of an earlier resolution while a record of the same file stands, or of a later content.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { strandEdit } from "../../test/orphans.ts";
import { failureOf, type Place, placeWithFile, publishing } from "../../test/place.ts";
import type { FeError } from "../errors.ts";

const edit = { oldString: "two", newString: "zwei" };
const before = "one\ntwo\nthree\n";

const saved = (place: Place): string[] => readdirSync(`${place.store}/saved`).sort();

/** A resolution that replaced torn bytes, and after it an edit that was killed. */
async function resolvedAndLeft(text: string) {
  const { place, path } = placeWithFile(before);
  const id = await strandEdit(place, path, edit, "old torn bytes");
  const engine = await place.engine();
  await engine.recovery.resolve(id, { keep: "before" });
  // Ids are of files: the later record has the same one.
  expect(await strandEdit(place, path, edit, text)).toBe(id);
  return { place, path, id, engine };
}

describe("undo() with a record that stands", () => {
  it.each([
    ["before its first byte", before],
    ["after its last byte", before.replace("two", "zwei")],
    ["in its writing", "one\nzwo\nthree\n"],
  ])("B10 is refused for a later edit that was killed %s", async (_, text) => {
    const { place, path, id, engine } = await resolvedAndLeft(text);
    const was = saved(place);
    const failure = await failureOf(engine.recovery.undo(id.slice(0, 8)));
    expect(failure).toMatchObject({ code: "FE_RECOVERY_REQUIRED", effect: "none", path });
    expect(failure.record?.id).toBe(id);
    expect(failure.message).toMatch(/^Cannot undo the resolution of .*this record still stands/u);
    expect(failure.hint).toContain("`recovery.resolve`");
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(place.records()).toHaveLength(1);
    expect(saved(place)).toEqual(was);
    await engine.recovery.resolve(id, { keep: "before" });
  });

  it("B10 says so too where nothing was saved, and of a record that cannot be read", async () => {
    const { place, path } = placeWithFile(before);
    const id = await strandEdit(place, path, edit, "torn");
    const engine = await place.engine();
    const failure = await failureOf(engine.recovery.undo(id));
    expect([failure.code, failure.record?.id]).toEqual(["FE_RECOVERY_REQUIRED", id]);
    writeFileSync(failure.record?.recordPath ?? "", "damaged");
    expect((await failureOf(engine.recovery.undo(id))).code).toBe("FE_RECORD_UNSAFE");
  });

  it("B10 refuses a record that comes while the undo saves what the file holds", async () => {
    const { place, path } = placeWithFile(before);
    const id = await strandEdit(place, path, edit, "old torn bytes");
    await (await place.engine()).recovery.resolve(id, { keep: "before" });
    const late = await place.before(publishing, async () => {
      await strandEdit(place, path, edit, before);
    });
    const failure = await failureOf(late.recovery.undo(id));
    expect([failure.code, failure.record?.id]).toEqual(["FE_RECOVERY_REQUIRED", id]);
    expect(failure.message).toMatch(/^Cannot undo/u);
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(place.records()).toHaveLength(1);
  });

  it("is a conflict, as an edit is, while another edit is at work", async () => {
    const { place, path } = placeWithFile(before);
    const id = await strandEdit(place, path, edit, "old torn bytes");
    const engine = await place.engine();
    await engine.recovery.resolve(id, { keep: "before" });
    const undone: FeError[] = [];
    const busy = await place.before("target.overwrite", async () => {
      undone.push(await failureOf(engine.recovery.undo(id)));
      // Whoever waited is not told to wait, as by the server, whose tool takes no such argument.
      undone.push(await failureOf(engine.recovery.undo(id, { waitMs: 20 })));
    });
    await busy.edit({ path, ...edit });
    expect(undone).toMatchObject([
      { code: "FE_BUSY", hint: "Try again, or allow to wait (`waitMs`)" },
      { code: "FE_BUSY", hint: "Try again when that has ended" },
    ]);
    expect(readFileSync(path, "utf8")).toBe(before.replace("two", "zwei"));
  });
});

describe("undo() of a file that was changed since", () => {
  it("says so, whatever is expected there", async () => {
    const { place, path } = placeWithFile(before);
    const id = await strandEdit(place, path, edit, "old torn bytes");
    const engine = await place.engine();
    await engine.recovery.resolve(id, { keep: "before" });
    writeFileSync(path, "later\n");
    // Whoever expects something else is not sent to expect what is refused then, too.
    for (const keep of [undefined, "before"] as const) {
      const options = { expectSha256: "0".repeat(64), ...(keep && { keep }) };
      const failure = await failureOf(engine.recovery.undo(id, options));
      expect(failure.code).toBe("FE_CONTENT_CHANGED");
      expect(failure.hint).toMatch(/^It was changed since; edit it as it is now\. /u);
    }
  });
});
