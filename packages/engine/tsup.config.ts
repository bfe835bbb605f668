import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/display.ts", "src/testing.ts"],
  format: ["esm", "cjs"],
  target: "node20",
  sourcemap: true,
  clean: true,
  // The base config is composite, which the bundling of declarations cannot be.
  dts: { compilerOptions: { composite: false, incremental: false } },
});
