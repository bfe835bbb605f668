// Fills the paragraphs of a page, so that their sources can be cut anywhere.

const columns = 100;

/**
 * @param {readonly string[]} lines "" ends a paragraph; tables, lists and headings stay as they are
 * @returns {string} the page
 */
export function reflow(lines) {
  const page = [];
  let filled = "";
  for (const line of lines) {
    const isText = line !== "" && !/^(?:[|#]|- )/u.test(line);
    for (const word of isText ? line.split(" ") : []) {
      if (filled !== "" && filled.length + 1 + word.length > columns) {
        page.push(filled);
        filled = "";
      }
      filled += filled === "" ? word : ` ${word}`;
    }
    if (isText) continue;
    if (filled !== "") page.push(filled);
    filled = "";
    page.push(line);
  }
  if (filled !== "") page.push(filled);
  return `${page.join("\n")}\n`;
}
