// An owner between its mark and the removal of its record, where the edit is done.
//
// Method: a real edit is stopped there, or its removal fails; others edit meanwhile.
import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Owner } from "./harness/owner.ts";
import { RacePlace } from "./harness/race-place.ts";

let place: RacePlace;

beforeEach(async () => {
  place = await RacePlace.create();
});

afterEach(async () => {
  await place[Symbol.asyncDispose]();
});

describe("an owner stopped between the mark and the removal", () => {
  it("S24 others are busy; on waking it removes its own record and nothing else", async () => {
    const owner = await new Owner(place.planOf("three", { stops: [{ at: "marked" }] })).stopped();
    const other = path.join(place.store, `${"b".repeat(64)}.fer`);
    copyFileSync(place.recordPath(), other);
    expect((await place.edit("four")).status).toBe("FE_BUSY");
    // Without the lock file the record's own lock still says so.
    for (const name of readdirSync(place.store)) {
      if (name.endsWith(".lock")) place.takeAway(path.join(place.store, name));
    }
    expect((await place.edit("four")).status).toBe("FE_BUSY");
    expect(await owner.finish()).toMatchObject({ status: "applied", warnings: [] });
    expect(place.names()).toEqual([path.basename(other)]);
  });

  it("S24 whose removal failed leaves the next process's record alone", async () => {
    const owner = new Owner(place.planOf("three", { keepsRecord: true }));
    const outcome = await owner.outcome();
    expect(outcome.status).toBe("applied");
    expect(outcome.warnings?.join()).toMatch(/could not be removed/);
    // It lives on; its record is reclaimed by row C.
    expect((await place.edit("two")).recovered).toMatch(/only its record was left/);
    const third = await new Owner(
      place.planOf("four", { stops: [{ at: "target.overwrite" }] }),
    ).stopped();
    const theirs = readFileSync(place.recordPath());
    await owner.close();
    expect(readFileSync(place.recordPath()).equals(theirs)).toBe(true);
    expect((await third.finish()).status).toBe("applied");
    expect(readFileSync(place.file, "utf8")).toBe("one 2 3 4\n");
    expect(place.names()).toEqual([]);
  });
});
