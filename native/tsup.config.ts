import { defineConfig } from "tsup";

export default defineConfig({
  entry: { index: "lib/index.ts", testing: "testing/index.ts" },
  format: ["esm", "cjs"],
  target: "node20",
  sourcemap: true,
  clean: true,
  // One copy of the addon for the ESM and the CJS build; it stays beside binding.gyp.
  external: [/binding\.cjs$/],
  // The base config is composite, which the bundling of declarations cannot be.
  dts: { compilerOptions: { composite: false, incremental: false } },
});
