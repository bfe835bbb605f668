// Runs bundled tests within the Node to be tested: main.mjs NODE RESULTS FILE…
import { writeFileSync } from "node:fs";
import { makeLinksHonest } from "./links.mjs";
import { startAgainIfRefused } from "./spawn.mjs";
import { runFile } from "./vitest.mjs";

const [node = "", results = "", ...files] = process.argv.slice(2);
// Tests start others like themselves, which the kernel can do by this command only.
process.execPath = node;
makeLinksHonest();
startAgainIfRefused();
/** @type {import("./vitest.mjs").Outcome[]} */
const outcomes = [];
/** @type {Record<string, number>} how long each file took */
const tookMs = {};
let current = "";
for (const event of ["uncaughtException", "unhandledRejection"]) {
  process.on(event, (error) => {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    outcomes.push({ title: `${current} > ${event}`, state: "failed", detail });
  });
}
for (const file of files) {
  current = file;
  const startedMs = performance.now();
  const url = new URL(`../../${file}.mjs`, import.meta.url);
  outcomes.push(...(await runFile(file, url.href)));
  tookMs[file] = Math.round(performance.now() - startedMs);
  // Each time, so that a crash or a limit of time leaves what was found by then.
  const { arch, versions } = process;
  writeFileSync(results, JSON.stringify({ arch, version: versions.node, outcomes, tookMs }));
}
process.exit(0);
