#!/usr/bin/env node
// CommonJS, as package.json beside it says, since that starts faster.
const home = require("node:path").dirname(__dirname);

/** A clone that was not built, or a package of which a part is gone. */
function reportNotBuilt() {
  const clone = require("node:path").join(home, "..", "..");
  const isClone = require("node:fs").existsSync(`${clone}/pnpm-workspace.yaml`);
  const build = `node "${clone}/scripts/pnpm.mjs" build`;
  const hint = isClone ? `Build it: ${build}` : "Install the package anew";
  const message = `The server is not built: "${home}" has no dist`;
  const text = `error FE_NATIVE_UNAVAILABLE: ${message}. ${hint}`;
  // The path is foreign text, and this goes to a terminal.
  process.stderr.write(`${text.replace(/[\p{Cc}\p{Cf}]/gu, "?")}\n`);
  process.exitCode = 1;
}

function run() {
  let main;
  try {
    ({ main } = require("../dist/server.cjs"));
  } catch (error) {
    if (require("node:fs").existsSync(`${home}/dist/server.cjs`)) throw error;
    reportNotBuilt();
    return;
  }
  main();
}

run();
