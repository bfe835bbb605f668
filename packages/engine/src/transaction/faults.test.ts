// Method: the port is wrapped; the n-th call of one kind fails, or does less than it was asked.
// Fault model: short writes, ENOSPC, EIO and failed syncs at every call of the transaction.
// Property: before the first byte, no trace; after it, either provably the before-image and no
// record, or a record that holds both versions; an applied edit is whole.
import { readFileSync } from "node:fs";
import { OsError } from "@fe/native";
import type { InterceptedCall } from "@fe/native/testing";
import { describe, expect, it } from "vitest";
import { failureOf, placeWithFile } from "../../test/place.ts";
import { FeError } from "../errors.ts";

const before = `${"a".repeat(3000)}needle${"z".repeat(3000)}`;
const request = { oldString: "needle", newString: "a much longer text" };
const after = before.replace(request.oldString, request.newString);

/** The names of the calls of one undisturbed edit. */
async function callsOfOneEdit(): Promise<string[]> {
  const { place, path } = placeWithFile(before);
  const names: string[] = [];
  const engine = await place.watched((call) => {
    names.push(call.name);
    return call.proceed();
  });
  names.length = 0;
  await engine.edit({ path, ...request });
  return names;
}

describe("an edit with a failing system", () => {
  it("S13 3A-10 continues short writes, of record and target, to the last byte", async () => {
    const { place, path } = placeWithFile(before);
    const engine = await place.watched((call) => {
      if (!/\.(overwrite|write)$/.test(call.name)) return call.proceed();
      const [bytes, position] = call.args as [Uint8Array, number];
      return call.proceed(bytes.subarray(0, Math.max(1, Math.floor(bytes.length / 2))), position);
    });
    await engine.edit({ path, ...request });
    expect(readFileSync(path, "utf8")).toBe(after);
  });

  it("S13 S14 keeps both versions when a write of the target fails half-way", async () => {
    for (const code of ["ENOSPC", "EIO"]) {
      const { place, path } = placeWithFile(before);
      const engine = await place.watched(async (call) => {
        if (call.name !== "target.overwrite") return call.proceed();
        if (call.args[1] === 3000) {
          return call.proceed((call.args[0] as Uint8Array).subarray(0, 7), 3000);
        }
        throw new OsError(code, "pwrite", { path });
      });
      const failure = await failureOf(engine.edit({ path, ...request }));
      expect(failure).toMatchObject({ code: "FE_OUTCOME_UNKNOWN", effect: "unknown" });
      expect((failure.cause as FeError).code).toBe(code === "EIO" ? "FE_IO" : "FE_NO_SPACE");
      const id = failure.record?.id ?? "";
      expect((await place.versionOf(id, "before")).toString()).toBe(before);
      expect((await place.versionOf(id, "after")).toString()).toBe(after);
      expect((await place.versionOf(id, "current")).toString()).toBe(readFileSync(path, "utf8"));
    }
  });

  it("withdraws the record when the write failed before it changed a byte", async () => {
    for (const [errno, code] of [
      ["ENOSPC", "FE_NO_SPACE"],
      ["EIO", "FE_IO"],
      ["EFBIG", "FE_FILE_TOO_LARGE"],
      ["EPERM", "FE_PERMISSION_DENIED"],
    ] as const) {
      const { place, path } = placeWithFile(before);
      const engine = await place.watched((call) => {
        if (call.name === "target.overwrite") throw new OsError(errno, "pwrite", { path });
        return call.proceed();
      });
      const failure = await failureOf(engine.edit({ path, ...request }));
      expect(failure).toMatchObject({ code, effect: "none" });
      expect(readFileSync(path, "utf8")).toBe(before);
      expect(place.storeNames()).toEqual([]);
    }
  });

  it("never takes a repeated sync of the target as success", async () => {
    const { place, path } = placeWithFile(before);
    let syncs = 0;
    const engine = await place.watched((call) => {
      if (call.name === "target.sync") {
        syncs += 1;
        throw new OsError("EIO", "fsync", { path });
      }
      return call.proceed();
    });
    const failure = await failureOf(engine.edit({ path, ...request }));
    expect(failure.code).toBe("FE_OUTCOME_UNKNOWN");
    expect((failure.cause as FeError).code).toBe("FE_SYNC_FAILED");
    expect(syncs).toBe(1);
    expect(place.records()).toHaveLength(1);
  });

  it("says that it cannot tell when what it reads back is not what it wrote", async () => {
    const { place, path } = placeWithFile(before);
    const engine = await place.watched(async (call) => {
      if (call.name !== "target.overwrite") return call.proceed();
      return (call.args[0] as Uint8Array).length; // A disk that says yes and does nothing.
    });
    const failure = await failureOf(engine.edit({ path, ...request }));
    expect(failure.code).toBe("FE_OUTCOME_UNKNOWN");
    expect(place.records()).toHaveLength(1);
  });

  it("I8 I10 every call of an edit failing once: no trace, a record, or a whole edit", async () => {
    // By contract a handle always closes and finishRecord only reports; they cannot fail.
    const names = await callsOfOneEdit();
    const firstWrite = names.indexOf("target.overwrite");
    expect(firstWrite).toBeGreaterThan(10);
    const outcomes = new Set<string>();
    for (const [nth, name] of names.entries()) {
      if (name.endsWith(".close") || name === "directory.finishRecord") continue;
      for (const code of ["EIO", "ENOSPC"]) {
        outcomes.add(await oneFailingCall(nth, code));
      }
    }
    expect([...outcomes].sort()).toEqual(["applied", "refused", "unknown"]);
  }, 300_000);
});

const lockCalls = /file\.tryLock|file\.entryStatus|directory\.(entryStatus|openFile|unlink)/;

/** One edit whose n-th call fails; returns what came of it, after checking that it is allowed. */
async function oneFailingCall(nth: number, code: string): Promise<string> {
  const { place, path } = placeWithFile(before);
  let started = false;
  let count = -1;
  let failed = "";
  const engine = await place.watched((call: InterceptedCall) => {
    if (started) count += 1;
    if (count !== nth || failed !== "") return call.proceed();
    failed = call.name;
    throw new OsError(code, call.name, {});
  });
  started = true;
  const outcome = await engine.edit({ path, ...request }).then(
    (result) => result.status,
    (error: unknown) => error,
  );
  started = false;
  const text = readFileSync(path, "utf8");
  const label = `call ${nth}, ${failed}, ${code}`;
  if (outcome === "applied") {
    expect(text === after, label).toBe(true);
    return "applied";
  }
  expect(outcome, label).toBeInstanceOf(FeError);
  const failure = outcome as FeError;
  if (failure.effect === "none") {
    expect(text === before, label).toBe(true);
    // What was left because its removal, or the lock call itself, was what failed: an empty lock
    // file is harmless, and a record stands for what it is until the next edit reclaims it.
    const isExcused = lockCalls.test(failed) || failure.suppressed.length > 0;
    if (!isExcused) expect(place.storeNames(), label).toEqual([]);
  } else {
    expect(place.records(), label).toHaveLength(1);
    const id = failure.record?.id ?? "";
    expect((await place.versionOf(id, "before")).toString(), label).toBe(before);
    expect((await place.versionOf(id, "after")).toString(), label).toBe(after);
  }
  return failure.effect === "none" ? "refused" : "unknown";
}
