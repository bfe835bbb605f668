import { mergeConfig } from "vitest/config";
import { base } from "../../vitest.base.ts";

// Minutes of their own, `npm run test:sweep`. The page on the simulation tells of its runs too.
const sweep = process.env.FE_SIMULATION_EVIDENCE === undefined ? ["**/*.sweep.crash.test.ts"] : [];

export default mergeConfig(base, { test: { name: "@fe/engine", exclude: sweep } });
