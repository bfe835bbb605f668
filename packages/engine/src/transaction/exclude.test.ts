// Everyone else kept out, on real files: who is refused, what is rolled back, what is said of it.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createNodeOs, OsError } from "@fe/native";
import { type InterceptedCall, interceptOs } from "@fe/native/testing";
import { describe, expect, it } from "vitest";
import { failureOf, Place } from "../../test/place.ts";
import type { Engine } from "../engine.ts";
import type { FeError } from "../errors.ts";

const before = `${"a".repeat(3000)}needle${"z".repeat(3000)}`;
const edit = { oldString: "needle", newString: "a much longer text" };
const edited = before.replace(edit.oldString, edit.newString);

function placeWithFile(): { place: Place; path: string } {
  const place = new Place();
  const path = place.path("a");
  writeFileSync(path, before);
  return { place, path };
}

/** An engine that does ask the kernel. */
function askingEngine(place: Place, watch: (call: InterceptedCall) => unknown): Promise<Engine> {
  return place.engine({}, interceptOs(createNodeOs(), watch));
}

/** A program that opens the file for writing and appends a line, as soon as it is let. */
function appendFromOutside(path: string): ChildProcess {
  return spawn("sh", ["-c", 'printf "from outside\\n" >> "$1"', "sh", path]);
}

describe("an edit with others kept out", () => {
  it("B2 says kernel, and lets nobody write between verification and the end", async () => {
    const { place, path } = placeWithFile();
    let outside: ChildProcess | undefined;
    const engine = await askingEngine(place, async (call) => {
      if (call.name === "target.overwrite") {
        outside = appendFromOutside(path);
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
      return call.proceed();
    });
    const result = await engine.edit({ path, ...edit }, { exclusive: "require" });
    expect(result.exclusion).toBe("kernel");
    expect(result.exclusionReason).toBeUndefined();
    if (outside !== undefined) await once(outside, "close");
    expect(readFileSync(path, "utf8")).toBe(`${edited}from outside\n`);
  });

  it("B2 without it the same writer's line is lost or the edit ends in doubt", async () => {
    const { place, path } = placeWithFile();
    const engine = await askingEngine(place, async (call) => {
      if (call.name === "target.overwrite") await once(appendFromOutside(path), "close");
      return call.proceed();
    });
    const outcome = await engine.edit({ path, ...edit }, { exclusive: "off" }).then(
      ({ status }) => status,
      ({ code }: FeError) => code,
    );
    const isThere = readFileSync(path, "utf8").includes("from outside");
    expect(outcome === "FE_OUTCOME_UNKNOWN" || !isThere).toBe(true);
  });

  it("B2 prefer goes on and says why; require is refused, and nothing is left behind", async () => {
    const { place, path } = placeWithFile();
    const held = openSync(path, "r");
    const engine = await place.engine();
    const { mtimeNs } = statSync(path, { bigint: true });
    const refused = await failureOf(engine.edit({ path, ...edit }, { exclusive: "require" }));
    expect(refused).toMatchObject({
      code: "FE_EXCLUSION_UNAVAILABLE",
      effect: "none",
      retryable: true,
    });
    expect(refused.message).toMatch(/open/);
    expect(statSync(path, { bigint: true }).mtimeNs).toBe(mtimeNs);
    expect(place.storeNames()).toEqual([]);
    const result = await engine.edit({ path, ...edit }, { exclusive: "prefer" });
    expect(result).toMatchObject({ status: "applied", exclusion: "cooperative" });
    expect(result.exclusionReason).toMatch(/open/);
    closeSync(held);
  });

  it("B2 require waits, as long as it may, until the file is closed elsewhere", async () => {
    const { place, path } = placeWithFile();
    const held = openSync(path, "r");
    const engine = await place.engine();
    const running = engine.edit({ path, ...edit }, { exclusive: "require", waitMs: 10_000 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    closeSync(held);
    expect((await running).exclusion).toBe("kernel");
  });

  it("B2 an abort while it waits for exclusion leaves nothing behind", async () => {
    const { place, path } = placeWithFile();
    const held = openSync(path, "r");
    const engine = await place.engine();
    const abort = new AbortController();
    const options = { exclusive: "require", waitMs: 10_000, signal: abort.signal } as const;
    const running = failureOf(engine.edit({ path, ...edit }, options));
    setTimeout(() => abort.abort(), 100);
    expect((await running).code).toBe("FE_ABORTED");
    expect(place.storeNames()).toEqual([]);
    closeSync(held);
  });

  it("B2 rolls back a write that fails, and says so", async () => {
    for (const [errno, code] of [
      ["ENOSPC", "FE_NO_SPACE"],
      ["EIO", "FE_IO"],
    ] as const) {
      const { place, path } = placeWithFile();
      let writes = 0;
      const engine = await askingEngine(place, async (call) => {
        if (call.name !== "target.overwrite") return call.proceed();
        writes += 1;
        if (writes === 1) return call.proceed((call.args[0] as Uint8Array).subarray(0, 7), 3000);
        if (writes === 2) throw new OsError(errno, "pwrite", { path });
        return call.proceed();
      });
      const failure = await failureOf(engine.edit({ path, ...edit }));
      expect(failure).toMatchObject({ code, effect: "rolled_back", status: "failed" });
      expect(readFileSync(path, "utf8")).toBe(before);
      expect(place.storeNames()).toEqual([]);
    }
  });

  it("B2 never rolls back after a failed sync: what is durable is not known", async () => {
    const { place, path } = placeWithFile();
    const engine = await askingEngine(place, (call) => {
      if (call.name === "target.sync") throw new OsError("EIO", "fsync", { path });
      return call.proceed();
    });
    const failure = await failureOf(engine.edit({ path, ...edit }));
    expect(failure).toMatchObject({ code: "FE_OUTCOME_UNKNOWN", effect: "unknown" });
  });

  it("finds a full disk before a byte has changed", async () => {
    const { place, path } = placeWithFile();
    const calls: string[] = [];
    const engine = await askingEngine(place, (call) => {
      calls.push(call.name);
      if (call.name === "target.reserve") throw new OsError("ENOSPC", "fallocate", { path });
      return call.proceed();
    });
    const failure = await failureOf(engine.edit({ path, ...edit }));
    expect(failure).toMatchObject({ code: "FE_NO_SPACE", effect: "none" });
    expect(calls).not.toContain("target.overwrite");
    expect(place.storeNames()).toEqual([]);
  });

  it("B2 does not say kernel if it was stopped for longer than the kernel waits", async () => {
    const { place, path } = placeWithFile();
    let granted = false;
    const engine = await askingEngine(place, async (call) => {
      const answer = await call.proceed();
      if (call.name === "target.startExclusion") granted = true;
      if (call.name === "os.monotonicMs" && granted) return (answer as number) + 60_000;
      return call.name === "target.isExclusionUnbroken" ? false : answer;
    });
    const failure = await failureOf(engine.edit({ path, ...edit }));
    expect(failure).toMatchObject({ code: "FE_BUSY", effect: "none" });
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(place.storeNames()).toEqual([]);
  });

  it("B2 survives that somebody asks for the file at every point", async () => {
    const callsMade = async (askAt: number): Promise<number> => {
      const { place, path } = placeWithFile();
      let after = -1;
      const engine = await askingEngine(place, async (call) => {
        if (after >= 0 || call.name === "target.startExclusion") after += 1;
        if (after === askAt && after > 0) {
          const asking = constants.O_RDONLY | constants.O_NONBLOCK;
          expect(() => openSync(path, asking), call.name).toThrow(/EAGAIN|EWOULDBLOCK/);
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
