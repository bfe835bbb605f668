import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "tsup";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly version: string;
};

const replacement = fileURLToPath(new URL("no-child-process.cjs", import.meta.url));

// Start-up time decides how this is built: `fe` is run once for each edit. Each file that Node has
// to find costs time, and ES modules cost more than CommonJS, so all is one CommonJS file. The
// licences of what is not ours are in THIRD-PARTY.md.
export default defineConfig({
  entry: ["src/main.ts"],
  format: ["cjs"],
  target: "node20",
  sourcemap: true,
  clean: true,
  dts: false,
  noExternal: ["@fe/engine", "@fe/journal", "@fe/reconcile", "commander", "picocolors"],
  // It finds its addon by its own place.
  external: ["@fe/native"],
  define: { builtVersion: JSON.stringify(version) },
  // Otherwise `node:child_process` is taken for a name of Node before the plugin below is asked.
  removeNodeProtocol: false,
  esbuildPlugins: [
    {
      // commander loads it for commands that are programs of their own, of which there are none;
      // only `--tool` needs it, and loads it by itself.
      name: "no-child-process-for-commander",
      setup(build) {
        // A pattern of Go, which knows no flag.
        build.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
          /[\\/]commander[\\/]/u.test(importer) ? { path: replacement } : undefined,
        );
      },
    },
  ],
  esbuildOptions(options) {
    // Each byte is read and parsed at every start.
    options.minify = true;
  },
});
