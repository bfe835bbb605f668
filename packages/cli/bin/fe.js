#!/usr/bin/env node
// CommonJS, as package.json beside it says, since that starts faster.
const home = require("node:path").dirname(__dirname);

/** A clone that was not built, or a package of which a part is gone. */
function reportNotBuilt() {
  const message = `The command is not built: "${home}" has no dist`;
  const clone = require("node:path").join(home, "..", "..");
  const isClone = require("node:fs").existsSync(`${clone}/pnpm-workspace.yaml`);
  const hint = isClone
    ? `Build it: npm --prefix "${clone}" start -- --help`
    : "Install the package anew";
  const options = process.argv.slice(2);
  const end = options.indexOf("--");
  if ((end < 0 ? options : options.slice(0, end)).includes("--json")) {
    const code = "FE_NATIVE_UNAVAILABLE";
    const error = { code, message, effect: "none", retryable: false, hint };
    process.stdout.write(`${JSON.stringify({ status: "failed", warnings: [], error })}\n`);
  } else {
    // The path is foreign text, and this goes to a terminal.
    const text = `error FE_NATIVE_UNAVAILABLE: ${message}. ${hint}`;
    process.stderr.write(`${text.replace(/[\p{Cc}\p{Cf}]/gu, "?")}\n`);
  }
  process.exitCode = 1;
}

async function run() {
  try {
    await require("../dist/start.cjs").start(home, require);
  } catch (error) {
    const { existsSync } = require("node:fs");
    const isBuilt = ["start.cjs", "main.cjs"].every((name) => existsSync(`${home}/dist/${name}`));
    if (isBuilt) throw error;
    reportNotBuilt();
  }
}

void run();
