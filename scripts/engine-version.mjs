// Keeps the version that recovery records name equal to that of the package. The sources are run
// without a build in tests, so they cannot take it from one.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { keepPage } from "./docs/keep-page.mjs";

const packageFile = new URL("../packages/engine/package.json", import.meta.url);
const { version } = JSON.parse(readFileSync(fileURLToPath(packageFile), "utf8"));

keepPage(
  "packages/engine/src/version.ts",
  `/** The version that records name; scripts/engine-version.mjs keeps it equal to the package's. */
export const engineVersion: string = "${version}";
`,
  "node scripts/engine-version.mjs",
);
