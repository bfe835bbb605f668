// What a watcher of an edit is told, and that it can do the edit no harm.
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { strandEdit } from "../test/orphans.ts";
import { failureOf, Place } from "../test/place.ts";
import type { EditProgress } from "./progress.ts";

const mebibyte = 1024 * 1024;
const large = Buffer.alloc(10 * mebibyte, "abc ");
large.write("needle", 7 * mebibyte);

function stepsOf(told: readonly EditProgress[]): string[] {
  return told.map(({ step }) => step).filter((step, index, all) => step !== all[index - 1]);
}

async function placeWith(content: Uint8Array | string) {
  const place = new Place();
  const path = place.path("f");
  writeFileSync(path, content);
  const told: EditProgress[] = [];
  const request = { path, oldString: "needle", newString: "haystack" };
  return { place, path, told, request, onProgress: (each: EditProgress) => told.push(each) };
}

describe("onProgress", () => {
  it("tells each step of a large file from its beginning to its end", async () => {
    const { place, told, request, onProgress } = await placeWith(large);
    const engine = await place.engine();
    const result = await engine.edit(request, { onProgress: (each) => void onProgress(each) });
    expect(result).toMatchObject({ status: "applied", warnings: [] });
    expect(stepsOf(told)).toEqual(["match", "prepare", "verify", "write", "confirm"]);
    for (const step of new Set(stepsOf(told))) {
      const own = told.filter((each) => each.step === step);
      const done = own.map(({ doneBytes }) => doneBytes);
      expect(done[0]).toBe(0);
      expect(done.every((bytes, index) => index === 0 || bytes > (done[index - 1] ?? 0))).toBe(
        true,
      );
      const size = step === "write" || step === "confirm" ? result.bytesAfter : large.length;
      expect(done.at(-1), step).toBe(size);
      expect(own.length, step).toBeGreaterThan(3);
      expect(own.every(({ totalBytes }) => totalBytes === size)).toBe(true);
    }
  });

  it("tells the beginnings of a small file's steps, and of a preview its only one", async () => {
    const { place, told, request, onProgress } = await placeWith("a needle\n");
    const engine = await place.engine();
    await engine.preview(request, { onProgress: (each) => void onProgress(each) });
    expect(stepsOf(told.splice(0))).toEqual(["match"]);
    await engine.edit(request, { onProgress: (each) => void onProgress(each) });
    expect(stepsOf(told)).toEqual(["match", "prepare", "verify", "write", "confirm"]);
  });

  it("tells that an edit waits for another", async () => {
    const { place, path, told, request, onProgress } = await placeWith("one needle\n");
    const engine = await place.engine();
    let other: Promise<unknown> | undefined;
    const slow = await place.before("target.overwrite", async () => {
      const options = { waitMs: 10_000, onProgress: (each: EditProgress) => void onProgress(each) };
      other = engine.edit({ path, oldString: "one", newString: "a" }, options);
      while (!told.some(({ step }) => step === "wait")) await new Promise(setImmediate);
    });
    await slow.edit(request);
    await other;
    expect(told.find(({ step }) => step === "wait")).toEqual({
      ...{ step: "wait", doneBytes: 0, totalBytes: 0 },
    });
    expect(readFileSync(path, "utf8")).toBe("a haystack\n");
  });

  it("does no harm if it throws: it is not called again, and the result says so", async () => {
    for (const at of ["match", "write", "confirm"]) {
      const { place, path, request } = await placeWith(large);
      const engine = await place.engine();
      let calls = 0;
      const result = await engine.edit(request, {
        onProgress: ({ step }) => {
          if (step !== at) return;
          calls += 1;
          throw new Error("the display is gone");
        },
      });
      expect(result.status).toBe("applied");
      expect(result.warnings).toEqual([
        "onProgress failed and was not called again: the display is gone",
      ]);
      expect(calls).toBe(1);
      expect(readFileSync(path).includes("haystack")).toBe(true);
      expect(place.storeNames()).toEqual([]);
    }
  });

  it("is told of an undo, and refused if it is no function", async () => {
    const { place, path, told, onProgress } = await placeWith("a needle\n");
    const edit = { oldString: "needle", newString: "x" };
    const id = await strandEdit(place, path, edit, "torn");
    const engine = await place.engine();
    await engine.recovery.resolve(id, { keep: "before" });
    await engine.recovery.undo(id, { onProgress: (each) => void onProgress(each) });
    expect(stepsOf(told)).toContain("write");
    const wrong = { onProgress: "loud" as unknown as () => void };
    const request = { path, ...edit };
    for (const failing of [
      engine.edit(request, wrong),
      engine.preview(request, wrong),
      engine.recovery.undo(id, wrong),
    ]) {
      expect((await failureOf(failing)).code).toBe("FE_INVALID_REQUEST");
    }
  });
});
