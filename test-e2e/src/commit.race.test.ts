// An owner between its mark and the removal of its record, where the edit is done.
//
// Method: a real edit is stopped there, or its removal fails; others edit meanwhile.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, unlinkSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommandFolder } from "./harness/command.ts";
import { editOf, endOwners, type Outcome, Owner, type OwnerPlan } from "./harness/owner.ts";

const before = "one two three four\n";

let folder: CommandFolder;
let file: string;
let store: string;

beforeEach(async () => {
  folder = await CommandFolder.create();
  file = await folder.write("f", before);
  store = path.join(folder.dataPath, "edit-recovery");
});

afterEach(async () => {
  await endOwners();
  await folder[Symbol.asyncDispose]();
});

const edits = {
  first: { oldString: "three", newString: "3" },
  second: { oldString: "two", newString: "2" },
  third: { oldString: "four", newString: "4" },
};

function planOf(who: keyof typeof edits, more: Partial<OwnerPlan> = {}): OwnerPlan {
  return { path: file, userData: folder.dataPath, edit: edits[who], ...more };
}

/** Names in the store, without lock files and what was saved. */
function names(): string[] {
  return readdirSync(store).filter((name) => name !== "saved" && !name.endsWith(".lock"));
}

function recordPath(): string {
  return path.join(store, names().find((name) => name.endsWith(".fer")) ?? "no record");
}

const next = (): Promise<Outcome> => editOf(planOf("third"));

describe("an owner stopped between the mark and the removal", () => {
  it("S24 others are busy; on waking it removes its own record and nothing else", async () => {
    const owner = await new Owner(planOf("first", { stops: [{ at: "marked" }] })).stopped();
    const other = path.join(store, `${"b".repeat(64)}.fer`);
    execFileSync("cp", [recordPath(), other]);
    expect((await next()).status).toBe("FE_BUSY");
    // Without the lock file the record's own lock still says so.
    for (const name of readdirSync(store)) {
      if (name.endsWith(".lock")) unlinkSync(path.join(store, name));
    }
    expect((await next()).status).toBe("FE_BUSY");
    expect(await owner.finish()).toMatchObject({ status: "applied", warnings: [] });
    expect(names()).toEqual([path.basename(other)]);
  });

  it("S24 whose removal failed leaves the next process's record alone", async () => {
    const owner = new Owner(planOf("first", { keepsRecord: true }));
    const outcome = await owner.outcome();
    expect(outcome.status).toBe("applied");
    expect(outcome.warnings?.join()).toMatch(/could not be removed/);
    // It lives on; its record is reclaimed by row C.
    expect((await editOf(planOf("second"))).recovered).toMatch(/only its record was left/);
    const third = await new Owner(
      planOf("third", { stops: [{ at: "target.overwrite" }] }),
    ).stopped();
    const theirs = readFileSync(recordPath());
    await owner.close();
    expect(readFileSync(recordPath()).equals(theirs)).toBe(true);
    expect((await third.finish()).status).toBe("applied");
    expect(readFileSync(file, "utf8")).toBe("one 2 3 4\n");
    expect(names()).toEqual([]);
  });
});
