import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "tsup";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly version: string;
};

// One CommonJS file: a client starts the server with each session, and waits for it. Measured with
// Node 20, the SDK and zod take 0.28 s to load from their own files and 0.15 s from one; and of the
// 98 packages (29 MB) that come with the SDK, mostly for HTTP, this keeps what stdio needs. The
// licences of what is not ours are in THIRD-PARTY.md.
export default defineConfig({
  entry: ["src/server.ts"],
  format: ["cjs"],
  target: "node20",
  sourcemap: true,
  clean: true,
  dts: false,
  // Everything but @fe/native, which finds its addon by its own place, and the tables of
  // iconv-lite, which the engine loads only for the rare file that needs them.
  noExternal: [/^(?!@fe\/native|iconv-lite)/],
  external: ["@fe/native", "iconv-lite"],
  define: { builtVersion: JSON.stringify(version) },
  esbuildOptions(options) {
    options.minifyWhitespace = true;
    options.minifySyntax = true;
    // The SDK loads it to check what a person entered in a form. This server asks for no forms, and
    // the two are a third of the file and 20 ms.
    const noAjv = fileURLToPath(new URL("no-ajv.cjs", import.meta.url));
    options.alias = { ajv: noAjv, "ajv-formats": noAjv };
  },
});
