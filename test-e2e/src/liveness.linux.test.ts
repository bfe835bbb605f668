// Whether an owner is alive, rule by rule (docs/protocol.md section 5.3), on real processes.
//
// Method: a real edit makes its record and is stopped or killed; another process then edits the
// file. Locks decide where they can (rule 2); to see the others, the record is restored as from a
// backup into another store: no lock of the owner is there, so what it says of its owner counts.
// Fault model: SIGKILL, reused pids, other namespaces and users, clocks that were set.
// Longer than 300 lines because all rules share the ways to make an owner and to ask about it.
import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createNodeOs } from "@fe/native";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommandFolder } from "./harness/command.ts";
import { needsOtherUser, otherUser } from "./harness/other-user.ts";
import {
  editOf,
  endOwners,
  killedOwner,
  type Outcome,
  Owner,
  type OwnerOptions,
  type OwnerPlan,
} from "./harness/owner.ts";

const before = "one two three\n";
const hour = 3_600_000;

let folder: CommandFolder;
let file: string;

beforeEach(async () => {
  folder = await CommandFolder.create();
  file = await folder.write("f", before);
});

afterEach(async () => {
  await endOwners();
  await folder[Symbol.asyncDispose]();
});

function planOf(more: Partial<OwnerPlan> = {}): OwnerPlan {
  const edit = { oldString: "one", newString: "1" };
  return { path: file, userData: folder.dataPath, edit, ...more };
}

/** Another process edits the file. */
function editNow(userData = folder.dataPath, more: Partial<OwnerPlan> = {}): Promise<Outcome> {
  return editOf({ path: file, userData, edit: { oldString: "two", newString: "2" }, ...more });
}

/** An owner that stands before its first byte, its record complete. */
function standing(more: Partial<OwnerPlan> = {}, options: OwnerOptions = {}): Promise<Owner> {
  return new Owner(planOf({ stops: [{ at: "target.overwrite" }], ...more }), options).stopped();
}

/** Restores the records into another store, as from a backup, and returns its place. */
async function restoredStore(): Promise<string> {
  const userData = `${folder.dataPath}-restored`;
  const store = path.join(userData, "edit-recovery");
  await mkdir(store, { recursive: true, mode: 0o700 });
  const from = path.join(folder.dataPath, "edit-recovery");
  for (const name of await readdir(from)) {
    if (name.endsWith(".fer")) await cp(path.join(from, name), path.join(store, name));
  }
  return userData;
}

/** Expects that the record of an owner is left alone, for this reason. */
async function expectBusy(userData: string, why: RegExp): Promise<void> {
  const outcome = await editNow(userData);
  expect(outcome).toMatchObject({ status: "FE_BUSY" });
  expect(outcome.message).toMatch(why);
  expect(await readFile(file, "utf8")).toBe(before);
}

/** Expects that the owner is found to be gone for this reason; nothing had been written. */
async function expectGone(userData: string, why: RegExp): Promise<void> {
  // Torn, so that the answer has to say who is gone; then whole again, so that it is reclaimed.
  await writeFile(file, "torn two\n");
  const told = await editNow(userData);
  expect(told).toMatchObject({ status: "FE_RECOVERY_REQUIRED" });
  expect(told.message).toMatch(why);
  await writeFile(file, before);
  const outcome = await editNow(userData);
  expect(outcome).toMatchObject({ status: "applied", warnings: [] });
  expect(outcome.recovered).toMatch(/interrupted before it changed the file/);
  expect(await readFile(file, "utf8")).toBe("one 2 three\n");
  expect(await namesIn(path.join(userData, "edit-recovery"))).toEqual([]);
}

/** What stands in a store, but for what was saved by it. */
async function namesIn(store: string): Promise<string[]> {
  return (await readdir(store)).filter((name) => name !== "saved");
}

/** A living process that edits nothing. */
async function sleeper(): Promise<{ pid: number; end(): Promise<void> }> {
  const child = spawn("sleep", ["600"]);
  await once(child, "spawn");
  return {
    pid: child.pid ?? 0,
    async end() {
      const closed = once(child, "close");
      child.kill("SIGKILL");
      await closed;
    },
  };
}

/** What the kernel says of when a process began. */
async function startTimeOf(pid: number): Promise<string> {
  return String((await createNodeOs().probeProcess(pid)).startTime);
}

function canUnshare(...kinds: readonly string[]): boolean {
  try {
    execFileSync("unshare", [...kinds, "--fork", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
const noNamespaces = "making a pid namespace is not permitted here";

describe("rule 2, the locks", () => {
  it("B4 S15 a living owner is busy; killed with SIGKILL it is gone", async () => {
    const owner = await standing();
    await expectBusy(folder.dataPath, /holds its lock/);
    await owner.kill();
    await expectGone(folder.dataPath, /let go of its locks/);
  });

  it("B4 without the lock file the record's own lock still says so", async () => {
    const owner = await standing();
    const store = path.join(folder.dataPath, "edit-recovery");
    for (const name of await readdir(store)) {
      if (name.endsWith(".lock")) execFileSync("rm", [path.join(store, name)]);
    }
    await expectBusy(folder.dataPath, /owner holds a lock/);
    expect((await owner.finish()).status).toBe("applied");
    expect(await namesIn(store)).toEqual([]);
  });

  it("B4 decides whatever pid, boot and clock the record states", async () => {
    const sleeping = await sleeper();
    for (const self of [
      { pid: sleeping.pid, startTime: null },
      { pid: 1, bootId: null, bootTimeMs: Date.now() - 24 * hour },
      { pid: 4_194_305, pidNamespace: "1" },
    ]) {
      await writeFile(file, before);
      const owner = await standing({ self });
      await expectBusy(folder.dataPath, /holds its lock/);
      await owner.kill();
      await expectGone(folder.dataPath, /let go of its locks/);
    }
    await sleeping.end();
  });
});

describe("rules 3 to 7, for a record of which the locks prove nothing", () => {
  it("B4 rule 7: a living process is not stolen from; once killed it is gone", async () => {
    const owner = await standing();
    const restored = await restoredStore();
    await expectBusy(restored, new RegExp(`process ${owner.pid} is running`));
    await owner.kill();
    await expectGone(restored, new RegExp(`no process ${owner.pid}`));
  });

  it("B4 3A-41 rule 6: a pid that was given to another process is gone", async () => {
    const other = await sleeper();
    await killedOwner(planOf({ self: { pid: other.pid, startTime: "1" } }));
    await expectGone(await restoredStore(), /is another one, started at another time/);
    await other.end();
  });

  it("B4 3C-19 rule 6: with the right start time it is alive: it tells the two", async () => {
    const other = await sleeper();
    const startTime = await startTimeOf(other.pid);
    await killedOwner(planOf({ self: { pid: other.pid, startTime } }));
    await expectBusy(await restoredStore(), /is running/);
    await other.end();
  });

  it("S22 3A-41 rule 4: another boot id is gone, though process 1 is alive", async () => {
    const bootId = "00000000-0000-4000-8000-000000000000";
    await killedOwner(planOf({ self: { pid: 1, startTime: null, bootId } }));
    await expectGone(await restoredStore(), /before the machine was started again/);
  });

  it("S22 rule 4: by boot times alone, 24 h off is gone and 5 minutes off is not", async () => {
    const { bootTimeMs = 0 } = await createNodeOs().self();
    const other = await sleeper();
    const self = { pid: other.pid, startTime: null, bootId: null };
    for (const off of [5 * 60_000, -5 * 60_000]) {
      await killedOwner(planOf({ self: { ...self, bootTimeMs: bootTimeMs + off } }));
      await expectBusy(await restoredStore(), /is running/);
      await editNow(); // Rule 2 holds in the first store, so this clears it.
      await writeFile(file, before);
    }
    await killedOwner(planOf({ self: { ...self, bootTimeMs: bootTimeMs - 24 * hour } }));
    await expectGone(await restoredStore(), /by the boot times/);
    await other.end();
  });

  it("S22 3A-40 3C-19 a clock that was set by hours steals from nobody", async () => {
    const { bootTimeMs = 0 } = await createNodeOs().self();
    const owner = await standing({ self: { bootTimeMs: bootTimeMs - 2 * hour } });
    const restored = await restoredStore();
    await expectBusy(restored, /is running/);
    for (const off of [-24 * hour, 2 * hour, 24 * hour]) {
      const looker = await editNow(restored, { self: { bootTimeMs: bootTimeMs + off } });
      expect(looker.status).toBe("FE_BUSY");
    }
    // The same clocks without a boot id: this is what the id protects from.
    await owner.kill();
    await editNow();
    await writeFile(file, before);
    const bare = { bootId: null, bootTimeMs: bootTimeMs - 2 * hour };
    const second = await standing({ self: bare });
    await expectGone(await restoredStore(), /by the boot times/);
    await second.kill();
  });

  it("B4 rule 3: an owner on another host is left alone", async (context) => {
    const { hostId } = await createNodeOs().self();
    if (hostId === undefined) context.skip("this system tells no id of the host");
    const elsewhere = { pid: 4_194_305, hostId: "ab".repeat(32), bootId: randomUUID() };
    await killedOwner(planOf({ self: elsewhere }));
    await expectBusy(folder.dataPath, /another host/);
  });

  it("B4 rules 2 and 3: an owner that told no host id may have run on another", async () => {
    const here = { hostId: "cd".repeat(32) };
    const untold = { pid: 4_194_305, hostId: null, bootId: randomUUID() };
    await killedOwner(planOf({ self: untold }));
    const refused = await editNow(folder.dataPath, { self: here });
    expect(refused.status).toBe("FE_BUSY");
    expect(refused.message).toMatch(/whether its owner ran on this host$/);
  });

  it("B4 rule 2: a container without a host id asks nobody after another boot", async () => {
    const container = { hostId: null };
    await killedOwner(planOf({ self: { ...container, pid: 1, bootId: randomUUID() } }));
    const outcome = await editNow(folder.dataPath, { self: container });
    expect(outcome).toMatchObject({ status: "applied", warnings: [] });
    expect(outcome.recovered).toMatch(/interrupted before it changed the file/);
  });

  it("S23 rule 7: a process of another user, which may not be asked, is alive", async (context) => {
    needsOtherUser(context);
    const uid = otherUser;
    const ofRoot = await sleeper();
    const startTime = await startTimeOf(ofRoot.pid);
    await folder.giveTo(uid);
    await killedOwner(planOf({ self: { pid: ofRoot.pid, startTime } }), { uid });
    const restored = await restoredStore();
    await folder.giveTo(uid);
    const looker = (): Promise<Outcome> =>
      editOf(
        { ...planOf({ edit: { oldString: "two", newString: "2" } }), userData: restored },
        { uid },
      );
    const refused = await looker();
    expect(refused.status).toBe("FE_BUSY");
    expect(refused.message).toMatch(/running, for another user$/);
    await ofRoot.end();
    expect((await looker()).status).toBe("applied");
  });
});

describe("an owner that is process 1 of a pid namespace", () => {
  it("B4 3A-41 killed, it never blocks, though a process 1 is alive here", async (context) => {
    if (!canUnshare("--pid")) context.skip(noNamespaces);
    await killedOwner(planOf(), { isInNamespace: true });
    await expectGone(folder.dataPath, /let go of its locks/);
  });

  it("B4 alive, it is not stolen from, by locks or without", async (context) => {
    if (!canUnshare("--pid")) context.skip(noNamespaces);
    const owner = await standing({}, { isInNamespace: true });
    await expectBusy(folder.dataPath, /holds its lock/);
    const restored = await restoredStore();
    await expectBusy(restored, /another pid namespace/);
    expect((await owner.finish()).status).toBe("applied");
    // Nobody here can know that it has ended, so a person must say so.
    const { status, message } = await editNow(restored);
    expect(status).toBe("FE_BUSY");
    expect(message).toMatch(/another pid namespace/);
  });

  it("B4 a killed owner of here is gone for a process in a namespace too", async (context) => {
    if (!canUnshare("--pid")) context.skip(noNamespaces);
    await killedOwner(planOf());
    const edit = { oldString: "two", newString: "2" };
    const outcome = await editOf(planOf({ edit }), { isInNamespace: true });
    expect(outcome).toMatchObject({ status: "applied" });
    expect(outcome.recovered).toMatch(/interrupted/);
  });
});

describe("a process of another time namespace", () => {
  const options = { bootOffsetSeconds: 7_200 };
  const why = "making a time namespace is not permitted here";

  it("B4 rules 4 and 6: does not take a living owner for another process", async (context) => {
    if (!canUnshare("--time", "--boottime", "7200")) context.skip(why);
    const { bootTimeMs = 0 } = await createNodeOs().self();
    // The second states no boot id, as records of the older form do.
    for (const self of [{}, { bootId: null, bootTimeMs }]) {
      const owner = await standing({ self });
      const restored = await restoredStore();
      const edit = { oldString: "two", newString: "2" };
      const refused = await editOf(planOf({ userData: restored, edit }), options);
      expect(refused.status).toBe("FE_BUSY");
      expect(refused.message).toMatch(/is running$/);
      await owner.kill();
      await editNow();
      await writeFile(file, before);
    }
  });

  it("B4 rules 4 and 6: a living owner there is not taken for another here", async (context) => {
    if (!canUnshare("--time", "--boottime", "7200")) context.skip(why);
    const owner = await standing({}, options);
    await expectBusy(await restoredStore(), /is running/);
    await owner.kill();
  });
});
