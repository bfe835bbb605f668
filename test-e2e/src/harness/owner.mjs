// A process that makes one edit over the built packages, as another owner if need be, and stops or
// dies at calls of the system.
//
//   node owner.mjs '{"path", "userData", "edit", "stops"?, "self"?, "isLockless"?, "keepsRecord"?,
//   "waitMs"?, "engine"?, "token"?}'
//
// `stops`: each { at, after?, nth?, ending? }, met in this order. `at` is a call as `interceptOs`
// names it, or `marked`: between the committed mark and the removal of the record. Counting begins
// once the call `after` was made. `ending`: `stop` (prints `stopped`, goes on when a line arrives)
// or `kill` (SIGKILL to itself).
// `self`: what the record is to say of its owner; `null` leaves a member out, digits in a string
// stand for a bigint.
// `isLockless`: a program that takes no locks, as if the store had none.
// `keepsRecord`: the removal of its record fails.
// `token`: a file that is there from the first byte of the target to the committed mark; if it is
// there already, another edit is at work at the same time.
// It prints what came of it as JSON, and goes on to close when another line arrives.
import { once } from "node:events";
import { closeSync, openSync, rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { openEngineWith } from "@fe/engine/testing";
import { createNodeOs, OsError } from "@fe/native";
import { interceptOs } from "@fe/native/testing";

const plan = JSON.parse(process.argv[2] ?? "{}");
const stops = [...(plan.stops ?? [])];
let isCounting = stops[0]?.after === undefined;
let met = 0;

async function stopIfMeant(name) {
  const [stop] = stops;
  if (stop === undefined || !isCounting || name !== stop.at || met++ < (stop.nth ?? 0)) return;
  stops.shift();
  met = 0;
  isCounting = stops[0]?.after === undefined;
  if (stop.ending === "kill") process.kill(process.pid, "SIGKILL");
  console.log("stopped");
  await once(process.stdin, "data");
}

async function markOf(request) {
  await request.record.write(request.phaseBlock, request.phasePositionBytes);
  await stopIfMeant("marked");
}

function altered(self) {
  const changes = Object.entries(plan.self ?? {}).map(([name, value]) => {
    return [name, typeof value === "string" && /^\d+$/.test(value) ? BigInt(value) : value];
  });
  const members = Object.entries({ ...self, ...Object.fromEntries(changes) });
  return Object.fromEntries(members.filter(([, value]) => value !== null));
}

let hasToken = false;

async function takeToken() {
  if (plan.token === undefined || hasToken) return;
  closeSync(openSync(plan.token, "wx"));
  hasToken = true;
  // So that whoever is not kept out is met.
  await pause(20);
}

function giveTokenBack() {
  if (hasToken) rmSync(plan.token);
  hasToken = false;
}

const os = interceptOs(createNodeOs(), async (call) => {
  await stopIfMeant(call.name);
  if (call.name === "target.overwrite") await takeToken();
  if (call.name === "directory.finishRecord") giveTokenBack();
  if (call.name === "os.self") return altered(await call.proceed());
  if (call.name === "file.tryLock" && plan.isLockless) return true;
  if (call.name === "directory.finishRecord") {
    const [request] = call.args;
    await markOf(request);
    if (plan.keepsRecord) {
      await request.record.close();
      await request.lock?.file.close();
      const stays = new OsError("EIO", "unlink", {});
      return { markError: undefined, record: stays, lock: stays };
    }
  }
  const answer = await call.proceed();
  if (!isCounting && call.name === stops[0]?.after) isCounting = true;
  return answer;
});

const engine = await openEngineWith(os, plan.engine ?? { userDataDirectory: plan.userData });
let outcome;
try {
  // Others look at the file while this one stands; a lease would make them wait.
  const edit = engine.edit(
    { path: plan.path, ...plan.edit },
    {
      exclusive: "off",
      waitMs: plan.waitMs ?? 0,
    },
  );
  const { status, recovered, warnings } = await edit;
  outcome = { status, recovered: recovered?.decision, warnings };
} catch (error) {
  outcome = { status: error.code ?? "crashed", message: error.message };
}
console.log(JSON.stringify(outcome));
await once(process.stdin, "data");
await engine.close();
process.exit();
