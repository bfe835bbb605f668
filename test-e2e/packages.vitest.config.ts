// The tests of the packed packages, as scripts/package-test.mjs runs them.
import { defineConfig } from "vitest/config";
import { base } from "../vitest.base.ts";

const { FE_PACKAGE_RESULTS = "results.json", FE_PACKAGE_SKIPS = "skips.jsonl" } = process.env;

export default defineConfig({
  test: {
    ...base.test,
    name: "packages",
    include: ["src/packages/**/*.test.ts"],
    reporters: [
      ["verbose", { summary: false }],
      ["json", { outputFile: FE_PACKAGE_RESULTS }],
      ["../scripts/vitest-skips.mjs", { outputFile: FE_PACKAGE_SKIPS }],
    ],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 240_000,
  },
});
