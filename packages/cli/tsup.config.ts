import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/main.ts"],
  format: ["esm"],
  target: "node20",
  sourcemap: true,
  clean: true,
  dts: false,
  // Bundled, since each file that Node has to find costs start-up time; their licences are in
  // THIRD-PARTY.md. The engine is not: the addon is found by the place of its own package.
  noExternal: ["commander", "picocolors"],
  // commander is CommonJS and requires Node's own modules.
  banner: {
    js: `import { createRequire } from "node:module";
const require = createRequire(import.meta.url);`,
  },
});
