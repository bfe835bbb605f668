// Finds paths of the machine on which a file was made: they tell where somebody works, and lead
// nowhere for everybody else.
import { homedir, tmpdir } from "node:os";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Of this machine. */
export const ownPlaces = [root, `${homedir()}/`, `${tmpdir()}/`];

/** Of any: a library inside the file may have been made on another. */
export const anyPlaces = [...ownPlaces, "/home/", "/Users/", "/root/", "C:\\Users\\"];

/**
 * @param {Buffer} content
 * @param {readonly string[]} places
 * @returns {string[]} each with what surrounds it
 */
export function machinePaths(content, places) {
  /** @type {string[]} */
  const found = [];
  for (const place of new Set(places)) {
    const at = content.indexOf(place);
    if (at === -1) continue;
    const text = content.toString("latin1", Math.max(0, at - 8), at + place.length + 60);
    found.push(text.replaceAll(/[^\x20-\x7e]+/gu, " "));
  }
  return found;
}
