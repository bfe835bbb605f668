// What is told when a wait that was allowed was in vain.
import { OsError } from "@fe/native";
import { describe, expect, it } from "vitest";
import { failureOf, placeWithFile } from "../../test/place.ts";

const swap = { oldString: "two", newString: "2" };

describe("an edit that waited", () => {
  it("B10 names the process that was waited for, and does not advise to wait", async () => {
    const { place, path } = placeWithFile("one two");
    const failures: Record<string, unknown>[] = [];
    const other = await place.engine();
    const engine = await place.before("target.overwrite", async () => {
      for (const waitMs of [0, 30]) {
        const { code, message, hint, record } = await failureOf(
          other.edit({ path, ...swap }, { waitMs }),
        );
        failures.push({ code, message, hint, pid: record?.owner?.pid });
      }
    });
    await engine.edit({ path, ...swap });
    const [atOnce, waited] = failures;
    expect(atOnce?.hint).toMatch(/waitMs/u);
    expect(atOnce?.message).not.toMatch(/waited/u);
    expect(waited).toMatchObject({ code: "FE_BUSY", pid: process.pid });
    expect(waited?.message).toMatch(
      new RegExp(`waited for 30 ms; .* process ${process.pid}$`, "u"),
    );
    expect(waited?.hint).toBe("Try again when that has ended");
  });

  it("B10 says of what has no record how long was waited", async () => {
    const { place, path } = placeWithFile("one two");
    const engine = await place.watched((call) => {
      if (/^pinned.openFor/u.test(call.name)) throw new OsError("EAGAIN", "open", {});
      return call.proceed();
    });
    for (const call of ["edit", "preview"] as const) {
      const failure = await failureOf(engine[call]({ path, ...swap }, { waitMs: 20 }));
      expect(failure.message).toMatch(/waited for 20 ms$/u);
      expect(failure.hint).not.toMatch(/waitMs/u);
      expect((await failureOf(engine[call]({ path, ...swap }))).hint).toMatch(/waitMs/u);
    }
  });
});
