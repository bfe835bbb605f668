// Records of the older form: they count for their file by whichever path an edit comes, and their
// owners, who hold no locks, are judged by the rules.
import { existsSync, linkSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createNodeOs } from "@fe/native";
import { describe, expect, it } from "vitest";
import { type LegacyRecord, pidOfNobody, putLegacyRecord } from "../../test/legacy.ts";
import { failureOf, Place, publishing } from "../../test/place.ts";
import type { ShownVersion } from "../result.ts";

const before = "one\ntwo\nthree\n";
const after = "one\nzwei\nthree\n";
const edit = { oldString: "one", newString: "1" };
const transactionId = "0f8b8f0e-7d5c-4b5a-9b1e-1f2a3b4c5d6e";
const minute = 60_000;

interface Left {
  readonly place: Place;
  readonly path: string;
  readonly id: string;
  readonly file: string;
  readonly text: string;
}

/** A file that holds `content`, and a record of it. */
function leave(content: string, changes: Partial<LegacyRecord> = {}): Left {
  const place = new Place();
  const path = place.path("a");
  writeFileSync(path, content);
  return { place, path, ...putLegacyRecord(place.store, { path, before, after, ...changes }) };
}

async function bootTimeMs(): Promise<number> {
  return Math.round((await createNodeOs().self()).bootTimeMs ?? 0);
}

async function textOf(shown: ShownVersion): Promise<string> {
  let text = "";
  for await (const chunk of shown.chunks()) text += Buffer.from(chunk).toString();
  await shown.close();
  return text;
}

/** Expects that an edit is refused with this code, and that nothing is touched. */
async function expectRefused(left: Left, code: string, path = left.path): Promise<string> {
  const content = readFileSync(path, "utf8");
  const failure = await failureOf((await left.place.engine()).edit({ path, ...edit }));
  expect(failure, failure.message).toMatchObject({ code, effect: "none" });
  expect(readFileSync(path, "utf8")).toBe(content);
  expect(readFileSync(left.file, "utf8")).toBe(left.text);
  return `${failure.message} ${failure.record?.owner?.why}`;
}

/** Expects that an edit reclaims the record and goes on. */
async function expectReclaimed(left: Left, result: string): Promise<void> {
  const engine = await left.place.engine();
  const { status, recovered } = await engine.edit({ path: left.path, ...edit });
  expect(status).toBe("applied");
  expect(recovered?.recordId).toBe(left.id);
  expect(readFileSync(left.path, "utf8")).toBe(result);
  expect(left.place.storeNames()).toEqual([]);
}

describe("a record of the older form", () => {
  it("S9 S16 S21 of a dead owner is reclaimed if the file is before or after", async () => {
    for (const state of ["prepared", "committed"] as const) {
      await expectReclaimed(leave(before, { state }), before.replace("one", "1"));
      await expectReclaimed(leave(after, { state }), after.replace("one", "1"));
      const full = { state, transactionId, bootTimeMs: await bootTimeMs() };
      await expectReclaimed(leave(after, full), after.replace("one", "1"));
    }
  });

  it("S9 S17 stops an edit by another hard link too, and asks a person", async () => {
    const left = leave("one\nzw");
    linkSync(left.path, left.place.path("b"));
    const told = await expectRefused(left, "FE_RECOVERY_REQUIRED", left.place.path("b"));
    expect(told).toContain(left.id.slice(0, 12));
    expect(told).toMatch(/no process 4194305$/);
    await expectRefused(leave("one\n", { state: "committed" }), "FE_RECOVERY_REQUIRED");
  });

  it("S24 prepared, its owner alive, is a conflict, whatever the file holds", async () => {
    for (const content of [before, after, "torn one"]) {
      const told = await expectRefused(leave(content, { pid: process.pid }), "FE_BUSY");
      expect(told).toMatch(/is running$/);
      const full = { pid: process.pid, transactionId, bootTimeMs: await bootTimeMs() };
      expect(await expectRefused(leave(content, full), "FE_BUSY")).toMatch(/running$/);
    }
  });

  it("S24 committed is reclaimed at any time, also while its owner lives", async () => {
    const alive = { state: "committed", pid: process.pid } as const;
    await expectReclaimed(leave(after, alive), after.replace("one", "1"));
    const full = { ...alive, transactionId, bootTimeMs: await bootTimeMs() };
    await expectReclaimed(leave(after, full), after.replace("one", "1"));
    // Not what it left: the owner may know more.
    await expectRefused(leave("one\nmine\n", alive), "FE_BUSY");
    await expectRefused(leave(before, alive), "FE_BUSY");
  });

  it("S22 of a boot 24 h before is gone though its pid lives; 5 minutes off is not", async () => {
    const boot = await bootTimeMs();
    const owner = { pid: process.pid, transactionId };
    for (const off of [-24 * 60 * minute, 24 * 60 * minute, 11 * minute]) {
      const left = leave(before, { ...owner, bootTimeMs: boot + off });
      await expectReclaimed(left, before.replace("one", "1"));
    }
    for (const off of [-5 * minute, 5 * minute, -9 * minute]) {
      await expectRefused(leave(before, { ...owner, bootTimeMs: boot + off }), "FE_BUSY");
    }
    const torn = leave("torn one", { ...owner, bootTimeMs: boot - 24 * 60 * minute });
    expect(await expectRefused(torn, "FE_RECOVERY_REQUIRED")).toMatch(/boot times$/);
  });

  it("S23 whose owner's pid may not be asked is alive, with and without boot time", async () => {
    for (const owner of [{}, { transactionId, bootTimeMs: await bootTimeMs() }]) {
      const left = leave(before, { pid: 4242, ...owner });
      const engine = await left.place.watched((call) =>
        call.name === "os.probeProcess" ? { answer: "denied" } : call.proceed(),
      );
      const failure = await failureOf(engine.edit({ path: left.path, ...edit }));
      expect(failure.code).toBe("FE_BUSY");
      expect(failure.message).toMatch(/for another user$/);
    }
  });

  it("S19 S21 with exactly one of boot time and transaction id is row B", async () => {
    for (const one of [{ transactionId }, { bootTimeMs: 1 }]) {
      const left = leave(before, one);
      const told = await expectRefused(left, "FE_RECORD_UNSAFE");
      expect(told).toContain("other members than it should");
      const engine = await left.place.engine();
      expect(await engine.recovery.list()).toMatchObject([{ id: left.id, phase: "unreadable" }]);
      const resolved = await engine.recovery.resolve(left.id, { keep: "current" });
      expect(readFileSync(resolved.movedRecordTo ?? "", "utf8")).toBe(left.text);
      expect((await engine.edit({ path: left.path, ...edit })).status).toBe("applied");
    }
  });

  it("S9 that appears between step 5 and the link of step 9 makes the edit busy", async () => {
    const place = new Place();
    const path = place.path("a");
    writeFileSync(path, before);
    let left: { file: string; text: string } | undefined;
    const engine = await place.before(publishing, () => {
      left = putLegacyRecord(place.store, { path, before, after, pid: process.pid });
    });
    expect((await failureOf(engine.edit({ path, ...edit }))).code).toBe("FE_BUSY");
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(readFileSync(left?.file ?? "", "utf8")).toBe(left?.text);
    expect(place.records()).toEqual([]);
  });

  it("S19 of another file that names this path is a conflict or asks, and is kept", async () => {
    for (const [pid, code] of [
      [process.pid, "FE_BUSY"],
      [pidOfNobody, "FE_RECOVERY_REQUIRED"],
    ] as const) {
      const left = leave(before, { pid });
      writeFileSync(left.place.path("new"), before);
      renameSync(left.place.path("new"), left.path);
      await expectRefused(left, code);
      const engine = await left.place.engine();
      const refused = await failureOf(engine.recovery.resolve(left.id, { keep: "before" }));
      expect(refused.code).toBe("FE_TARGET_REPLACED");
      const { movedRecordTo } = await engine.recovery.resolve(left.id, { keep: "current" });
      expect(readFileSync(movedRecordTo ?? "", "utf8")).toBe(left.text);
      expect((await engine.edit({ path: left.path, ...edit })).status).toBe("applied");
    }
  });

  it("B3 of this file under a device number of another boot is found by its path", async () => {
    const left = leave("torn one", { device: 64_999n });
    await expectRefused(left, "FE_RECOVERY_REQUIRED");
  });
});

describe("recovery of a record of the older form", () => {
  it("S14 S20 is listed and shown, both versions exact, and changes nothing", async () => {
    const left = leave("torn");
    const engine = await left.place.engine();
    const [listed] = await engine.recovery.list();
    expect(listed).toMatchObject({ id: left.id, recordPath: left.file, path: left.path });
    expect(listed).toMatchObject({ phase: "prepared", owner: { state: "gone" } });
    expect(listed).not.toHaveProperty("transactionId");
    const show = async (version: "before" | "after" | "current"): Promise<string> =>
      textOf(await engine.recovery.show(left.id.slice(0, 8), version));
    expect(await show("before")).toBe(before);
    expect(await show("after")).toBe(after);
    expect(await show("current")).toBe("torn");
    expect(readFileSync(left.file, "utf8")).toBe(left.text);
    expect(left.place.storeNames()).toEqual([`${left.id}.json`]);
  });

  it("S18 resolves to each version; then an edit goes on", async () => {
    for (const [keep, text] of [
      ["before", before],
      ["after", after],
      ["current", "torn one"],
    ] as const) {
      const left = leave("torn one");
      const engine = await left.place.engine();
      const resolved = await engine.recovery.resolve(left.id, { keep });
      expect(resolved.warnings).toEqual([]);
      expect(readFileSync(left.path, "utf8")).toBe(text);
      if (keep !== "current") {
        expect(readFileSync(resolved.savedPath ?? "", "utf8")).toBe("torn one");
      }
      expect(left.place.storeNames()).toEqual([]);
      expect((await engine.edit({ path: left.path, ...edit })).status).toBe("applied");
    }
  });

  it("S15 does not resolve while an edit of the file is at work, nor the reverse", async () => {
    const left = leave("torn one");
    renameSync(left.file, `${left.file}.away`);
    const other = await left.place.engine();
    const slow = await left.place.before("target.overwrite", async () => {
      // A program of the older form comes only now; our edit is at work all the same.
      renameSync(`${left.file}.away`, left.file);
      const failure = await failureOf(other.recovery.resolve(left.id, { keep: "before" }));
      expect(failure.code).toBe("FE_BUSY");
    });
    expect((await slow.edit({ path: left.path, ...edit })).status).toBe("applied");
    expect(existsSync(left.file)).toBe(true);
    let refused = "";
    const resolving = await left.place.before("target.overwrite", async () => {
      const failure = await failureOf(
        other.edit({ path: left.path, oldString: "t", newString: "" }),
      );
      refused = failure.code;
    });
    await resolving.recovery.resolve(left.id, { keep: "before" });
    expect(refused).toBe("FE_BUSY");
    expect(readFileSync(left.path, "utf8")).toBe(before);
    expect(left.place.storeNames()).toEqual([]);
  });
});
