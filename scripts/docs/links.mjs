// Relative links of Markdown pages: the file must exist, and so must the heading after `#`.
import path from "node:path";

/**
 * @param {string} page
 * @returns {string} the page without its code, in which brackets mean something else
 */
function withoutCode(page) {
  return page.replaceAll(/^(`{3,}|~{3,})[\s\S]*?^\1/gmu, "").replaceAll(/`[^`\n]*`/gu, "");
}

/**
 * @param {string} page
 * @returns {Set<string>} the anchors of its headings, as GitHub makes them
 */
function anchorsOf(page) {
  const anchors = new Set();
  const prose = page.replaceAll(/^(`{3,}|~{3,})[\s\S]*?^\1/gmu, "");
  for (const [, heading = ""] of prose.matchAll(/^#{1,6} +(.+?) *$/gmu)) {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
      .replaceAll(" ", "-");
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/**
 * @param {ReadonlyMap<string, string>} pages text by name
 * @param {(name: string) => boolean} exists
 * @returns {string[]} what is wrong
 */
export function checkLinks(pages, exists) {
  /** @type {string[]} */
  const problems = [];
  for (const [name, page] of pages) {
    const targets = [
      ...withoutCode(page).matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/gu),
      ...withoutCode(page).matchAll(/^\[[^\]]+\]: +<?([^\s>]+)>?/gmu),
    ].map(([, target = ""]) => target);
    for (const target of targets) {
      if (/^[a-z][a-z0-9+.-]*:/iu.test(target)) continue;
      const [file = "", anchor] = target.split("#");
      const goal =
        file === "" ? name : path.posix.join(path.posix.dirname(name), decodeURIComponent(file));
      const goalPage = pages.get(goal);
      if (!exists(goal)) problems.push(`${name}: ${target} leads nowhere`);
      else if (anchor && goalPage !== undefined && !anchorsOf(goalPage).has(anchor)) {
        problems.push(`${name}: ${target} names a heading that is not there`);
      }
    }
  }
  return problems;
}
