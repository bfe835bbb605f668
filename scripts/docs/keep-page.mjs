// Pages that are made by a script and committed, so that a reader needs no script.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Writes a page; with `--check` on the command line it writes nothing, and the process fails if the
 * page is not this text.
 *
 * @param {string} name relative to the root of the repository
 * @param {string} text
 * @param {string} command which makes it
 */
export function keepPage(name, text, command) {
  const page = fileURLToPath(new URL(`../../${name}`, import.meta.url));
  if (!process.argv.includes("--check")) {
    writeFileSync(page, text);
  } else if (!existsSync(page) || readFileSync(page, "utf8") !== text) {
    console.log(`${name} is not up to date; run \`${command}\``);
    process.exitCode = 1;
  }
}
