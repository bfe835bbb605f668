/**
 * A path in a form that other programs take and the system does not: a URI, a home directory that
 * nobody expanded, a mention, a line number, quotes, backslashes, a drive as POSIX layers of
 * Windows write it. What it may have meant is told, and never taken in its place.
 */
import { type Os, OsError } from "@fe/native";

/** More spellings than these are no mistake of one program. */
const maxSpellings = 24;

/** What a system makes of paths that are no real ones. */
export interface PathHabits {
  readonly homeDirectory: string;
  /** A path begins with the letter of a drive. */
  readonly hasDrives: boolean;
}

type Rewrite = (path: string, habits: PathHabits) => string;

/** A backslash separates on Windows; elsewhere only the last of these takes it for a separator. */
const rewrites: readonly Rewrite[] = [
  (path) => path.replace(/(^|[\\/])["'`<](.+)["'`>]$/u, "$1$2"),
  (path) => pathOfUri(path),
  (path, { homeDirectory }) => path.replace(/^(?:.*[\\/])?~[\\/](?=.)/u, () => `${homeDirectory}/`),
  (path) => path.replace(/(?::\d+){1,2}$|#L\d+(?:-L?\d+)?$/u, ""),
  (path) => path.replace(/(^|[\\/])@(?=[^\\/])/u, "$1"),
  (path, { hasDrives }) =>
    hasDrives ? path.replace(/^\/(?:(?:mnt|cygdrive)\/)?([a-z]):?(?=\/)/iu, "$1:") : path,
  (path) => path.replaceAll("\\", "/"),
];

/** The path of a `file:` URI, which may stand behind the directory that it was joined to. */
function pathOfUri(path: string): string {
  const [, named] = /(?:^|[\\/])file:\/\/(?:localhost)?(\/.*)$/iu.exec(path) ?? [];
  if (named === undefined) return path;
  try {
    return decodeURIComponent(named).replace(/^\/(?=[a-z]:)/iu, "");
  } catch {
    return path;
  }
}

/** Other spellings of `path`, each once, those with the fewest changes first. */
export function spellingsOf(path: string, habits: PathHabits): string[] {
  const spellings = new Set([path]);
  for (const spelling of spellings) {
    for (const rewrite of rewrites) {
      if (spellings.size <= maxSpellings) spellings.add(rewrite(spelling, habits));
    }
  }
  spellings.delete(path);
  spellings.delete("");
  return [...spellings];
}

/**
 * The first other spelling that names a regular file that may be told, as a hint. Of what may not
 * be told nothing is said, as of what is not there.
 */
export async function meantPath(
  os: Os,
  path: string,
  mayTell: (realPath: string) => boolean,
): Promise<string | undefined> {
  const { homeDirectory } = await os.environment();
  const hasDrives = os.paths.isAbsolute("C:/");
  for (const spelling of spellingsOf(path, { homeDirectory, hasDrives })) {
    try {
      const realPath = await os.resolveRealPath(spelling, { followLast: true });
      if (!mayTell(realPath)) continue;
      const { targetStatus } = await os.inspectTarget(realPath);
      if (targetStatus.kind === "regular") return `"${spelling}" is there; name it so`;
    } catch (error) {
      if (!(error instanceof OsError)) throw error;
    }
  }
  return undefined;
}
