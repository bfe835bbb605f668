/** The examples of README.md run as they stand there; only the places of files are others. */
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import * as native from "../lib/index.ts";
import type { World } from "./contract-world.ts";
import { makeNodeWorld } from "./node-world.ts";

const readme = fs.readFileSync(path.resolve(import.meta.dirname, "..", "README.md"), "utf8");
const examples = [...readme.matchAll(/^```js\n(.*?)^```$/gmsu)].map(([, code]) => code ?? "");

let world: World;
beforeEach(async () => {
  world = await makeNodeWorld();
});
afterEach(() => world.dispose());

/** Runs an example; returns what it printed. */
async function run(
  code: string,
  library: Pick<typeof native, never> = native,
): Promise<unknown[][]> {
  const printed: unknown[][] = [];
  const body = code
    .replace(/^import (\{.*?\}) from "@fe\/native";$/gmu, "const $1 = native;")
    .replaceAll(/"(notes\.md|private)"(?=[,)])/gu, (_, name: string) =>
      code.includes(`entryStatus("${name}")`)
        ? JSON.stringify(name)
        : JSON.stringify(path.join(world.root, name)),
    );
  // biome-ignore lint/complexity/noBannedTypes: what makes functions of text has no other name
  const AsyncFunction = (async () => {}).constructor as new (...texts: string[]) => Function;
  const console = { log: (...words: unknown[]) => printed.push(words) };
  await new AsyncFunction("native", "console", body)(library, console);
  return printed;
}

test("Q4 every example of README.md runs, and prints what it says", async () => {
  fs.mkdirSync(path.join(world.root, "private"), { mode: 0o700 });
  fs.writeFileSync(path.join(world.root, "notes.md"), "");
  fs.symlinkSync("/etc", path.join(world.root, "private", "notes.md"));
  expect(examples).toHaveLength(4);
  const printed: unknown[] = [];
  for (const code of examples) printed.push(...(await run(code)));
  const verdict = {
    isPrivate: false,
    reasons: ["Users (S-1-5-32-545) may read (0x1200a9)"],
  };
  expect(printed).toEqual([[true], [true, "symlink"], [false], [verdict]]);
});

test("Q4 the example about a process takes only what is proved to be gone for that", async () => {
  const code = examples.find((text) => text.includes("isGone")) ?? "";
  const now = await native.createNodeOs().self();
  const judge = async (noted: object, probe: object): Promise<unknown> => {
    const answers = [{ ...now, ...noted }, now];
    const os = { self: async () => answers.shift(), probeProcess: async () => probe };
    return (await run(code, { createNodeOs: () => os }))[0]?.[0];
  };
  const absent = { answer: "absent" };
  const same = { answer: "exists", startTime: now.startTime };
  expect([await judge({}, absent), await judge({}, same)]).toEqual([true, false]);
  expect(await judge({ startTime: 1n }, same)).toBe(true);
  expect(await judge({ bootId: "earlier" }, same)).toBe(true);
  // Another host has other boots, and another container other numbers.
  expect(await judge({ hostId: "other", bootId: "earlier" }, absent)).toBe(false);
  expect(await judge({ pidNamespace: 1n }, absent)).toBe(false);
  expect(await judge({ pidNamespace: 1n, bootId: "earlier" }, absent)).toBe(true);
  for (const part of ["startTime", "bootId"])
    expect(await judge({ [part]: undefined }, same), part).toBe(false);
});
