/**
 * Rules for path text on Windows. The paths are real: what `GetFinalPathNameByHandleW` says of an
 * open handle (`FILE_NAME_NORMALIZED | VOLUME_NAME_DOS`), by {@link fromFinalPath}. That has short
 * names (8.3), links, junctions and `subst` resolved, and every name in the case that is on disk.
 *
 * So two real paths of one object have one spelling, and case is **not** ignored: a folder can be
 * made to tell `Work` from `work` (`fsutil file setCaseSensitiveInfo`), and then they are two. Only
 * drive letters and the names of hosts and shares are compared without case. A filesystem that does
 * not give the normal form (some network ones) can so be refused as outside of a root, which is the
 * safe side; where the other side is the safe one, there is `mayBeWithin`.
 */
import type { PathRules } from "../os.ts";

const verbatim = "\\\\?\\";
const verbatimShare = "\\\\?\\UNC\\";
/** `C:\` or `\\host\share\`. */
const rootOf = /^(?:[a-z]:[\\/]|[\\/]{2}[^\\/?.][^\\/]*[\\/][^\\/]+(?:[\\/]|$))/i;

/**
 * A path that the system gave, as people write it: without `\\?\`. Other namespaces, and what has
 * no such beginning, are left as they are. Pure, throws nothing.
 */
export function fromFinalPath(path: string): string {
  if (path.startsWith(verbatimShare)) return `\\\\${path.slice(verbatimShare.length)}`;
  const rest = path.startsWith(verbatim) ? path.slice(verbatim.length) : path;
  return /^[a-z]:\\/i.test(rest) ? rest : path;
}

/**
 * The other way, of a path with a drive or a share: as the system takes it without any reading of
 * its own, and without its limit of 260 characters. Pure, throws nothing; a relative path comes out
 * as one that leads nowhere.
 */
export function toVerbatim(path: string): string {
  if (path.startsWith(verbatim)) return path;
  if (path.startsWith("\\\\")) return `${verbatimShare}${path.slice(2)}`;
  return `${verbatim}${path}`;
}

interface Parts {
  /** In upper case, without a separator at its end. */
  readonly root: string;
  readonly names: readonly string[];
}

function partsOf(path: string): Parts {
  const plain = fromFinalPath(path);
  const root = rootOf.exec(plain)?.[0] ?? "";
  const names = plain.slice(root.length).split(/[\\/]/);
  return {
    root: root.toUpperCase().replaceAll("/", "\\").replace(/\\$/, ""),
    names: names.filter((name) => name !== ""),
  };
}

/** Whether every name of `directory` begins `path` too, as `isSame` tells names apart. */
function begins(
  directory: string,
  path: string,
  isSame: (left: string, right: string) => boolean,
): boolean {
  const above = partsOf(directory);
  const below = partsOf(path);
  return (
    above.root !== "" &&
    above.root === below.root &&
    above.names.length <= below.names.length &&
    above.names.every((name, i) => isSame(name, below.names[i] ?? ""))
  );
}

/** `PROGRA~1`: stands for a name that its own text does not tell. */
const shortName = /~\d/;

/** True also for two names that are one on some filesystems only. */
function couldBeSame(left: string, right: string): boolean {
  return fold(left) === fold(right) || shortName.test(left) || shortName.test(right);
}

/** Both ways, since some letters meet only in one of them. */
function fold(name: string): string {
  return name.normalize("NFC").toUpperCase().toLowerCase();
}

/** The rules for Windows, on every system; `Os.paths` is this one there. */
export const windowsPaths: PathRules = {
  isWithin(root: string, path: string): boolean {
    return begins(root, path, (left, right) => left === right);
  },
  mayBeWithin(directory: string, path: string): boolean {
    return begins(directory, path, couldBeSame);
  },
  parentOf(path: string): string {
    const root = rootOf.exec(path)?.[0] ?? "";
    const rest = path.slice(root.length).replace(/[\\/]+$/, "");
    const end = Math.max(rest.lastIndexOf("\\"), rest.lastIndexOf("/"));
    return root + rest.slice(0, Math.max(end, 0));
  },
  nameOf(path: string): string {
    const root = rootOf.exec(path)?.[0] ?? "";
    const rest = path.slice(root.length);
    return rest.slice(Math.max(rest.lastIndexOf("\\"), rest.lastIndexOf("/")) + 1);
  },
  join(directory: string, name: string): string {
    return /[\\/]$/.test(directory) ? `${directory}${name}` : `${directory}\\${name}`;
  },
  isAbsolute(path: string): boolean {
    return rootOf.test(path) || path.startsWith(verbatim);
  },
};
