// The inputs that the fuzz targets begin with, and those that longer runs have reached, each held
// to the rules of its target; `npm run test:fuzz` changes them further.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { tryKnownInputs } from "../../../scripts/fuzz/target.mjs";
import { target as call } from "../test/fuzz/call.ts";
import { target as stream } from "../test/fuzz/stream.ts";

const folder = fileURLToPath(new URL("../test/fixtures/", import.meta.url));

describe.each([call, stream])("fuzz target $name", (target) => {
  test("Q5 B14 keeps its rules for every known input", async () => {
    const fixture = (name: string): Buffer => readFileSync(`${folder}${name}`);
    const { inputs, accepted } = await tryKnownInputs(target, fixture);
    expect(accepted).toBeGreaterThan(0);
    expect(accepted).toBeLessThan(inputs);
  });
});
