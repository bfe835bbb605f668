/** Rules for path text on POSIX systems. The paths are real: absolute, without `.`, `..`, `//`. */
import type { PathRules } from "./os.ts";

function isWithin(root: string, path: string): boolean {
  return root === path || path.startsWith(root === "/" ? "/" : `${root}/`);
}

export const posixPaths: PathRules = {
  isWithin,
  // A real path has one spelling.
  mayBeWithin: isWithin,
  parentOf(path: string): string {
    const slash = path.lastIndexOf("/");
    return slash <= 0 ? "/" : path.slice(0, slash);
  },
  nameOf(path: string): string {
    return path.slice(path.lastIndexOf("/") + 1);
  },
  join(directory: string, name: string): string {
    return directory.endsWith("/") ? `${directory}${name}` : `${directory}/${name}`;
  },
  isAbsolute(path: string): boolean {
    return path.startsWith("/");
  },
};
