// The pages of docs/ that a package brings along: those that its README or its types name. A copy
// is made when the package is packed, so that there is one source; a link to what is not packed
// with it becomes its text.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("../../docs", import.meta.url));
/** Those for people who use a package. The others are for people who work on it. */
const pages = ["errors.md", "platforms.md", "protocol.md", "recovery.md"];

/**
 * @param {string} text of a package's page or types
 * @returns {string[]} the pages that it names
 */
export function pagesNamed(text) {
  return pages.filter((page) => text.includes(`docs/${page}`));
}

/**
 * @param {string} page
 * @param {readonly string[]} packed names of the pages beside it
 * @returns {string} the page, all links of which lead to what is there
 */
export function withoutDeadLinks(page, packed) {
  return page.replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/gu, (link, text, target) => {
    const [file = ""] = String(target).split("#");
    const leads = file === "" || packed.includes(file) || /^[a-z][a-z0-9+.-]*:/iu.test(file);
    return leads ? link : text;
  });
}

/**
 * Lays the pages into `docs` of a package that is built.
 *
 * @param {string} folder of the package
 */
export function layPages(folder) {
  const types = readdirSync(path.join(folder, "dist")).filter((name) => name.endsWith(".d.ts"));
  const texts = ["README.md", ...types.map((name) => path.join("dist", name))].map((name) =>
    readFileSync(path.join(folder, name), "utf8"),
  );
  const packed = pagesNamed(texts.join("\n"));
  const goal = path.join(folder, "docs");
  rmSync(goal, { recursive: true, force: true });
  mkdirSync(goal);
  for (const page of packed) {
    const text = readFileSync(path.join(source, page), "utf8");
    writeFileSync(path.join(goal, page), withoutDeadLinks(text, packed));
  }
}
