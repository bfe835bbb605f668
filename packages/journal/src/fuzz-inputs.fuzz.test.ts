// The inputs that the fuzz targets begin with, and those that longer runs have reached, each held
// to the rules of its target; `npm run test:fuzz` changes them further.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { tryKnownInputs } from "../../../scripts/fuzz/target.mjs";
import { target as legacyRecord } from "../test/fuzz/legacy-record.ts";
import { target as metadata } from "../test/fuzz/metadata.ts";
import { target as names } from "../test/fuzz/names.ts";
import { target as record } from "../test/fuzz/record.ts";
import { target as splices } from "../test/fuzz/splices.ts";

const folder = fileURLToPath(new URL("../test/fixtures/", import.meta.url));

describe.each([record, metadata, legacyRecord, splices, names])("fuzz target $name", (target) => {
  test("S19 B14 keeps its rules for every known input", async () => {
    const fixture = (name: string): Buffer => readFileSync(`${folder}${name}`);
    const { inputs, accepted } = await tryKnownInputs(target, fixture);
    expect(accepted).toBeGreaterThan(0);
    expect(accepted).toBeLessThan(inputs);
  });
});
