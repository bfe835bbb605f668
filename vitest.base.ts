// What every package's vitest.config.ts has in common. Workspace packages resolve to their sources,
// so that a test needs no build but that of the addon.
import { fileURLToPath } from "node:url";
import type { ViteUserConfig } from "vitest/config";

const source = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** The same table as `paths` in tsconfig.base.json. */
const sources: Readonly<Record<string, string>> = {
  "@fe/native": source("native/lib/index.ts"),
  "@fe/native/testing": source("native/testing/index.ts"),
  "@fe/journal": source("packages/journal/src/index.ts"),
  "@fe/reconcile": source("packages/reconcile/src/index.ts"),
  "@fe/engine": source("packages/engine/src/index.ts"),
  "@fe/engine/display": source("packages/engine/src/display.ts"),
  "@fe/engine/testing": source("packages/engine/src/testing.ts"),
};

/** Tests of what one system alone has. Those of Windows are run by scripts/windows-test.mjs. */
const ofOthers = [
  ...(process.platform === "linux" ? [] : ["**/*.linux.test.ts"]),
  ...(process.platform === "win32" ? [] : ["**/*.windows.test.ts"]),
];

export const base: ViteUserConfig = {
  resolve: {
    alias: Object.entries(sources).map(([name, replacement]) => ({
      find: new RegExp(`^${name}$`),
      replacement,
    })),
  },
  test: {
    include: ["**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**", "**/build/**", "**/build-types/**", ...ofOthers],
    pool: "forks",
    // Tests prove what happens, not how fast: a busy machine must not fail them.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    passWithNoTests: true,
  },
};
