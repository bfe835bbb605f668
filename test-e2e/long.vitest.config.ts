// The suites that `npm test` leaves out, because they take minutes or need root; run one by
// `scripts/long-suite.mjs`, which says by the environment where the counts go.
import { fileURLToPath } from "node:url";
import { mergeConfig } from "vitest/config";
import { base } from "../vitest.base.ts";

const { FE_SUITE, FE_SUITE_RESULTS, FE_SUITE_SKIPS } = process.env;
const skipsReporter = fileURLToPath(new URL("../scripts/vitest-skips.mjs", import.meta.url));

export default mergeConfig(base, {
  test: {
    reporters: [
      ["default", { summary: false }],
      ...(FE_SUITE_RESULTS === undefined ? [] : [["json", { outputFile: FE_SUITE_RESULTS }]]),
      ...(FE_SUITE_SKIPS === undefined ? [] : [[skipsReporter, { outputFile: FE_SUITE_SKIPS }]]),
    ],
    // A test is one process after another, so two at once fill two cores; on disks most of the time
    // is spent waiting for mounts and syncs. The files come after each other, since each is that
    // wide by itself.
    fileParallelism: false,
    maxConcurrency: FE_SUITE === "power" ? 4 : 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
