// The kernel takes a killed process's exclusion away, at whatever point of the edit it dies.
//
// Method: the calls that an edit makes while it keeps others out are listed; then one process after
// the other is killed at each of them, and the file is opened without waiting.
// Fault model: SIGKILL.
import { closeSync, constants, mkdirSync, openSync, writeFileSync } from "node:fs";
import { openEngineWith } from "@fe/engine/testing";
import { createNodeOs } from "@fe/native";
import { interceptOs } from "@fe/native/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommandFolder } from "./harness/command.ts";
import { killedEdit, stoppedEdit } from "./harness/stopped-edit.ts";

const edit = { oldString: "one", newString: "a longer one" };
const withoutWait = constants.O_RDWR | (constants.O_NONBLOCK ?? 0);
/** Processes at once. */
const abreast = 4;

let folder: CommandFolder;

beforeEach(async () => {
  folder = await CommandFolder.create();
});

afterEach(async () => {
  await folder[Symbol.asyncDispose]();
});

interface Target {
  readonly path: string;
  readonly userData: string;
}

function makeTarget(name: string): Target {
  const target = { path: folder.file(name), userData: folder.file(`${name}-data`) };
  writeFileSync(target.path, "one two\n");
  mkdirSync(target.userData, { mode: 0o700 });
  return target;
}

interface Point {
  readonly at: string;
  readonly nth: number;
}

/** Every call between the one that keeps others out and the one that lets them in. */
async function pointsInside(): Promise<readonly Point[]> {
  const { path, userData } = makeTarget("listed");
  const points: Point[] = [];
  const met = new Map<string, number>();
  let isInside = false;
  const os = interceptOs(createNodeOs(), async (call) => {
    const nth = met.get(call.name) ?? 0;
    met.set(call.name, nth + 1);
    if (isInside) points.push({ at: call.name, nth });
    if (call.name === "target.close") isInside = false;
    const answer = await call.proceed();
    if (call.name === "target.startExclusion") isInside = true;
    return answer;
  });
  const engine = await openEngineWith(os, { userDataDirectory: userData });
  expect((await engine.edit({ path, ...edit })).exclusion).toBe("kernel");
  await engine.close();
  return points;
}

describe("an edit that is killed while it keeps others out", () => {
  it("B2 lets them in at once, at whatever call it dies", async () => {
    const points = await pointsInside();
    expect(points.length).toBeGreaterThan(10);
    for (let first = 0; first < points.length; first += abreast) {
      const some = points.slice(first, first + abreast);
      await Promise.all(
        some.map(async (point, index) => {
          const target = makeTarget(`f${first + index}`);
          await killedEdit({ ...target, edit, ...point });
          closeSync(openSync(target.path, withoutWait));
        }),
      );
    }
  }, 240_000);

  it("B2 kept them out until then: the control", async () => {
    const target = makeTarget("f");
    const stopped = await stoppedEdit({ ...target, edit, at: "target.overwrite" });
    expect(() => openSync(target.path, withoutWait)).toThrow(/EAGAIN|EWOULDBLOCK|EBUSY/u);
    await stopped.kill();
    closeSync(openSync(target.path, withoutWait));
  });
});
