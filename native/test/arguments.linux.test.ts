// What the addon does with arguments that lib/ never gives.
// `npm run test:sanitize` tries many more.
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadAddon } from "../lib/load.ts";
import type { World } from "./contract-world.ts";
import { makeNodeWorld } from "./node-world.ts";

const addon = loadAddon();
let world: World;
let directory: number;
beforeEach(async () => {
  world = await makeNodeWorld();
  directory = addon.openDirectoryByPath(Buffer.from(world.root));
});
afterEach(async () => {
  addon.close(directory);
  await world.dispose();
});

test("Q5 a view of another type is no bytes, and said to be an argument of a wrong type", () => {
  const memory = new ArrayBuffer(64);
  for (const other of [
    new DataView(memory),
    new Float64Array(memory),
    new BigUint64Array(memory),
    new Int8Array(memory),
  ]) {
    const view = other as unknown as Buffer;
    expect(() => addon.openDirectoryByPath(view)).toThrow(TypeError);
    expect(() => addon.findInHeads(directory, [view], Buffer.from("x"), 1)).toThrow(TypeError);
  }
});

test("Q5 a list that states a length which no memory holds is refused at its first hole", () => {
  const names: Buffer[] = [];
  names.length = 2 ** 32 - 1;
  expect(() => addon.findInHeads(directory, names, Buffer.from("x"), 1)).toThrow(TypeError);
});

test("findInHeads() finds nothing within no bytes", async () => {
  await world.writeFile(`${world.root}/f`, "content");
  const names = [Buffer.from("f")];
  expect(await addon.findInHeads(directory, names, Buffer.from("c"), 0)).toEqual([]);
  expect(await addon.findInHeads(directory, names, Buffer.from("c"), 1)).toEqual([0]);
});
