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
  entry: ["src/start.ts", "src/main.ts"],
  format: ["cjs"],
  target: "node20",
  sourcemap: true,
  clean: true,
  dts: false,
  noExternal: [/^@fe\//, "commander", "picocolors"],
  define: { builtVersion: JSON.stringify(version) },
  // Otherwise `node:child_process` is taken for a name of Node before the plugin below is asked.
  removeNodeProtocol: false,
  esbuildPlugins: [
    {
      // It finds the addon by its own place, and so stays in its package.
      name: "addon-in-its-package",
      setup(build) {
        build.onResolve({ filter: /[\\/]binding\.cjs$/ }, () => ({
          ...{ path: "@fe/native/binding.cjs", external: true },
        }));
      },
    },
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
    // `require` in its place: start.ts runs the code in a way that has no `import()`.
    options.supported = { ...options.supported, "dynamic-import": false };
  },
});
