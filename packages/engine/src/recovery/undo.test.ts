// Taking a resolution back, and resolving with bytes of one's own.
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { OsError } from "@fe/native";
import { describe, expect, it } from "vitest";
import { strandEdit } from "../../test/orphans.ts";
import { failureOf, Place, publishing } from "../../test/place.ts";
import { resolveResultToJson, undoResultToJson } from "../json.ts";
import type { ResolveOptions } from "../options.ts";

const edit = { oldString: "two", newString: "zwei" };
const before = "one\ntwo\nthree\n";
const merged = "one\ntwo and zwei\nthree\n";

async function torn(): Promise<{ place: Place; path: string; id: string }> {
  const place = new Place();
  const path = place.path("a");
  writeFileSync(path, before);
  const id = await strandEdit(place, path, edit, "torn");
  return { place, path, id };
}

describe("resolve() with content", () => {
  it("B10 writes a merge, saves what was there, and removes the record", async () => {
    const { place, path, id } = await torn();
    const engine = await place.engine();
    const result = await engine.recovery.resolve(id, { content: Buffer.from(merged) });
    expect(resolveResultToJson(result)).toMatchObject({ status: "applied", kept: "given" });
    expect(readFileSync(path, "utf8")).toBe(merged);
    expect(readFileSync(result.savedPath ?? "", "utf8")).toBe("torn");
    expect(place.records()).toEqual([]);
  });

  it("Q5 refuses no choice or two, no bytes or too many, and another file", async () => {
    const { place, path, id } = await torn();
    const engine = await place.engine({ maxFileBytes: 1000 });
    const content = Buffer.from(merged);
    const failures = [
      failureOf(engine.recovery.resolve(id, {} as ResolveOptions)),
      failureOf(
        engine.recovery.resolve(id, { keep: "before", content } as unknown as ResolveOptions),
      ),
      failureOf(engine.recovery.resolve(id, { content: "text" as unknown as Uint8Array })),
      failureOf(engine.recovery.resolve(id, { content: Buffer.alloc(0) })),
      failureOf(engine.recovery.resolve(id, { content: Buffer.alloc(1001) })),
    ];
    const codes = (await Promise.all(failures)).map(({ code }) => code);
    const invalid = "FE_INVALID_REQUEST";
    expect(codes).toEqual([invalid, invalid, invalid, invalid, "FE_FILE_TOO_LARGE"]);
    writeFileSync(place.path("b"), "another");
    renameSync(place.path("b"), path);
    const other = await failureOf(engine.recovery.resolve(id, { content }));
    expect(other.code).toBe("FE_TARGET_REPLACED");
    expect(readFileSync(path, "utf8")).toBe("another");
  });
});

describe("undo()", () => {
  it("B10 names what can be taken back to whoever lost the id", async () => {
    const { place, path, id } = await torn();
    const engine = await place.engine();
    await engine.recovery.resolve(id, { keep: "before" });
    const other = id.startsWith("0") ? "1".repeat(8) : "0".repeat(8);
    const failure = await failureOf(engine.recovery.undo(other));
    expect(failure.code).toBe("FE_NOT_FOUND");
    expect(failure.hint).toContain(`There are saved bytes for: ${id.slice(0, 12)} of "${path}".`);
    await engine.recovery.undo(id.slice(0, 12));
    expect(readFileSync(path, "utf8")).toBe("torn");
  });

  it("B10 puts back what a resolution replaced, and takes itself back", async () => {
    const { place, path, id } = await torn();
    const engine = await place.engine();
    await engine.recovery.resolve(id, { keep: "before" });
    const result = await engine.recovery.undo(id.slice(0, 8), { diff: true });
    expect(readFileSync(path, "utf8")).toBe("torn");
    expect(undoResultToJson(result)).toMatchObject({
      status: "applied",
      record_id: id,
      saved_path: expect.stringContaining("saved"),
      diff: expect.stringContaining("-three"),
    });
    await engine.recovery.undo(id);
    expect(readFileSync(path, "utf8")).toBe(before);
    await engine.recovery.undo(id);
    expect(readFileSync(path, "utf8")).toBe("torn");
    expect(place.storeNames()).toEqual([]);
  });

  it("B10 refuses a file that was changed since, C intact (Arrangedgodly/karaoke#6)", async () => {
    const { place, path, id } = await torn();
    const engine = await place.engine();
    await engine.recovery.resolve(id, { keep: "after" });
    writeFileSync(path, "somebody's work");
    const failure = await failureOf(engine.recovery.undo(id));
    expect(failure.code).toBe("FE_CONTENT_CHANGED");
    expect(failure.hint).toContain("It was changed since");
    expect(readFileSync(path, "utf8")).toBe("somebody's work");
  });

  it("B10 refuses what the caller did not expect to be there, and saves nothing", async () => {
    const { place, path, id } = await torn();
    const engine = await place.engine();
    const { after } = await engine.recovery.resolve(id, { keep: "before" });
    const undo = (expectSha256: string) => engine.recovery.undo(id, { expectSha256 });
    const unexpected = await failureOf(undo("0".repeat(64)));
    expect(unexpected.code).toBe("FE_CONTENT_CHANGED");
    expect(unexpected.hint).not.toContain("changed since");
    expect((await failureOf(undo("0"))).code).toBe("FE_INVALID_REQUEST");
    expect(readFileSync(path, "utf8")).toBe(before);
    const saved = () =>
      readdirSync(`${place.store}/saved`).filter((name) => name.endsWith(".bytes")).length;
    expect(saved()).toBe(1);
    await undo(after?.sha256.toUpperCase() ?? "");
    expect(readFileSync(path, "utf8")).toBe("torn");
    expect(saved()).toBe(2);
  });

  it("B10 refuses another file at the path, though it holds the same bytes", async () => {
    const { place, path, id } = await torn();
    const engine = await place.engine();
    await engine.recovery.resolve(id, { keep: "before" });
    writeFileSync(place.path("b"), before);
    renameSync(place.path("b"), path);
    expect((await failureOf(engine.recovery.undo(id))).code).toBe("FE_TARGET_REPLACED");
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  it("B10 is a transaction: a late change stops it, and its record protects it", async () => {
    const { place, path, id } = await torn();
    await (await place.engine()).recovery.resolve(id, { keep: "before" });
    const late = await place.before(publishing, () => {
      if (readFileSync(path, "utf8") === before) writeFileSync(path, before.toUpperCase());
    });
    // The first link is that of the saved bytes, so the file is changed before it is read again.
    expect((await failureOf(late.recovery.undo(id))).code).toBe("FE_CONTENT_CHANGED");
    expect(readFileSync(path, "utf8")).toBe(before.toUpperCase());
    writeFileSync(path, before);
    const dying = await place.watched((call) => {
      if (call.name !== "target.overwrite") return call.proceed();
      writeFileSync(path, "half");
      throw new Error("killed here");
    });
    const failure = await failureOf(dying.recovery.undo(id));
    expect(failure).toMatchObject({ code: "FE_OUTCOME_UNKNOWN", effect: "unknown" });
    const engine = await place.engine();
    await engine.recovery.resolve(failure.record?.id ?? "", { keep: "after" });
    expect(readFileSync(path, "utf8")).toBe("torn");
  });

  it("Q5 says so if nothing is saved, it is outside of the roots, or the id is none", async () => {
    const { place, path, id } = await torn();
    const engine = await place.engine();
    expect((await failureOf(engine.recovery.undo("../.."))).code).toBe("FE_INVALID_REQUEST");
    const nothing = await failureOf(engine.recovery.undo("0".repeat(64)));
    expect(nothing.code).toBe("FE_NOT_FOUND");
    expect(nothing.hint).toMatch(/^There are no saved bytes\. They are kept for 30 days/);
    await engine.recovery.resolve(id, { keep: "before" });
    const elsewhere = await place.engine({ roots: [place.userData] });
    const outside = await failureOf(elsewhere.recovery.undo(id));
    expect(outside.code).toBe("FE_NOT_FOUND");
    expect(outside.hint).toMatch(/^There are no saved bytes below the roots \(files outside of/u);
    // No more than of an id that never was.
    const never = await failureOf(elsewhere.recovery.undo("0".repeat(64)));
    expect(never.hint).toBe(outside.hint);
    const denying = await place.engine({ authorize: () => false });
    expect((await failureOf(denying.recovery.undo(id))).code).toBe("FE_POLICY_DENIED");
    expect(readFileSync(path, "utf8")).toBe(before);
  });
});

describe("the record that was resolved", () => {
  const after = "one\nzwei\nthree\n";

  it.each(["before", "after", "current"] as const)(
    "B10 is kept: whoever chose %s wrongly has both versions yet",
    async (keep) => {
      const { place, path, id } = await torn();
      const engine = await place.engine();
      const result = await engine.recovery.resolve(id, { keep });
      expect(place.records()).toEqual([]);
      expect(result.movedRecordTo).toContain("saved");
      const read = async (version: "before" | "after") => {
        const shown = await engine.recovery.show(id, version);
        const chunks: Uint8Array[] = [];
        for await (const chunk of shown.chunks()) chunks.push(chunk);
        await shown.close();
        return Buffer.concat(chunks).toString();
      };
      expect([await read("before"), await read("after")]).toEqual([before, after]);
      for (const version of ["after", "before", "after"] as const) {
        const undone = await engine.recovery.undo(id, { keep: version });
        expect(undone.recordId).toBe(id);
        expect(readFileSync(path, "utf8")).toBe(version === "after" ? after : before);
      }
      await engine.recovery.undo(id);
      expect(readFileSync(path, "utf8")).toBe(before);
      // It stands in nobody's way: the next edit meets no record.
      const next = await engine.edit({ path, ...edit });
      expect([next.status, next.recovered]).toEqual(["applied", undefined]);
    },
  );

  it("B10 is found again by whoever lost the id, and not outside of the roots", async () => {
    const { place, path, id } = await torn();
    const engine = await place.engine({ roots: [place.work] });
    expect(await engine.recovery.listResolved()).toEqual([]);
    const { savedPath, movedRecordTo } = await engine.recovery.resolve(id, { keep: "before" });
    const list = await engine.recovery.listResolved();
    expect(list).toMatchObject([{ id, path, savedPath, savedBytes: 4 }]);
    expect(list[0]?.record).toMatchObject({ id, recordPath: movedRecordTo, path });
    expect(list[0]?.record?.why).toMatch(/^it was resolved, and is kept in "saved" since \d/);
    expect(await engine.recovery.list()).toEqual([]);
    const elsewhere = await place.engine({ roots: [place.userData] });
    expect(await elsewhere.recovery.listResolved()).toEqual([]);
    expect((await failureOf(elsewhere.recovery.show(id, "after"))).code).toBe("FE_NOT_FOUND");
    const undo = elsewhere.recovery.undo(id, { keep: "after" });
    expect((await failureOf(undo)).code).toBe("FE_NOT_FOUND");
  });

  it("B10 lets no version be put over what was changed since, or over another file", async () => {
    const { place, path, id } = await torn();
    const engine = await place.engine();
    await engine.recovery.resolve(id, { keep: "before" });
    writeFileSync(path, "somebody's work");
    const changed = await failureOf(engine.recovery.undo(id, { keep: "after" }));
    expect(changed.code).toBe("FE_CONTENT_CHANGED");
    expect(readFileSync(path, "utf8")).toBe("somebody's work");
    writeFileSync(place.path("b"), before);
    renameSync(place.path("b"), path);
    const other = await failureOf(engine.recovery.undo(id, { keep: "after" }));
    expect(other.code).toBe("FE_TARGET_REPLACED");
    const none = engine.recovery.undo(id, { keep: "current" as "after" });
    expect((await failureOf(none)).code).toBe("FE_INVALID_REQUEST");
  });

  it("Q5 says what there is to have back, where a resolution overwrote nothing", async () => {
    const { place, path, id } = await torn();
    const engine = await place.engine();
    await engine.recovery.resolve(id, { keep: "current" });
    const failure = await failureOf(engine.recovery.undo(id));
    expect(failure.code).toBe("FE_NOT_FOUND");
    expect(failure.hint).toContain("`recovery.undo` with `keep`");
    expect(readFileSync(path, "utf8")).toBe("torn");
  });

  it("S18 says of a damaged one that it is in nobody's way, and writes nothing of it", async () => {
    const { place, path, id } = await torn();
    const engine = await place.engine();
    const { movedRecordTo = "" } = await engine.recovery.resolve(id, { keep: "before" });
    const bytes = readFileSync(movedRecordTo);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    writeFileSync(movedRecordTo, bytes);
    const failures = [
      await failureOf(engine.recovery.show(id, "after")),
      await failureOf(engine.recovery.undo(id, { keep: "after" })),
    ];
    for (const { code, record } of failures) {
      expect([code, record]).toEqual(["FE_RECORD_UNSAFE", undefined]);
    }
    expect(failures[0]?.hint).toContain("in nobody's way");
    expect(readFileSync(path, "utf8")).toBe(before);
    await engine.recovery.undo(id);
    expect(readFileSync(path, "utf8")).toBe("torn");
  });

  it("B10 goes if there is no room for it, with a warning; the choice is carried out", async () => {
    const { place, path, id } = await torn();
    // Full for what would be new in `saved`, as in a store where not even a name fits.
    const engine = await place.watched((call) => {
      if (call.name === "directory.moveTo") throw new OsError("ENOSPC", "renameat2", {});
      return call.proceed();
    });
    const result = await engine.recovery.resolve(id, { keep: "before" });
    expect(result.warnings.join()).toMatch(/no room to keep the record .*was not chosen/);
    expect(result.movedRecordTo).toBeUndefined();
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(place.storeNames()).toEqual([]);
    const failure = await failureOf(engine.recovery.undo(id, { keep: "after" }));
    expect([failure.code, failure.hint]).toEqual([
      "FE_NOT_FOUND",
      expect.stringContaining("what the file held before can be had back"),
    ]);
    await engine.recovery.undo(id);
    expect(readFileSync(path, "utf8")).toBe("torn");
  });

  it("B10 keeps current on a full disk: without a note the record can be shown", async () => {
    const { place, path, id } = await torn();
    const engine = await place.watched((call) => {
      if (call.name === "file.write") throw new OsError("ENOSPC", "pwrite", {});
      return call.proceed();
    });
    const result = await engine.recovery.resolve(id, { keep: "current" });
    expect([result.warnings, readFileSync(path, "utf8")]).toEqual([[], "torn"]);
    const shown = await engine.recovery.show(id, "after");
    expect(shown.sizeBytes).toBe(after.length);
    await shown.close();
    expect((await failureOf(engine.recovery.undo(id))).code).toBe("FE_NOT_FOUND");
  });
});
