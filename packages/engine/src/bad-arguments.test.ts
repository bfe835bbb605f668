// Every public call, with arguments that a program in JavaScript can give and the types forbid.
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Place } from "../test/place.ts";
import { openEngine } from "./engine.ts";
import type { Engine } from "./engine-types.ts";
import { FeError } from "./errors.ts";

/** The calls below are made as from JavaScript: this is taken for whatever they take. */
type Loose = never;

const nonsense = [
  undefined,
  null,
  0,
  Number.NaN,
  "",
  "nonsense",
  "\0",
  true,
  [],
  {},
  Symbol("s"),
  () => {},
] as readonly unknown[] as readonly Loose[];
const id = "ab".repeat(32);

const calls: Readonly<Record<string, (engine: Engine, value: Loose, path: string) => unknown>> = {
  edit: (engine, value) => engine.edit(value),
  "edit, path": (engine, value) => engine.edit({ path: value, oldString: "a", newString: "b" }),
  "edit, oldString": (engine, value, path) =>
    engine.edit({ path, oldString: value, newString: "b" }),
  "edit, edits": (engine, value, path) => engine.edit({ path, edits: value }),
  "edit, one of edits": (engine, value, path) => engine.edit({ path, edits: [value] }),
  "edit, options": (engine, value, path) =>
    engine.edit({ path, oldString: "x", newString: "b" }, value),
  "edit, signal": (engine, value, path) =>
    engine.edit({ path, oldString: "x", newString: "b" }, { signal: value }),
  "edit, encoding": (engine, value, path) =>
    engine.edit({ path, oldString: "x", newString: "b", encoding: value }),
  "edit, expectedSha256": (engine, value, path) =>
    engine.edit({ path, oldString: "x", newString: "b", expectedSha256: value }),
  preview: (engine, value) => engine.preview(value),
  "preview, options": (engine, value, path) =>
    engine.preview({ path, oldString: "x", newString: "b" }, value),
  identify: (engine, value) => engine.identify(value),
  examine: (engine, value) => engine.examine(value ?? "\0"),
  show: (engine, value) => engine.recovery.show(value, "before"),
  "show, version": (engine, value) => engine.recovery.show(id, value),
  resolve: (engine, value) => engine.recovery.resolve(value, { keep: "before" }),
  "resolve, options": (engine, value) => engine.recovery.resolve(id, value),
  "resolve, keep": (engine, value) => engine.recovery.resolve(id, { keep: value }),
  "resolve, content": (engine, value) => engine.recovery.resolve(id, { content: value }),
  undo: (engine, value) => engine.recovery.undo(value),
  "undo, options": (engine, value) => engine.recovery.undo(id, value),
};

const isAbsent = (value: unknown): boolean => value === undefined;

/** Which of the values above are as they should be. */
const fine: Readonly<Record<string, (value: unknown) => boolean>> = {
  userDataDirectory: isAbsent,
  // Where the directory is given, neither names one.
  appName: (value) => isAbsent(value) || typeof value === "string",
  profile: (value) => isAbsent(value) || typeof value === "string",
  electronAppData: (value) => isAbsent(value) || typeof value === "string",
  roots: (value) => isAbsent(value) || (Array.isArray(value) && value.length === 0),
  maxFileBytes: (value) => isAbsent(value) || value === 0,
  authorize: (value) => isAbsent(value) || typeof value === "function",
  beforeCommit: (value) => isAbsent(value) || typeof value === "function",
  followSymlinks: (value) => isAbsent(value) || value === true,
};
const engineOptions = Object.keys(fine);

async function outcomeOf(work: () => unknown): Promise<unknown> {
  try {
    await work();
    return "succeeded";
  } catch (error) {
    return error;
  }
}

/** What a person must never be shown in place of a value. */
const leaked = /undefined(?!$)|\[object|function |=>|Symbol\(|\bat .*:\d+:\d+/u;

function expectClear(outcome: unknown): void {
  if (!(outcome instanceof FeError)) expect.unreachable(String(outcome));
  expect(outcome.message).not.toMatch(leaked);
  expect(outcome.effect).toBe("none");
  expect(outcome.hint).toBeTruthy();
}

describe("arguments that make no sense", () => {
  it.each(Object.keys(calls))("Q5 end %s with an FeError", async (name) => {
    const place = new Place();
    const path = place.path("f");
    writeFileSync(path, "one\n");
    const engine: Engine = await place.engine();
    for (const value of nonsense)
      expectClear(await outcomeOf(() => calls[name]?.(engine, value, path)));
    expect(place.storeNames()).toEqual([]);
  });

  it.each(engineOptions)("Q5 end openEngine with an FeError: %s", async (member) => {
    const place = new Place();
    for (const value of nonsense) {
      const options = { userDataDirectory: place.userData, [member]: value };
      const outcome = await outcomeOf(() => openEngine(options));
      // What is valid here too, such as an empty list of roots.
      if (outcome !== "succeeded") expectClear(outcome);
      else
        expect([JSON.stringify(value), fine[member]?.(value)]).toEqual([
          JSON.stringify(value),
          true,
        ]);
    }
  });

  it.each([[null], [0], ["nonsense"], [[]]])(
    "Q5 end openEngine(%j) with an FeError",
    async (options) => {
      expectClear(await outcomeOf(() => openEngine(options as Loose)));
    },
  );
});
