// Invariants and assumptions of docs/protocol.md: each must be cited by number in the code that
// relies on it and in the test that tries to break it.

/**
 * @param {string} page docs/protocol.md
 * @returns {string[]} ids that a list item, a row, a heading or a paragraph begins with
 */
export function definedIds(page) {
  const start = /^(?:[-*] +|\| *|#+ +)?(?:\*\*|`)?([IA]\d+)\b/gmu;
  return [...new Set([...page.matchAll(start)].map(([, id = ""]) => id))];
}

/**
 * @param {string} page
 * @param {ReadonlyMap<string, string>} code text by name
 * @returns {string[]} what is wrong
 */
export function checkCitations(page, code) {
  const cited = new Set();
  for (const text of code.values()) {
    for (const id of text.match(/\b[IA]\d+\b/gu) ?? []) cited.add(id);
  }
  return definedIds(page)
    .filter((id) => !cited.has(id))
    .map((id) => `docs/protocol.md: no code cites ${id}`);
}
