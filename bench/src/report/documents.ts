/** Puts the tables of a run between their markers in a page. Pure. */
import type { Sections } from "./sections.ts";

/** `<!-- bench:times -->` … `<!-- /bench:times -->`, each on a line of its own. */
const marked = /(<!-- bench:([a-z-]+) -->\n)[\s\S]*?(<!-- \/bench:\2 -->)/gu;

/**
 * The page with every marked place filled anew; what stands outside of markers stays.
 *
 * Errors: `RangeError` for a marker without a section of its name, and for one that is not closed.
 */
export function fillMarkers(page: string, sections: Sections): string {
  const opened = page.match(/<!-- bench:[a-z-]+ -->/gu)?.length ?? 0;
  let filled = 0;
  const result = page.replaceAll(marked, (_, begin: string, name: string, end: string) => {
    const section = sections[name];
    if (section === undefined) throw new RangeError(`There is no section "${name}"`);
    filled += 1;
    return `${begin}\n${section}\n\n${end}`;
  });
  if (filled !== opened) throw new RangeError(`${opened - filled} markers are not closed`);
  return result;
}
