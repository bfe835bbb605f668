import { mergeConfig } from "vitest/config";
import { base } from "../vitest.base.ts";

export default mergeConfig(base, {
  test: {
    name: "@fe/test-e2e",
    // The long suites, see long.vitest.config.ts, and packages.vitest.config.ts.
    exclude: [
      ...["src/crash/**", "src/power/**", "src/env/**", "src/reports/long/**"],
      "src/packages/**",
    ],
  },
});
