// A process that edits on the logged disk, and says by marks what it has reached:
//
//   node workload.mjs '{"path", "userData", "marks", "mutant", "steps"}'
//
// A step is an edit `{"number", "oldString", "newString", "die"?, "pauseMs"?}`, or `{"keep"}`, by
// which the one record is resolved. `die`: the process kills itself, `torn` in the write, `whole`
// before the sync of the target. `pauseMs`: so long until the next step, for the late sync.
// `{"miss"}` is an edit that reconciles and finds nothing to change.
import { openSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openEngineWith } from "@fe/engine/testing";
import { createNodeOs } from "@fe/native";
import { interceptOs } from "@fe/native/testing";
import { mutate } from "../harness/mutants.mjs";

const { path, userData, marks, mutant, steps } = JSON.parse(process.argv[2] ?? "{}");
const marksFd = openSync(marks, "r+");
const mark = (text) => writeSync(marksFd, text, 0);

let step = {};
let isRecorded = false;
let isSaved = false;

/** The marks between begin and end of a step. */
function watch({ name }) {
  if (name === "target.overwrite" && step.keep !== undefined && !isSaved) {
    isSaved = true;
    mark("saved");
  }
  if (name === "target.overwrite" && step.keep === undefined && !isRecorded) {
    isRecorded = true;
    mark(`recorded ${step.number}`);
  }
  if (name === "directory.finishRecord") mark(`committed ${step.number}`);
}

/** The late sync of the directory comes when the engine has been idle for 100 ms. */
const lateMs = 200;
/** To whoever looks at the disk afterwards, the machine was started again. */
const bootId = "00000000-0000-4000-8000-000000000001";

const die = () => process.kill(process.pid, "SIGKILL");
const real = interceptOs(createNodeOs(), async (call) => {
  if (call.name === "os.self") return { ...(await call.proceed()), bootId };
  if (step.die === "whole" && call.name === "target.sync") die();
  if (step.die === "torn" && call.name === "target.overwrite") {
    const [bytes, position] = call.args;
    await call.proceed(bytes.subarray(0, Math.ceil(bytes.length / 2)), position);
    die();
  }
  return call.proceed();
});

const os = mutate(real, mutant, userData, watch);
const engine = await openEngineWith(os, { userDataDirectory: userData });
for (step of steps) {
  isRecorded = false;
  if (step.keep !== undefined) {
    const records = await engine.recovery.list();
    mark("resolving");
    await engine.recovery.resolve(records[0].id, { keep: step.keep });
    mark("resolved");
    continue;
  }
  if (step.miss) {
    const missing = engine.edit({ path, oldString: "nowhere in the file", newString: "" });
    const code = await missing.then(
      () => "applied",
      (error) => error.code,
    );
    if (code !== "FE_NO_MATCH") throw new Error(`The edit that misses: ${code}`);
    mark("reconciled");
    await sleep(lateMs);
    continue;
  }
  const { number, oldString, newString, pauseMs = 0 } = step;
  mark(`begun ${number}`);
  const { status } = await engine.edit({ path, oldString, newString });
  if (status !== "applied") throw new Error(`Edit ${number}: ${status}`);
  mark(`acked ${number}`);
  if (pauseMs > 0) await sleep(pauseMs);
}
await engine.close();
