// What an engine with roots tells of records that are not of files below them. Records are made by
// another engine without roots, as another program of the same profile would.
import { linkSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createNodeOs } from "@fe/native";
import { describe, expect, it } from "vitest";
import { strandEdit } from "../../test/orphans.ts";
import { failureOf, Place } from "../../test/place.ts";
import { record } from "../../test/samples.ts";
import { FeError } from "../errors.ts";
import { settleOptions } from "../settle-options.ts";
import { concealRecord } from "./conceal.ts";

const edit = { oldString: "two", newString: "zwei" };

/** A torn file outside with a second name below the root, and its record. */
async function torn(): Promise<{ place: Place; root: string; inside: string; id: string }> {
  const place = new Place();
  mkdirSync(place.path("secret"));
  const root = place.path("in");
  mkdirSync(root);
  const outside = place.path("secret/f");
  writeFileSync(outside, "one\ntwo\n");
  const id = await strandEdit(place, outside, edit, "one\nzw");
  const inside = join(root, "g");
  linkSync(outside, inside);
  return { place, root, inside, id };
}

/** All that a program could print of an error. */
function allOf(error: FeError): string {
  const { message, hint, record, path, suppressed } = error;
  const told = { message, hint, record, path, suppressed, cause: String(error.cause) };
  return JSON.stringify(told, (_, value) => (typeof value === "bigint" ? String(value) : value));
}

describe("an engine with roots", () => {
  it("S19 tells of the record of a file outside its id, and who can look at it", async () => {
    const { place, root, inside, id } = await torn();
    const rooted = await place.engine({ roots: [root] });
    const failure = await failureOf(
      rooted.edit({ path: inside, oldString: "one", newString: "1" }),
    );
    expect(failure).toMatchObject({ code: "FE_RECOVERY_REQUIRED", path: inside });
    const { recordPath = "", why } = failure.record ?? {};
    const choices = ["before", "after", "current"];
    expect(failure.record).toEqual({ id, recordPath, phase: "prepared", why, choices });
    expect(failure.hint).toMatch(/is not of a file below the roots.*as all outside of `roots`/);
    expect(failure.hint).toContain(id.slice(0, 12));
    expect(allOf(failure)).not.toContain("secret");
    // Without roots all of it is told: so that is what the roots keep back.
    const free = await place.engine();
    const open = await failureOf(free.edit({ path: inside, oldString: "one", newString: "1" }));
    expect(open.record).toMatchObject({ path: place.path("secret/f"), before: { sizeBytes: 8 } });
    expect(allOf(open)).toContain("secret");
    expect(readFileSync(inside, "utf8")).toBe("one\nzw");
  });

  it("S19 tells all of a record of a file below a root", async () => {
    const { place, root, id } = await torn();
    renameSync(place.path("secret/f"), join(root, "h"));
    const rooted = await place.engine({ roots: [root, place.path("secret")] });
    const failure = await failureOf(
      rooted.edit({ path: join(root, "h"), oldString: "one", newString: "1" }),
    );
    expect(failure.record).toMatchObject({ id, path: place.path("secret/f") });
    expect(failure.hint).not.toContain("roots");
  });

  it("S15 tells nothing of the file of an edit that is at work by a name outside", async () => {
    const place = new Place();
    mkdirSync(place.path("secret"));
    const root = place.path("in");
    mkdirSync(root);
    writeFileSync(place.path("secret/f"), "one\ntwo\n");
    linkSync(place.path("secret/f"), join(root, "g"));
    const rooted = await place.engine({ roots: [root] });
    let failure: FeError | undefined;
    const slow = await place.before("target.overwrite", async () => {
      const wanted = { path: join(root, "g"), oldString: "one", newString: "1" };
      failure = await failureOf(rooted.edit(wanted));
    });
    expect((await slow.edit({ path: place.path("secret/f"), ...edit })).status).toBe("applied");
    expect(failure?.code).toBe("FE_BUSY");
    expect(failure === undefined ? "" : allOf(failure)).not.toContain("secret");
  });

  it("S19 names the id of a record that cannot be read, and that it reaches it not", async () => {
    const { place, root, inside, id } = await torn();
    writeFileSync(join(place.store, `${id}.fer`), "garbage", { mode: 0o600 });
    const rooted = await place.engine({ roots: [root] });
    const failure = await failureOf(
      rooted.edit({ path: inside, oldString: "one", newString: "1" }),
    );
    expect(failure.code).toBe("FE_RECORD_UNSAFE");
    expect(failure.record).toMatchObject({ id, phase: "unreadable" });
    expect(failure.hint).toMatch(/cannot be read, so nobody knows.*as all outside of `roots`/);
    expect(failure.hint).toContain(id.slice(0, 12));
    // Whose it is cannot be told, so it is neither listed nor found, and no other answer differs.
    expect(await rooted.recovery.list()).toEqual([]);
    const refused = await failureOf(rooted.recovery.resolve(id, { keep: "current" }));
    const none = "0".repeat(64);
    const absent = await failureOf(rooted.recovery.resolve(none, { keep: "current" }));
    expect(refused.code).toBe("FE_NOT_FOUND");
    expect(refused.message.replaceAll(id, none)).toBe(absent.message);
    expect(refused.hint).toBe(absent.hint);
    expect(refused.hint).toMatch(/outside of `roots`, and unreadable ones, are not looked at/);
    const free = await place.engine();
    expect((await free.recovery.resolve(id, { keep: "current" })).movedRecordTo).toBeDefined();
    expect((await rooted.edit({ path: inside, oldString: "one", newString: "1" })).status).toBe(
      "applied",
    );
  });

  it("keeps what was met on the way out beside the error", () => {
    const outside = { id: "1".repeat(64), recordPath: "/r", phase: "prepared", why: "w" } as const;
    const error = new FeError("FE_RECOVERY_REQUIRED", "m", {
      record: { ...record, ...outside, path: resolve("/out/f") },
      operation: "open",
    });
    error.suppressed.push(new Error("second"));
    const os = createNodeOs();
    const shown = concealRecord({ os, options: settleOptions({}, [resolve("/in")]) }, error);
    expect(shown).toMatchObject({ operation: "open", record: outside, suppressed: [{}] });
    const all = concealRecord({ os, options: settleOptions({}, [resolve("/out")]) }, error);
    expect(all).toBe(error);
  });
});
