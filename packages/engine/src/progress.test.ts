// What a watcher of an edit is told, and that it can do the edit no harm.
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { strandEdit } from "../test/orphans.ts";
import { failureOf, Place } from "../test/place.ts";
import { unhandledDuring } from "../test/unhandled.ts";
import type { EditProgress } from "./progress.ts";

const mebibyte = 1024 * 1024;
const large = Buffer.alloc(10 * mebibyte, "abc ");
large.write("needle", 7 * mebibyte);

function stepsOf(told: readonly EditProgress[]): string[] {
  return told.map(({ step }) => step).filter((step, index, all) => step !== all[index - 1]);
}

function of(step: EditProgress["step"], doneBytes: number, totalBytes: number): EditProgress {
  return { step, doneBytes, totalBytes };
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
    const result = await engine.edit(request, { onProgress });
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

  it("tells beginning and end of a small file's steps, and of a preview its only one", async () => {
    const { place, told, request, onProgress } = await placeWith("a needle\n");
    const engine = await place.engine();
    await engine.preview(request, { onProgress });
    expect(told.splice(0)).toEqual([0, 9].map((doneBytes) => of("match", doneBytes, 9)));
    await engine.edit(request, { onProgress });
    const [before, after] = [9, 11];
    expect(told).toEqual([
      ...[of("match", 0, before), of("match", before, before)],
      ...[of("prepare", 0, before), of("prepare", before, before)],
      ...[of("verify", 0, before), of("verify", before, before)],
      ...[of("write", 0, after), of("write", after, after)],
      ...[of("confirm", 0, after), of("confirm", after, after)],
    ]);
  });

  it("tells the end of the writing, also where the last byte stays as it was", async () => {
    const { place, told, request, onProgress } = await placeWith(`${"a needle"}${"z".repeat(100)}`);
    const engine = await place.engine();
    await engine.edit(request, { onProgress });
    const last = told.filter(({ step }) => step === "write").at(-1);
    expect(last).toEqual(of("write", 110, 110));
  });

  it("does not tell the end of a step that failed", async () => {
    const { place, told, request, onProgress } = await placeWith("nothing of the kind\n");
    const engine = await place.engine();
    await failureOf(engine.edit(request, { onProgress }));
    expect(told).toEqual([of("match", 0, 20)]);
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

  it("does no harm if its promise rejects: in mid-write, at the end, or of a preview", async () => {
    for (const at of ["match", "write", "confirm"]) {
      const { place, path, request } = await placeWith(large);
      const engine = await place.engine();
      let calls = 0;
      const onProgress = async ({ step, doneBytes, totalBytes }: EditProgress) => {
        if (step !== at || (at === "confirm" && doneBytes < totalBytes)) return;
        calls += 1;
        await Promise.resolve();
        throw new Error("the display is gone");
      };
      const warnings = ["onProgress failed and was not called again: the display is gone"];
      const met = await unhandledDuring("unhandledRejection", async () => {
        if (at === "match") {
          expect(await engine.preview(request, { onProgress })).toMatchObject({ warnings });
        }
        const result = await engine.edit(request, { onProgress });
        expect(result).toMatchObject({ status: "applied", warnings });
      });
      expect(met).toEqual([]);
      // A second one may be on its way before the first has failed.
      expect(calls).toBeGreaterThan(0);
      expect(calls).toBeLessThan(6);
      expect(readFileSync(path).includes("haystack")).toBe(true);
      expect(place.storeNames()).toEqual([]);
    }
    // So the same promise, left to itself, is one that ends a process.
    const alone = await unhandledDuring(
      "unhandledRejection",
      async () => void Promise.reject(new Error("left alone")),
    );
    expect(alone).toHaveLength(1);
  });

  it("is not waited for long, and what it does later is nobody's harm", async () => {
    const { place, request } = await placeWith("a needle\n");
    const engine = await place.engine();
    let fail = (_: Error): void => {};
    const never = new Promise<never>((_, reject) => {
      fail = reject;
    });
    const met = await unhandledDuring("unhandledRejection", async () => {
      const { status, warnings } = await engine.edit(request, { onProgress: () => never });
      expect(status).toBe("applied");
      expect(warnings).toEqual([
        "a promise of onProgress was open when the edit ended; its end is not told",
      ]);
      fail(new Error("too late"));
    });
    expect(met).toEqual([]);
  });

  it("may throw what has no words", async () => {
    const { place, request } = await placeWith("a needle\n");
    const engine = await place.engine();
    const onProgress = () => {
      throw Object.create(null);
    };
    const { warnings } = await engine.edit(request, { onProgress });
    expect(warnings).toEqual([
      "onProgress failed and was not called again: it threw what cannot be told",
    ]);
  });

  it("is told of an undo, and refused if it is no function", async () => {
    const { place, path, told, onProgress } = await placeWith("a needle\n");
    const edit = { oldString: "needle", newString: "x" };
    const id = await strandEdit(place, path, edit, "torn");
    const engine = await place.engine();
    await engine.recovery.resolve(id, { keep: "before" });
    await engine.recovery.undo(id, { onProgress });
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
