// A resolution that is stopped, by its caller or by a full disk.
import { readdirSync, readFileSync } from "node:fs";
import { OsError } from "@fe/native";
import type { InterceptedCall } from "@fe/native/testing";
import { describe, expect, it } from "vitest";
import { strandEdit } from "../../test/orphans.ts";
import { failureOf, placeWithFile } from "../../test/place.ts";

const edit = { oldString: "two", newString: "zwei" };
const before = "one\ntwo\nthree\n";

async function torn() {
  const { place, path } = placeWithFile(before);
  const id = await strandEdit(place, path, edit, "torn");
  return { place, path, id };
}

/** A resolution that is aborted at a call of the system. */
async function abortAt(name: string) {
  const { place, path, id } = await torn();
  const controller = new AbortController();
  const engine = await place.watched((call: InterceptedCall) => {
    if (call.name === name) controller.abort();
    return call.proceed();
  });
  const { signal } = controller;
  const ended = engine.recovery.resolve(id, { keep: "before", signal });
  return { place, path, id, ended };
}

describe("resolve() that is aborted", () => {
  it.each(["os.openTarget", "pinned.openForWriting", "directory.entryStatus"])(
    "B15 changes nothing if that comes before the first byte is written (at %s)",
    async (name) => {
      const { place, path, id, ended } = await abortAt(name);
      const failure = await failureOf(ended);
      expect(failure).toMatchObject({ code: "FE_ABORTED", effect: "none", path });
      expect(failure.message).toMatch(/^Stopped resolving the record of /u);
      expect(readFileSync(path, "utf8")).toBe("torn");
      expect(place.records()).toHaveLength(1);
      await (await place.engine()).recovery.resolve(id, { keep: "before" });
      expect(readFileSync(path, "utf8")).toBe(before);
    },
  );

  it.each(["target.overwrite", "target.sync"])("B15 goes to its end from %s on", async (name) => {
    const { place, path, ended } = await abortAt(name);
    expect((await ended).status).toBe("applied");
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(place.records()).toEqual([]);
  });

  it("B15 keeps the record if the file was to be kept as it is", async () => {
    const { place, path, id } = await torn();
    const engine = await place.engine();
    const aborted = engine.recovery.resolve(id, { keep: "current", signal: AbortSignal.abort() });
    expect((await failureOf(aborted)).code).toBe("FE_ABORTED");
    expect(readFileSync(path, "utf8")).toBe("torn");
    expect(place.records()).toHaveLength(1);
    const none = { keep: "current", signal: {} as AbortSignal } as const;
    expect((await failureOf(engine.recovery.resolve(id, none))).code).toBe("FE_INVALID_REQUEST");
  });
});

describe("resolve() on a full disk", () => {
  const full = (path: string): never => {
    throw new OsError("ENOSPC", "fallocate", { path });
  };

  it("B10 finds it before a byte is written, where room can be reserved", async () => {
    const { place, path, id } = await torn();
    const engine = await place.watched((call) =>
      call.name === "target.reserve" ? full(path) : call.proceed(),
    );
    const failure = await failureOf(engine.recovery.resolve(id, { keep: "before" }));
    expect(failure).toMatchObject({ code: "FE_NO_SPACE", effect: "none", path });
    expect(failure.hint).toContain("Free space");
    expect(readFileSync(path, "utf8")).toBe("torn");
    // Of what was not replaced no copy is kept.
    expect(readdirSync(`${place.store}/saved`)).toEqual([]);
    expect(place.records()).toHaveLength(1);
    await (await place.engine()).recovery.resolve(id, { keep: "before" });
  });

  it("B10 says where what the file held is saved, and to free space, where it cannot", async () => {
    const { place, path, id } = await torn();
    const engine = await place.watched((call) => {
      if (call.name === "target.reserve") return false;
      return call.name === "target.overwrite" ? full(path) : call.proceed();
    });
    const failure = await failureOf(engine.recovery.resolve(id, { keep: "before" }));
    expect(failure).toMatchObject({ code: "FE_OUTCOME_UNKNOWN", effect: "unknown" });
    const [saved = ""] = readdirSync(`${place.store}/saved`).filter((name) => /bytes$/u.test(name));
    expect(readFileSync(`${place.store}/saved/${saved}`, "utf8")).toBe("torn");
    expect(failure.message).toContain("free space first");
    expect(failure.message).toContain(`what it held before is saved at "${place.store}`);
    expect(failure.message).toContain(saved);
    expect(place.records()).toHaveLength(1);
  });
});
