// A process that makes one edit over the built packages and dies, or stops, at a given call of the
// system: the product has no hook for it, since an engine can be opened over any port.
//
//   node stopped-edit.mjs '{"path", "edit", "userData", "at", "nth"?, "partBytes"?, "ending"}'
//
// `at`: a call as `interceptOs` names it; `nth`: how often it is made before, 0 by default.
// `partBytes`: of a write, so many bytes are written first.
// `tellsExclusion`: says it after the status, with its reason if there is one.
// `ending`: `kill` (SIGKILL to itself) or `stop` (says `stopped`, and goes on when a line arrives).
import { once } from "node:events";
import { openEngineWith } from "@fe/engine/testing";
import { createNodeOs } from "@fe/native";
import { interceptOs } from "@fe/native/testing";

const plan = JSON.parse(process.argv[2] ?? "{}");
let met = 0;

const os = interceptOs(createNodeOs(), async (call) => {
  if (call.name !== plan.at || met++ !== (plan.nth ?? 0)) return call.proceed();
  if (plan.partBytes !== undefined) {
    const [bytes, position] = call.args;
    await call.proceed(bytes.subarray(0, plan.partBytes), position);
  }
  if (plan.ending === "kill") process.kill(process.pid, "SIGKILL");
  console.log("stopped");
  await once(process.stdin, "data");
  return call.proceed();
});

const engine = await openEngineWith(os, { userDataDirectory: plan.userData });
try {
  const result = await engine.edit({ path: plan.path, ...plan.edit }, plan.options ?? {});
  const { status, exclusion, exclusionReason = "" } = result;
  console.log(plan.tellsExclusion === true ? `${status} ${exclusion} ${exclusionReason}` : status);
} catch (error) {
  console.log(error.code);
}
await engine.close();
process.exit();
