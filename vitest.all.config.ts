// All packages in one run, for `npm test`. It has another name than vitest.config.ts because vitest
// looks upward for that one, and a package's own run would pick this up.
import { defineConfig } from "vitest/config";
import { base } from "./vitest.base.ts";

export default defineConfig({
  test: {
    // Otherwise a core is left free, and on two of them everything runs one after the other.
    maxWorkers: "100%",
    // scripts/test.mjs counts from the first file and lists the skipped tests from the second.
    reporters: [
      "default",
      ["json", { outputFile: "node_modules/.cache/vitest.json" }],
      ["./scripts/vitest-skips.mjs", { outputFile: "node_modules/.cache/vitest-skips.jsonl" }],
    ],
    projects: [
      "native",
      "packages/*",
      "bench",
      "test-e2e",
      { test: { ...base.test, name: "scripts", include: ["scripts/**/*.test.ts"] } },
    ],
  },
});
