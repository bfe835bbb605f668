// The protocol with one thing left out, by which a suite shows that it would notice. The product
// has no switch for it: a mutant is a port between the engine and the system.
import { readdirSync, unlinkSync } from "node:fs";
import path from "node:path";
import { interceptOs } from "@fe/native/testing";

/**
 * What is left out or done too early. Each handles one call, or lets it go on with `proceed`;
 * `last` says which of the calls that change names came last in that store.
 *
 * @typedef {import("@fe/native/testing").InterceptedCall} Call
 * @typedef {import("@fe/native").TargetFile} TargetFile
 * @typedef {{ last: string, userData: string, met: number, target?: TargetFile }} State
 * @type {Readonly<Record<string, (call: Call, state: State) => unknown>>}
 */
export const mutants = {
  none: (call) => call.proceed(),
  "store not synced": (call, { last }) => {
    if (call.name === "directory.sync" && last === "directory.makeDirectory") return undefined;
    return call.proceed();
  },
  "record not synced": (call, { last }) => {
    if (call.name === "file.sync" && last !== "saved") return undefined;
    return call.proceed();
  },
  "directory not synced after the link": (call, { last }) => {
    if (call.name === "directory.sync" && last === "directory.linkUnnamedFile") return undefined;
    return call.proceed();
  },
  "target not synced": (call) => (call.name === "target.sync" ? undefined : call.proceed()),
  "directory not synced after the removal": (call, { last }) => {
    if (call.name === "directory.sync" && last === "directory.finishRecord") return undefined;
    return call.proceed();
  },
  "orphan's target not synced": (call) => {
    return call.name === "reader.sync" ? undefined : call.proceed();
  },
  "no sync at all": (call) => (call.name.endsWith(".sync") ? undefined : call.proceed()),
  "lock not taken": (call) => (call.name === "file.tryLock" ? true : call.proceed()),
  "truncated first": async (call, state) => {
    if (call.name === "pinned.openForWriting") {
      const target = /** @type {TargetFile} */ (await call.proceed());
      state.target = target;
      return target;
    }
    // From there on everything is written anew, so that the edit succeeds all the same.
    if (call.name === "target.overwrite" && state.met++ === 0) {
      await state.target?.setLength(Number(call.args[1]));
    }
    return call.proceed();
  },
  "record removed first": (call, state) => {
    if (call.name !== "target.overwrite" || state.met++ > 0) return call.proceed();
    const store = path.join(state.userData, "edit-recovery");
    for (const name of readdirSync(store)) {
      if (name.endsWith(".fer")) unlinkSync(path.join(store, name));
    }
    return call.proceed();
  },
};

const namings = /\.(?:linkUnnamedFile|link|rename|makeDirectory|unlink|finishRecord)$/u;

/**
 * @param {import("@fe/native").Os} os
 * @param {string} name a key of `mutants`
 * @param {string} userData
 * @param {(call: Call) => void} [watch] is told of every call, before it is made
 */
export function mutate(os, name, userData, watch = () => {}) {
  const mutant = mutants[name];
  if (mutant === undefined) throw new Error(`There is no mutant "${name}"`);
  /** @type {State} */
  const state = { last: "", userData, met: 0 };
  return interceptOs(os, async (call) => {
    watch(call);
    const answer = await mutant(call, state);
    if (namings.test(call.name)) state.last = call.name;
    return answer;
  });
}
