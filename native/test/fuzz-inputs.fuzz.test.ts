// The inputs that the fuzz target begins with, and those that longer runs have reached, each held
// to the rules of its target; `npm run test:fuzz` changes them further.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tryKnownInputs } from "../../scripts/fuzz/target.mjs";
import { target } from "./fuzz/descriptor.ts";

const folder = fileURLToPath(new URL("fixtures/", import.meta.url));

test("B14 fuzz target descriptor keeps its rules for every known input", async () => {
  const fixture = (name: string): Buffer => readFileSync(`${folder}${name}`);
  const { inputs, accepted } = await tryKnownInputs(target, fixture);
  expect(accepted).toBeGreaterThan(0);
  expect(accepted).toBeLessThan(inputs);
});
