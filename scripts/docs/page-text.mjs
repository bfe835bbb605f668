// A page as text, for tests of what the documents must say.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * A page without line breaks and emphasis, so that a sentence can be looked for.
 *
 * @param {string} name relative to the root of the repository
 * @returns {string}
 */
export function pageText(name) {
  const text = readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), "utf8");
  return text.replaceAll(/[*`]/gu, "").replaceAll(/\s+/gu, " ");
}
