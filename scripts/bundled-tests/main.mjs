// Runs the bundled tests within the Node to be tested: main.mjs NODE RESULTS TEST…
import { writeFileSync } from "node:fs";
import { runAll, startFile } from "./vitest.mjs";

const [node = "", results = "", ...files] = process.argv.slice(2);
// Tests start others like themselves, which the kernel can do by this command only.
process.execPath = node;
for (const file of files) {
  startFile(file.replace(/\.mjs$/u, ""));
  await import(new URL(file, import.meta.url).href);
}
const outcomes = await runAll();
const { arch, versions } = process;
writeFileSync(results, JSON.stringify({ arch, version: versions.node, outcomes }));
process.exit(0);
