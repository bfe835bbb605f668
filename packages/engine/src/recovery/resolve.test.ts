// What a person can do with a record that an earlier edit left.
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { OsError } from "@fe/native";
import { describe, expect, it } from "vitest";
import { needs } from "../../../../native/test/abilities.ts";
import { strandEdit } from "../../test/orphans.ts";
import { failureOf, placeWithFile } from "../../test/place.ts";
import type { Version } from "../record-report.ts";

const edit = { oldString: "two", newString: "zwei" };
const before = "one\ntwo\nthree\n";
const after = "one\nzwei\nthree\n";

describe("recovery", () => {
  it("resolves to after, to current, and not at all when the file moved on", async () => {
    const { place, path } = placeWithFile(before);
    const id = await strandEdit(place, path, edit, "torn");
    const engine = await place.engine();
    const expectSha256 = "0".repeat(64);
    const moved = await failureOf(engine.recovery.resolve(id, { keep: "after", expectSha256 }));
    expect(moved.code).toBe("FE_CONTENT_CHANGED");
    expect(readFileSync(path, "utf8")).toBe("torn");
    await engine.recovery.resolve(id, { keep: "after" });
    expect(readFileSync(path, "utf8")).toBe(after);
    const again = await strandEdit(place, path, { oldString: "one", newString: "1" }, "mine");
    const kept = await engine.recovery.resolve(again, { keep: "current" });
    expect(kept).toMatchObject({ status: "unchanged", kept: "current" });
    expect(kept.savedPath).toBeUndefined();
    expect(readFileSync(path, "utf8")).toBe("mine");
    expect(place.storeNames()).toEqual([]);
  });

  it("keeps the orphan when the resolution is interrupted, and saves first", async () => {
    const { place, path } = placeWithFile(before);
    const id = await strandEdit(place, path, edit, "torn");
    const engine = await place.watched((call) => {
      if (call.name === "target.overwrite") throw new Error("killed here");
      return call.proceed();
    });
    const failure = await failureOf(engine.recovery.resolve(id, { keep: "before" }));
    expect(failure.code).toBe("FE_OUTCOME_UNKNOWN");
    expect(readdirSync(join(place.store, "saved"))).not.toEqual([]);
    expect(place.records()).toHaveLength(1);
    const next = await place.engine();
    await next.recovery.resolve(id, { keep: "before" });
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  it("Q5 says of a file that was moved away that it may be moved back", async () => {
    const { place, path } = placeWithFile(before);
    const id = await strandEdit(place, path, edit, "torn");
    renameSync(path, place.path("moved"));
    const engine = await place.engine();
    const shown = await failureOf(engine.recovery.show(id, "current"));
    expect(shown).toMatchObject({ code: "FE_NOT_FOUND", path });
    expect(shown.hint).toContain("move it back");
    const refused = await failureOf(engine.recovery.resolve(id, { keep: "before" }));
    expect(refused.code).toBe("FE_TARGET_REPLACED");
    expect(refused.hint).toContain("move it back and try again");
    renameSync(place.path("moved"), path);
    await engine.recovery.resolve(id, { keep: "before" });
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  it("shows and counts only records below the roots", async () => {
    const { place, path } = placeWithFile(before);
    const id = await strandEdit(place, path, edit, "torn");
    const elsewhere = await place.engine({ roots: [place.userData] });
    expect(await elsewhere.recovery.list()).toEqual([]);
    for (const attempt of [
      elsewhere.recovery.show(id, "before"),
      elsewhere.recovery.resolve(id, { keep: "before" }),
    ]) {
      expect((await failureOf(attempt)).code).toBe("FE_NOT_FOUND");
    }
    const here = await place.engine({ roots: [place.work] });
    expect(await here.recovery.list()).toHaveLength(1);
  });

  it("asks authorize before it writes", async () => {
    const { place, path } = placeWithFile(before);
    const id = await strandEdit(place, path, edit, "torn");
    const engine = await place.engine({ authorize: () => false });
    const failure = await failureOf(engine.recovery.resolve(id, { keep: "before" }));
    expect(failure.code).toBe("FE_POLICY_DENIED");
    expect(readFileSync(path, "utf8")).toBe("torn");
  });

  it("takes an authorize that throws for a refusal, and keeps what it threw", async () => {
    const { place, path } = placeWithFile(before);
    const id = await strandEdit(place, path, edit, "torn");
    const thrown = new Error("the list of users cannot be reached");
    const engine = await place.engine({ authorize: () => Promise.reject(thrown) });
    const failure = await failureOf(engine.recovery.resolve(id, { keep: "before" }));
    expect(failure).toMatchObject({ code: "FE_POLICY_DENIED", effect: "none", cause: thrown });
    expect(failure.message).toContain("authorize failed");
    expect(readFileSync(path, "utf8")).toBe("torn");
    expect(await engine.recovery.list()).toHaveLength(1);
  });

  it("gives chunks of a version that stay as they are, whatever comes after them", async () => {
    const { place, path } = placeWithFile(before);
    const large = Buffer.alloc(3.5 * 1024 * 1024, "line of the file\n");
    for (let at = 0; at < large.length; at += 1000) large.writeUInt32LE(at, at);
    large.write("two", 5);
    writeFileSync(path, large);
    const id = await strandEdit(place, path, edit, "torn");
    const engine = await place.engine();
    const shown = await engine.recovery.show(id, "before");
    const chunks: Uint8Array[] = [];
    for await (const chunk of shown.chunks()) chunks.push(chunk);
    await shown.close();
    // Reads as much by the same buffers.
    await engine.recovery.resolve(id, { keep: "after" });
    expect(Buffer.concat(chunks).equals(large)).toBe(true);
  });

  it("refuses ids and versions that mean nothing", async () => {
    const { place } = placeWithFile(before);
    const engine = await place.engine();
    const codes = await Promise.all([
      failureOf(engine.recovery.show("../../etc", "before")),
      failureOf(engine.recovery.show("1234", "before")),
      failureOf(engine.recovery.show("12345678", "before")),
      failureOf(engine.recovery.resolve("12345678", { keep: "both" as Version })),
    ]);
    expect(codes.map(({ code }) => code)).toEqual([
      "FE_INVALID_REQUEST",
      "FE_INVALID_REQUEST",
      "FE_NOT_FOUND",
      "FE_INVALID_REQUEST",
    ]);
  });

  it("S32 refuses a store that others can read, and says so", async (context) => {
    needs(context, "modes");
    const { place, path } = placeWithFile(before);
    const id = await strandEdit(place, path, edit, "torn");
    chmodSync(place.store, 0o755);
    const engine = await place.engine();
    const failure = await failureOf(engine.edit({ path, oldString: "torn", newString: "x" }));
    expect(failure.code).toBe("FE_STORE_NOT_PRIVATE");
    chmodSync(place.store, 0o700);
    await engine.recovery.resolve(id, { keep: "before" });
    unlinkSync(path);
  });

  it("I10 takes a record that could not be put aside as a warning", async () => {
    const { place, path } = placeWithFile(before);
    const id = await strandEdit(place, path, edit, "torn");
    const engine = await place.watched((call) => {
      if (call.name === "directory.moveTo") throw new OsError("EIO", "renameat2", {});
      return call.proceed();
    });
    const resolved = await engine.recovery.resolve(id, { keep: "before" });
    expect(resolved.status).toBe("applied");
    expect([resolved.recordStands, resolved.movedRecordTo]).toEqual([true, undefined]);
    expect(resolved.warnings.join()).toMatch(/could not be put into "saved" .* stands at its name/);
    expect(readFileSync(path, "utf8")).toBe(before);
    const next = await place.engine();
    expect((await next.edit({ path, ...edit })).recovered?.recordId).toBe(id);
  });

  it("lets a person resolve the record of another host, which no edit may judge", async () => {
    const { place, path } = placeWithFile(before);
    const otherHost = { hostId: "f".repeat(64), bootId: randomUUID() };
    const elsewhere = await place.watched(async (call) => {
      const answer = await call.proceed();
      if (call.name === "os.self") return { ...(answer as object), ...otherHost };
      if (call.name === "target.sync") throw new OsError("EIO", "fsync", { path });
      return answer;
    });
    const failure = await failureOf(elsewhere.edit({ path, ...edit }));
    // Not every system tells an id of its host.
    const engine = await place.watched(async (call) => {
      const answer = await call.proceed();
      return call.name === "os.self" ? { ...(answer as object), hostId: "e".repeat(64) } : answer;
    });
    const refused = await failureOf(engine.edit({ path, ...edit }));
    expect(refused.code).toBe("FE_BUSY");
    expect(refused.hint).toMatch(/runs no more, look at the record and resolve it/);
    const resolved = await engine.recovery.resolve(failure.record?.id ?? "", { keep: "before" });
    expect(resolved.warnings.join()).toMatch(/another host/);
    expect((await engine.edit({ path, ...edit })).status).toBe("applied");
  });

  it("opens the file for reading only when the current bytes are kept", async () => {
    const { place, path } = placeWithFile(before);
    const id = await strandEdit(place, path, edit, "torn");
    const opened: string[] = [];
    const engine = await place.watched((call) => {
      if (call.name.startsWith("pinned.openFor")) opened.push(call.name);
      return call.proceed();
    });
    await engine.recovery.resolve(id, { keep: "current" });
    expect(new Set(opened)).toEqual(new Set(["pinned.openForReading"]));
  });

  it("S8 puts set-id bits back that the kernel cleared, and says so", async (context) => {
    needs(context, "modes");
    const { place, path } = placeWithFile(before);
    const id = await strandEdit(place, path, edit, "torn");
    chmodSync(path, 0o4755);
    const engine = await place.watched(async (call) => {
      const answer = await call.proceed();
      if (call.name === "target.overwrite") chmodSync(path, 0o755); // As for an ordinary writer.
      return answer;
    });
    const resolved = await engine.recovery.resolve(id, { keep: "before" });
    expect(resolved.warnings.join()).toMatch(/set-id/);
    expect(statSync(path).mode & 0o7777).toBe(0o4755);
  });
});
