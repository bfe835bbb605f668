// Everyone else kept out, on real files: who is refused, what is rolled back, what is said of it.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  constants,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createNodeOs } from "@fe/native";
import { describe, expect, it } from "vitest";
import { needs } from "../../../../native/test/abilities.ts";
import { strandEdit } from "../../test/orphans.ts";
import { failureOf, Place, placeWithFile } from "../../test/place.ts";
import type { FeError } from "../errors.ts";

const before = `${"a".repeat(3000)}needle${"z".repeat(3000)}`;
const edit = { oldString: "needle", newString: "a much longer text" };
const edited = before.replace(edit.oldString, edit.newString);
// For writing, since readers are let in on Windows; there nobody waits anyway.
const askingWithoutWait = constants.O_RDWR | (constants.O_NONBLOCK ?? 0);

/** A program that opens the file for writing and appends a line, as soon as it is let. */
function appendFromOutside(path: string): ChildProcess {
  const append = `fs.appendFileSync(process.argv[1], "from outside\\n")`;
  return spawn(process.execPath, ["-e", append, path]);
}

describe("an edit with others kept out", () => {
  it("B2 says kernel, and lets nobody write between the reading and the end", async (context) => {
    needs(context, "waitingForExclusion");
    for (const at of ["target.read", "file.sync", "target.overwrite"]) {
      const { place, path } = placeWithFile(before);
      let outside: ChildProcess | undefined;
      const engine = await place.watchedWithExclusion(async (call) => {
        const answer = await call.proceed();
        if (call.name === at && outside === undefined) {
          outside = appendFromOutside(path);
          await new Promise((resolve) => setTimeout(resolve, 150));
        }
        return answer;
      });
      const result = await engine.edit({ path, ...edit }, { exclusive: "require" });
      expect(result.exclusion).toBe("kernel");
      expect(result.exclusionReason).toBeUndefined();
      if (outside !== undefined) await once(outside, "close");
      expect(readFileSync(path, "utf8")).toBe(`${edited}from outside\n`);
    }
  });

  it("B2 without it the same writer's line is lost, or the edit conflicts", async () => {
    for (const [at, ending] of [
      ["target.read", /^FE_CONTENT_CHANGED$/],
      ["file.sync", /^FE_CONTENT_CHANGED$/],
      ["target.overwrite", /^FE_OUTCOME_UNKNOWN$|^lost$/],
    ] as const) {
      const { place, path } = placeWithFile(before);
      let met = 0;
      const engine = await place.watchedWithExclusion(async (call) => {
        if (call.name !== at) return call.proceed();
        const answer = at === "target.overwrite" ? undefined : await call.proceed();
        if (met++ === 0) await once(appendFromOutside(path), "close");
        return answer ?? call.proceed();
      });
      const outcome = await engine.edit({ path, ...edit }, { exclusive: "off" }).then(
        () => (readFileSync(path, "utf8").includes("from outside") ? "both" : "lost"),
        ({ code }: FeError) => code,
      );
      expect(outcome).toMatch(ending);
    }
  });

  it("B2 asks before anything is read or recorded", async () => {
    const { place, path } = placeWithFile(before);
    const calls: string[] = [];
    const engine = await place.watchedWithExclusion((call) => {
      calls.push(call.name);
      return call.proceed();
    });
    await engine.edit({ path, ...edit });
    const asked = calls.indexOf("target.startExclusion");
    expect(asked).toBeGreaterThan(calls.indexOf("pinned.openForWriting"));
    expect(asked).toBeLessThan(calls.indexOf("target.read"));
    expect(calls).not.toContain("target.endExclusion");
    expect(calls.filter((name) => name === "target.close")).toHaveLength(1);
    // Nothing is in the way of the next.
    calls.length = 0;
    const held = openSync(path, "r+");
    const again = { oldString: edit.newString, newString: edit.oldString };
    const failure = await failureOf(engine.edit({ path, ...again }, { exclusive: "require" }));
    closeSync(held);
    expect(failure.message).toContain("open elsewhere, perhaps in this program");
    expect(calls).not.toContain("target.read");
    expect(calls).not.toContain("directory.linkUnnamedFile");
  });

  it("B2 lets others in before it explains a miss, and if nothing changes", async () => {
    const { place, path } = placeWithFile(before);
    const calls: string[] = [];
    const engine = await place.watchedWithExclusion((call) => {
      calls.push(call.name);
      return call.proceed();
    });
    const miss = { oldString: "nowhere", newString: "" };
    expect((await failureOf(engine.edit({ path, ...miss }))).code).toBe("FE_NO_MATCH");
    expect(calls.indexOf("target.endExclusion")).toBeGreaterThan(calls.indexOf("target.read"));
    expect(calls.indexOf("target.endExclusion")).toBeLessThan(calls.indexOf("target.close"));
    const ambiguous = { oldString: "a", newString: "b" };
    expect((await failureOf(engine.edit({ path, ...ambiguous }))).code).toBe("FE_AMBIGUOUS_MATCH");
    const away = { oldString: "needle", newString: "pin" };
    const back = { oldString: "pin", newString: "needle" };
    expect((await engine.edit({ path, edits: [away, back] })).status).toBe("unchanged");
    closeSync(openSync(path, askingWithoutWait));
  });

  it("B2 keeps nobody out while a hook is asked, which may open the file", async () => {
    const { place, path } = placeWithFile(before);
    let questions = 0;
    const look = (): boolean => {
      questions += 1;
      closeSync(openSync(path, askingWithoutWait));
      return true;
    };
    const engine = await place.engine({ authorize: look, beforeCommit: look });
    const result = await engine.edit({ path, ...edit }, { exclusive: "require" });
    expect(result.exclusion).toBe("kernel");
    expect(questions).toBe(3);
  });

  it("B2 goes without, or is refused, if others might have to wait for long", async () => {
    const place = new Place();
    const huge = place.path("huge");
    writeFileSync(huge, "");
    truncateSync(huge, 48 * 1024 * 1024);
    const many = place.path("many");
    writeFileSync(many, "x".repeat(64 * 1024));
    const calls: string[] = [];
    let isSlow = false;
    const engine = await place.watchedWithExclusion(async (call) => {
      calls.push(call.name);
      const answer = await call.proceed();
      // The bytes took three seconds to read.
      if (call.name === "os.monotonicMs" && isSlow && calls.includes("target.read")) {
        return (answer as number) + 3_000;
      }
      return answer;
    });
    const refused = async (request: { path: string; oldString: string; newString: string }) => {
      calls.length = 0;
      const whole = { ...request, replaceAll: true };
      const failure = await failureOf(engine.edit(whole, { exclusive: "require", waitMs: 5_000 }));
      expect(failure).toMatchObject({ code: "FE_EXCLUSION_UNAVAILABLE", effect: "none" });
      expect(failure).toMatchObject({ status: "rejected", retryable: false });
      expect(failure.message).toMatch(/longer than others/);
      expect(failure.hint).toMatch(/do without: `exclusive: "prefer"`/u);
      expect(calls).not.toContain("directory.linkUnnamedFile");
      expect(place.storeNames()).toEqual([]);
    };
    await refused({ path: huge, oldString: "needle", newString: "" });
    expect(calls).not.toContain("target.startExclusion");
    await refused({ path: many, oldString: "x", newString: "y".repeat(1024) });
    expect(calls).toContain("target.endExclusion");
    isSlow = true;
    const { path } = { path: place.path("slow") };
    writeFileSync(path, before);
    await refused({ path, ...edit });
    calls.length = 0;
    const result = await engine.edit({ path, ...edit });
    expect(result).toMatchObject({ status: "applied", exclusion: "cooperative" });
    expect(result.exclusionReason).toMatch(/longer than others/);
    expect(calls.indexOf("target.endExclusion")).toBeLessThan(calls.indexOf("file.sync"));
  }, 30_000);

  it("B2 makes a preview wait as long as it may, and busy after that", async (context) => {
    needs(context, "waitingForExclusion");
    const { place, path } = placeWithFile(before);
    const engine = await place.engine();
    const opened = await createNodeOs().openTarget(path);
    const other = await opened.target.openForWriting();
    expect(await other.startExclusion()).toMatchObject({ granted: true });
    const refused = await failureOf(engine.preview({ path, ...edit }));
    expect(refused).toMatchObject({ code: "FE_BUSY", effect: "none", retryable: true });
    const waiting = engine.preview({ path, ...edit }, { waitMs: 10_000 });
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (const handle of [other, opened.target, opened.parent]) await handle.close();
    expect(await waiting).toMatchObject({ dryRun: true, replacements: 1 });
  });

  it("B2 prefer goes on and says why; require is refused, and nothing is left behind", async () => {
    const { place, path } = placeWithFile(before);
    const held = openSync(path, "r+");
    const engine = await place.engine();
    const { mtimeNs } = statSync(path, { bigint: true });
    const refused = await failureOf(engine.edit({ path, ...edit }, { exclusive: "require" }));
    expect(refused).toMatchObject({
      code: "FE_EXCLUSION_UNAVAILABLE",
      effect: "none",
      status: "conflict",
      retryable: true,
    });
    expect(refused.message).toMatch(/open/);
    expect(refused.hint).toMatch(/waitMs/u);
    expect(statSync(path, { bigint: true }).mtimeNs).toBe(mtimeNs);
    expect(place.storeNames()).toEqual([]);
    const result = await engine.edit({ path, ...edit }, { exclusive: "prefer" });
    expect(result).toMatchObject({ status: "applied", exclusion: "cooperative" });
    expect(result.exclusionReason).toMatch(/open/);
    closeSync(held);
  });

  it("B2 require waits, as long as it may, until the file is closed elsewhere", async () => {
    const { place, path } = placeWithFile(before);
    const held = openSync(path, "r+");
    const engine = await place.engine();
    const running = engine.edit({ path, ...edit }, { exclusive: "require", waitMs: 10_000 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    closeSync(held);
    expect((await running).exclusion).toBe("kernel");
  });

  it("B2 an abort while it waits for exclusion leaves nothing behind", async () => {
    const { place, path } = placeWithFile(before);
    const held = openSync(path, "r+");
    const engine = await place.engine();
    const abort = new AbortController();
    const options = { exclusive: "require", waitMs: 10_000, signal: abort.signal } as const;
    const running = failureOf(engine.edit({ path, ...edit }, options));
    setTimeout(() => abort.abort(), 100);
    expect((await running).code).toBe("FE_ABORTED");
    expect(place.storeNames()).toEqual([]);
    closeSync(held);
  });

  it("B2 does not say kernel if it was stopped for longer than the kernel waits", async (c) => {
    needs(c, "waitingForExclusion");
    const { place, path } = placeWithFile(before);
    let isRecorded = false;
    const engine = await place.watchedWithExclusion(async (call) => {
      const answer = await call.proceed();
      if (call.name === "file.sync") isRecorded = true;
      if (call.name === "os.monotonicMs" && isRecorded) return (answer as number) + 60_000;
      return call.name === "target.isExclusionUnbroken" ? false : answer;
    });
    const failure = await failureOf(engine.edit({ path, ...edit }));
    // No wait helps: what is waited for is over before the record is made.
    expect(failure).toMatchObject({ code: "FE_BUSY", effect: "none", hint: "Try again" });
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(place.storeNames()).toEqual([]);
  });

  it("B2 takes a resolution back in the same way, as far as that is wished", async () => {
    const { place, path } = placeWithFile(before);
    const id = await strandEdit(place, path, edit, "torn");
    const engine = await place.watchedWithExclusion((call) => call.proceed());
    await engine.recovery.resolve(id, { keep: "before" });
    const alone = await engine.recovery.undo(id, { exclusive: "require" });
    expect(alone.exclusion).toBe("kernel");
    const among = await engine.recovery.undo(id, { exclusive: "off" });
    expect(among.exclusion).toBe("cooperative");
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  it("B2 survives that somebody asks for the file at every point", async () => {
    const callsMade = async (askAt: number): Promise<number> => {
      const { place, path } = placeWithFile(before);
      let after = -1;
      const engine = await place.watchedWithExclusion(async (call) => {
        if (after >= 0 || call.name === "target.startExclusion") after += 1;
        if (after === askAt && after > 0) {
          expect(() => openSync(path, askingWithoutWait), call.name).toThrow(
            /EAGAIN|EWOULDBLOCK|EBUSY/,
          );
        }
        return call.proceed();
      });
      const result = await engine.edit({ path, ...edit }, { exclusive: "require" });
      const made = after;
      expect(result.exclusion).toBe("kernel");
      expect(readFileSync(path, "utf8")).toBe(edited);
      return made;
    };
    const calls = await callsMade(0);
    // The last calls close the handle, and with it let others in.
    for (let point = 1; point < calls - 3; point++) await callsMade(point);
  });
});
