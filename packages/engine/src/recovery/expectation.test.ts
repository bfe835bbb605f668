// What a person expects of the file counts in every branch of a resolution, and a record that is
// damaged is told the same by whatever meets it.

import { createHash } from "node:crypto";
import { readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { OsError } from "@fe/native";
import { describe, expect, it } from "vitest";
import { strandEdit } from "../../test/orphans.ts";
import { failureOf, type Place, placeWithFile } from "../../test/place.ts";

const edit = { oldString: "two", newString: "zwei" };
const keep = "current";
const wrong = "0".repeat(64);

function sha256Of(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Changes the last byte of the only record, which is in its trailer. */
function damage(place: Place): void {
  const [file = ""] = place.records().map((name) => `${place.store}/${name}`);
  const bytes = readFileSync(file);
  const last = bytes.length - 1;
  bytes.writeUInt8(bytes.readUInt8(last) ^ 1, last);
  const { mode } = statSync(file);
  writeFileSync(file, bytes, { mode });
}

describe("resolve() with an expectation, where nothing is written", () => {
  it("B10 counts for another file that stands at the path", async () => {
    const { place, path } = placeWithFile("one\ntwo\n");
    const id = await strandEdit(place, path, edit, "torn");
    renameSync(path, place.path("moved"));
    writeFileSync(path, "another");
    const engine = await place.engine();
    const refused = await failureOf(engine.recovery.resolve(id, { keep, expectSha256: wrong }));
    expect(refused.code).toBe("FE_CONTENT_CHANGED");
    expect(refused.message).toContain(`what is there is ${sha256Of("another")}`);
    expect(place.records()).toHaveLength(1);
    const expectSha256 = sha256Of("another");
    const kept = await engine.recovery.resolve(id, { keep, expectSha256 });
    expect(kept.movedRecordTo).toBeDefined();
    expect(readFileSync(path, "utf8")).toBe("another");
  });

  it("B10 cannot be met where no file is, and the hint says how to go on", async () => {
    const { place, path } = placeWithFile("one\ntwo\n");
    const id = await strandEdit(place, path, edit, "torn");
    unlinkSync(path);
    const engine = await place.engine();
    const refused = await failureOf(engine.recovery.resolve(id, { keep, expectSha256: wrong }));
    expect(refused.code).toBe("FE_CONTENT_CHANGED");
    expect(refused.message).toContain("no file is there");
    expect(refused.hint).toContain("Expect no SHA-256");
    expect((await engine.recovery.resolve(id, { keep })).movedRecordTo).toBeDefined();
  });

  it("B10 counts for the file of a record that is damaged", async () => {
    const { place, path } = placeWithFile("one\ntwo\n");
    const id = await strandEdit(place, path, edit, "torn");
    damage(place);
    const engine = await place.engine();
    const refused = await failureOf(engine.recovery.resolve(id, { keep, expectSha256: wrong }));
    expect(refused.code).toBe("FE_CONTENT_CHANGED");
    const expectSha256 = sha256Of("torn");
    const kept = await engine.recovery.resolve(id, { keep, expectSha256 });
    expect(kept.movedRecordTo).toBeDefined();
  });
});

describe("resolve() of a record that was looked up", () => {
  it("B10 refuses another that an edit has left there since, whatever is chosen", async () => {
    const { place, path } = placeWithFile("one\ntwo\n");
    const id = await strandEdit(place, path, edit, "torn");
    const other = await place.engine();
    const slow = await place.engine({
      authorize: async () => {
        if (readFileSync(path, "utf8") !== "torn") return true;
        await other.recovery.resolve(id, { keep: "after" });
        expect(await strandEdit(place, path, { oldString: "zwei", newString: "dos" }, "mine")).toBe(
          id,
        );
        return true;
      },
    });
    const refused = await failureOf(slow.recovery.resolve(id, { keep: "before" }));
    expect([refused.code, refused.effect]).toEqual(["FE_CONTENT_CHANGED", "none"]);
    expect(refused.message).toContain("another record");
    expect([readFileSync(path, "utf8"), place.records().length]).toEqual(["mine", 1]);
    await slow.recovery.resolve(id, { keep: "before" });
    expect(readFileSync(path, "utf8")).toBe("one\nzwei\n");
  });

  it("B10 lets go of it if what stands at the path cannot be opened", async () => {
    const { place, path } = placeWithFile("one\ntwo\n");
    const id = await strandEdit(place, path, edit, "torn");
    let isBroken = true;
    const engine = await place.watched((call) => {
      if (call.name !== "os.openTarget" || !isBroken) return call.proceed();
      throw new OsError("EIO", "openat", { path });
    });
    expect((await failureOf(engine.recovery.resolve(id, { keep: "after" }))).code).toBe("FE_IO");
    isBroken = false;
    await engine.recovery.resolve(id, { keep: "after" });
    expect(readFileSync(path, "utf8")).toBe("one\nzwei\n");
  });
});

describe("a damaged record whose front can be read", () => {
  it("is of its file for an edit, show and resolve alike", async () => {
    const { place, path } = placeWithFile("one\ntwo\n");
    const id = await strandEdit(place, path, edit, "torn");
    damage(place);
    const engine = await place.engine({ roots: [place.work] });
    const told = [
      await failureOf(engine.edit({ path, oldString: "torn", newString: "x" })),
      await failureOf(engine.recovery.show(id, "before")),
      await failureOf(engine.recovery.resolve(id, { keep: "before" })),
    ];
    for (const { code, record } of told) {
      expect(code).toBe("FE_RECORD_UNSAFE");
      expect(record).toMatchObject({ id, path, phase: "unreadable", choices: ["current"] });
      expect(record?.why).toContain("its trailer does not match");
    }
    expect(await engine.recovery.list()).toMatchObject([{ id, path }]);
    const shown = await engine.recovery.show(id, "current");
    expect(shown.sizeBytes).toBe(4);
    await shown.close();
  });

  it("names its own file at most once when it is shown", async () => {
    const { place, path } = placeWithFile("one\ntwo\n");
    const id = await strandEdit(place, path, edit, "torn");
    damage(place);
    const engine = await place.engine();
    const { message, record } = await failureOf(engine.recovery.show(id, "after"));
    expect(message).not.toContain(record?.recordPath ?? "?");
  });
});
