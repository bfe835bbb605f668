// What a list says of the file of a record whose owner is gone.
import { readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { createNodeOs, type EntryStatus, type Os } from "@fe/native";
import { interceptOs } from "@fe/native/testing";
import { describe, expect, it } from "vitest";
import { type LegacyRecord, putLegacyRecord } from "../../test/legacy.ts";
import { failureOf, Place } from "../../test/place.ts";
import type { NamedRecord, RecordReport } from "../record-report.ts";
import type { EngineContext } from "../transaction/context.ts";
import { type FrontRecord, Looks } from "./look.ts";

const before = "one\ntwo\n";
const after = "one\nzwei\n";

/** A file that holds `content`, and a record of it. */
function leave(content: string, changes: Partial<LegacyRecord> = {}) {
  const place = new Place();
  const path = place.path("a");
  writeFileSync(path, content);
  putLegacyRecord(place.store, { path, before, after, ...changes });
  return { place, path };
}

async function listed(place: Place, os?: Os): Promise<RecordReport | undefined> {
  return (await (await place.engine({}, os)).recovery.list())[0];
}

describe("recovery.list()", () => {
  it.each([
    ["before", before],
    ["after", after],
  ] as const)(
    "B10 says that the next edit settles what holds the version %s",
    async (holds, text) => {
      const { place, path } = leave(text);
      const record = await listed(place);
      expect(record).toMatchObject({ holds, choices: ["before", "after", "current"] });
      expect(record?.why).toMatch(
        /^an earlier edit was interrupted .*; the next edit settles it$/u,
      );
      const names = place.storeNames();
      await listed(place);
      expect([place.storeNames(), readFileSync(path, "utf8")]).toEqual([names, text]);
      const edit = { path, oldString: "one", newString: "1" };
      expect((await (await place.engine()).edit(edit)).recovered?.recordId).toBe(record?.id);
    },
  );

  it("B10 promises nothing in a store without locks, where no edit settles a record", async () => {
    const { place } = leave(before);
    const shared = { type: "nfs", class: "network" };
    const os = interceptOs(createNodeOs(), async (call): Promise<unknown> => {
      const answer = await call.proceed();
      if (call.name !== "directory.status") return answer;
      return { ...(answer as EntryStatus), filesystem: shared };
    });
    const record = await listed(place, os);
    expect(record?.holds).toBe("before");
    expect(record?.why).toMatch(/a person must decide$/u);
  });

  it("B10 gives the reason that an edit gives", async () => {
    const { place, path } = leave("one\ntw");
    const record = await listed(place);
    expect(record?.holds).toBe("neither");
    const edit = { path, oldString: "one", newString: "1" };
    const refused = await failureOf((await place.engine()).edit(edit));
    expect(refused.record?.why).toBe(record?.why);
  });

  it("B10 tells a file that is gone, and another one", async () => {
    const { place, path } = leave("one\ntw");
    renameSync(path, place.path("moved"));
    const gone = await listed(place);
    expect(gone).toMatchObject({ holds: "nothing", choices: ["current"] });
    expect(gone?.why).toContain("no longer there");
    writeFileSync(path, before);
    const other = await listed(place);
    expect(other).toMatchObject({ holds: "another-file", choices: ["current"] });
    expect(other?.why).toContain("another file stands in the place");
    unlinkSync(path);
  });

  it("B10 does not open a file at which somebody may be at work", async () => {
    const opened: string[] = [];
    const os = interceptOs(createNodeOs(), (call) => {
      if (call.name === "pinned.openForReading") opened.push(call.name);
      return call.proceed();
    });
    const { place } = leave(before, { pid: process.pid });
    expect((await listed(place, os))?.holds).toBe("not-looked-at");
    expect(opened).toEqual([]);
    const dead = leave(before);
    expect((await listed(dead.place, os))?.holds).toBe("before");
    expect(opened).not.toEqual([]);
  });

  it("B10 reads no more than a bound, and needs to read nothing of another length", async () => {
    const { place, path } = leave(before);
    const report = await listed(place);
    const { before: one, after: other } = report ?? {};
    const target = (await createNodeOs().inspectTarget(path)).targetStatus.identity;
    const owner = { bootId: undefined };
    const metadata = { target, owner, realPath: path, before: one, after: other };
    const record = { form: "binary", metadata, phase: "prepared" } as unknown as FrontRecord;
    const context = { os: createNodeOs(), journal: { storeHasLocks: true } } as EngineContext;
    const holds = async (leftBytes: number): Promise<string | undefined> =>
      (await new Looks(context, leftBytes).added(report as NamedRecord, record)).holds;
    expect(await holds(before.length)).toBe("before");
    expect(await holds(before.length - 1)).toBe("not-looked-at");
    writeFileSync(path, `${before}${after}`);
    expect(await holds(0)).toBe("neither");
  });
});
