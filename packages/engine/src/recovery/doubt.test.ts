// What follows a sync of a target that failed (A4). The port is wrapped: a sync reports EIO, and
// the file shows what was written, as the kernel shows pages that it gave up.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createNodeOs, OsError } from "@fe/native";
import type { InterceptedCall } from "@fe/native/testing";
import { describe, expect, it } from "vitest";
import { failureOf, Place } from "../../test/place.ts";
import type { FeError } from "../errors.ts";
import type { Version } from "../record-report.ts";

const edit = { oldString: "two", newString: "zwei" };
const next = { oldString: "one", newString: "eins" };
const before = "one\ntwo\nthree\n";
const after = "one\nzwei\nthree\n";

function failing(...names: readonly string[]): (call: InterceptedCall) => unknown {
  return (call) => {
    if (names.includes(call.name)) throw new OsError("EIO", call.name);
    return call.proceed();
  };
}

/** The mark of a failed sync is the one writing at the beginning of a record that says 3. */
function isMark({ name, args }: InterceptedCall): boolean {
  const [bytes, position] = args as [Uint8Array, number];
  return name === "file.write" && position === 0 && bytes[8] === 3;
}

/** A file whose edit wrote everything and could not be synced. */
async function leaveDoubtful(
  watch: (call: InterceptedCall) => unknown = failing("target.sync"),
): Promise<{ place: Place; path: string; id: string; failure: FeError }> {
  const place = new Place();
  const path = place.path("a");
  writeFileSync(path, before);
  const engine = await place.watched(watch);
  const failure = await failureOf(engine.edit({ path, ...edit }));
  await engine.close();
  return { place, path, id: failure.record?.id ?? "", failure };
}

describe("an edit whose sync failed", () => {
  it("S14 marks its record, and the next edit asks, though the file is whole", async () => {
    const { place, path, id, failure } = await leaveDoubtful();
    expect(failure).toMatchObject({ code: "FE_OUTCOME_UNKNOWN", effect: "unknown" });
    expect(failure.record).toMatchObject({ phase: "doubtful" });
    expect(failure.hint).toMatch(/look at the disk/);
    expect(readFileSync(path, "utf8")).toBe(after);
    const engine = await place.engine();
    expect(await engine.recovery.list()).toMatchObject([{ id, phase: "doubtful" }]);
    for (const text of [after, before, "torn"]) {
      writeFileSync(path, text);
      const refused = await failureOf(engine.edit({ path, ...next }));
      expect(refused).toMatchObject({ code: "FE_RECOVERY_REQUIRED", effect: "none" });
      expect(refused.message).toMatch(/a sync of the file failed.*may not be on its disk/);
      expect(refused.record).toMatchObject({ id, phase: "doubtful" });
      expect(refused.record?.choices).toEqual(["before", "after", "current"]);
      expect(readFileSync(path, "utf8")).toBe(text);
    }
    expect(place.records()).toHaveLength(1);
  });

  it("is taken for whole without the mark: so that is what protects it", async () => {
    const { place, path } = await leaveDoubtful((call) => {
      if (isMark(call)) return (call.args[0] as Uint8Array).length;
      return failing("target.sync")(call);
    });
    const engine = await place.engine();
    expect((await engine.edit({ path, ...next })).status).toBe("applied");
    expect(place.records()).toEqual([]);
  });

  it("says so if the mark cannot be written, and what that means", async () => {
    const { failure } = await leaveDoubtful((call) => {
      if (isMark(call)) throw new OsError("EROFS", "pwrite");
      return failing("target.sync")(call);
    });
    expect(failure.code).toBe("FE_OUTCOME_UNKNOWN");
    expect(failure.record?.phase).toBe("prepared");
    expect(failure.record?.why).toMatch(
      /could not be marked so \(.*EROFS.*start the machine again/,
    );
  });

  it("marks it too when the sync fails that should prove that nothing was written", async () => {
    const { place, path, failure } = await leaveDoubtful(
      failing("target.overwrite", "target.sync"),
    );
    expect(failure).toMatchObject({ code: "FE_OUTCOME_UNKNOWN", record: { phase: "doubtful" } });
    expect(readFileSync(path, "utf8")).toBe(before);
    const engine = await place.engine();
    expect((await failureOf(engine.edit({ path, ...next }))).code).toBe("FE_RECOVERY_REQUIRED");
  });

  it("is judged by its bytes after another start of the machine", async (context) => {
    const { bootId } = await createNodeOs().self();
    if (bootId === undefined) context.skip("this system tells no boot id");
    for (const text of [before, after]) {
      const { place, path } = await leaveDoubtful();
      writeFileSync(path, text);
      const engine = await place.watched(async (call) => {
        const answer = await call.proceed();
        return call.name === "os.self" ? { ...(answer as object), bootId: "another" } : answer;
      });
      expect((await engine.edit({ path, ...next })).status).toBe("applied");
      expect(place.records()).toEqual([]);
    }
  });

  it("is in doubt for ever where the system tells no boot id", async () => {
    const withoutBoot =
      (watch: (call: InterceptedCall) => unknown) => async (call: InterceptedCall) => {
        const answer = await watch(call);
        return call.name === "os.self" ? { ...(answer as object), bootId: undefined } : answer;
      };
    const { place, path } = await leaveDoubtful(withoutBoot(failing("target.sync")));
    const engine = await place.engine();
    expect((await failureOf(engine.edit({ path, ...next }))).code).toBe("FE_RECOVERY_REQUIRED");
  });
});

describe("the sync before a reclaim", () => {
  it("I6 marks the record when it fails, so that its repetition proves nothing", async () => {
    const { place, path } = await leaveDoubtful((call) => {
      // A record as a kill leaves it: prepared, and the file whole.
      if (isMark(call)) return (call.args[0] as Uint8Array).length;
      return failing("target.sync")(call);
    });
    const engine = await place.watched(failing("reader.sync"));
    const failure = await failureOf(engine.edit({ path, ...next }));
    expect(failure).toMatchObject({ code: "FE_SYNC_FAILED", effect: "none" });
    expect(failure.record).toMatchObject({ phase: "doubtful" });
    const other = await place.engine();
    expect((await failureOf(other.edit({ path, ...next }))).code).toBe("FE_RECOVERY_REQUIRED");
    expect(readFileSync(path, "utf8")).toBe(after);
  });
});

describe("a doubtful record that a person resolves", () => {
  const kept: readonly [Version, string][] = [
    ["before", before],
    ["after", after],
    ["current", "my own words\n"],
  ];

  it.each(kept)("is written anew, all of it, though the file holds it: %s", async (keep, text) => {
    const { place, path, id } = await leaveDoubtful();
    writeFileSync(path, text);
    const calls: string[] = [];
    const written = Buffer.alloc(text.length);
    const engine = await place.watched((call) => {
      const writing = /^(target\.(overwrite|setLength|sync)|directory\.moveTo)$/;
      if (writing.test(call.name)) calls.push(call.name);
      const [bytes, position] = call.args as [Uint8Array, number];
      if (call.name === "target.overwrite") written.set(bytes, position);
      return call.proceed();
    });
    const resolved = await engine.recovery.resolve(id, { keep });
    expect(resolved).toMatchObject({ status: "unchanged", kept: keep });
    expect(resolved.warnings.join()).toMatch(/written anew/);
    expect(written.toString()).toBe(text);
    // The length too may not have reached the disk; and only then the record goes.
    expect(calls).toEqual([
      "target.overwrite",
      "target.setLength",
      "target.sync",
      "directory.moveTo",
    ]);
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(place.records()).toEqual([]);
    // What no record holds has a durable copy before it is written over.
    const saved = readdirSync(join(place.store, "saved"));
    expect(saved.some((name) => name.endsWith(".bytes"))).toBe(keep === "current");
    expect(
      (await engine.edit({ path, oldString: "o", newString: "0", replaceAll: true })).status,
    ).toBe("applied");
  });

  it("A4 stays doubtful when that sync fails as well", async () => {
    for (const keep of ["before", "after", "current"] as const) {
      const { place, path, id } = await leaveDoubtful();
      const engine = await place.watched(failing("target.sync"));
      const failure = await failureOf(engine.recovery.resolve(id, { keep }));
      expect(failure).toMatchObject({ code: "FE_OUTCOME_UNKNOWN", record: { phase: "doubtful" } });
      const other = await place.engine();
      expect((await failureOf(other.edit({ path, ...next }))).code).toBe("FE_RECOVERY_REQUIRED");
    }
  });

  it("A4 becomes doubtful when the sync of a resolution fails first", async () => {
    const { place, path, id } = await leaveDoubtful((call) => {
      if (isMark(call)) return (call.args[0] as Uint8Array).length;
      return failing("target.sync")(call);
    });
    const sync = { before: "target.sync", after: "target.sync", current: "reader.sync" } as const;
    for (const keep of ["current", "after", "before"] as const) {
      const engine = await place.watched(failing(sync[keep]));
      const failure = await failureOf(engine.recovery.resolve(id, { keep }));
      expect(failure.record).toMatchObject({ phase: "doubtful" });
      // As a kill would have left it, for the next turn.
      const record = join(place.store, place.records()[0] ?? "");
      expect(readFileSync(record)[8]).toBe(3);
      writeFileSync(record, readFileSync(record).fill(1, 8, 9));
      writeFileSync(path, after);
    }
  });

  it("needs the permission to write, also to keep what is there", async () => {
    const { place, id } = await leaveDoubtful();
    const engine = await place.watched((call) => {
      if (call.name === "pinned.openForWriting") throw new OsError("EACCES", "open");
      return call.proceed();
    });
    const failure = await failureOf(engine.recovery.resolve(id, { keep: "current" }));
    expect(failure.code).toBe("FE_PERMISSION_DENIED");
    expect(place.records()).toHaveLength(1);
  });
});
