/**
 * Roots that a client tells: from URIs to paths, and what of the server's own roots they leave.
 * Pure; where a path really is, the engine says.
 */
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The path of a `file:` URI; `undefined` for any other, and for one that names no path here. */
export function pathOfUri(uri: string): string | undefined {
  try {
    const url = new URL(uri);
    // On Windows the path of another host is one too, and to look there sends it credentials.
    if (url.protocol !== "file:" || url.hostname !== "") return undefined;
    const found = fileURLToPath(url);
    // A NUL can be written in a URI, and cannot be in a path.
    return path.isAbsolute(found) && !found.includes("\0") ? found : undefined;
  } catch {
    // Not a URI, without a drive on Windows, or an escape that is not UTF-8.
    return undefined;
  }
}

/**
 * Whether `file` is `directory` or lies below it, judged by the text of two absolute paths. Not by
 * `path.relative`: on Windows that takes `Work` and `work` for one, and a folder can be made to
 * tell them apart.
 */
export function isWithin(directory: string, file: string): boolean {
  const above = path.resolve(directory);
  const below = path.resolve(file);
  const start = above.endsWith(path.sep) ? above : `${above}${path.sep}`;
  return below === above || below.startsWith(start);
}

/** Without those that lie below another. */
export function outermost(directories: readonly string[]): string[] {
  const unique = [...new Set(directories)];
  return unique.filter((one) => !unique.some((other) => other !== one && isWithin(other, one)));
}

/** What lies below a directory of both lists of real paths. */
export function intersect(own: readonly string[], theirs: readonly string[]): string[] {
  const common: string[] = [];
  for (const mine of own) {
    for (const other of theirs) {
      if (isWithin(mine, other)) common.push(other);
      else if (isWithin(other, mine)) common.push(mine);
    }
  }
  return outermost(common);
}
