/** Step 1: the path, resolved once, and whether an edit is allowed there at all. */
import { hasCode, type Os, OsError, PathRefusedError } from "@fe/native";
import { FeError } from "../errors.ts";
import { endOfWalk, withMeantPath, withNearName } from "../near-names.ts";
import type { SettledOptions } from "../options.ts";
import { fromOs } from "../os-failure.ts";
import type { ResolvedTarget } from "./states.ts";

/** Where the recovery directory really is; `undefined` while there is none. */
async function realStorePath(os: Os, directoryPath: string): Promise<string | undefined> {
  try {
    return await os.resolveRealPath(directoryPath, { followLast: true });
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw fromOs(error, { path: directoryPath, action: "resolve the recovery directory" });
  }
}

function sayRoots(roots: readonly string[]): string {
  if (roots.length === 0) return "No directory is allowed: `roots` is an empty list";
  return `Allowed: ${roots.map((root) => `"${root}"`).join(", ")}`;
}

/**
 * The root that `path` lies below by its name, and whose directory was moved or removed since the
 * roots were settled. Of what stands at its path now nothing is told.
 */
async function goneRoot(
  os: Os,
  path: string,
  roots: readonly string[],
): Promise<string | undefined> {
  for (const root of roots.filter((each) => os.paths.isWithin(each, path))) {
    try {
      if ((await os.resolveRealPath(root, { followLast: true })) !== root) return root;
    } catch (error) {
      if (!(error instanceof OsError)) throw error;
      if (hasCode(error, "ENOENT", "ENOTDIR")) return root;
    }
  }
  return undefined;
}

async function outside(
  os: Os,
  path: string,
  roots: readonly string[],
  action: string,
): Promise<FeError> {
  const gone = await goneRoot(os, path, roots);
  if (gone !== undefined) {
    return new FeError(
      "FE_OUTSIDE_ROOT",
      `Cannot ${action} "${path}": the allowed directory "${gone}" is not there any more`,
      { path, hint: "Put that directory back, or start again with one that is there" },
    );
  }
  // Where a link leads is not told either: it may be none of the caller's business.
  const isNamedBelow = roots.some((root) => os.paths.isWithin(root, path));
  const counts = isNamedBelow ? "What counts is where it leads, after `..` and all links. " : "";
  return new FeError(
    "FE_OUTSIDE_ROOT",
    `Cannot ${action} "${path}": it lies outside the allowed roots`,
    {
      path,
      hint: `${counts}${sayRoots(roots)}`,
    },
  );
}

/** A link that leads nowhere is there, and whoever looks for its name finds it. */
async function told(
  os: Os,
  error: unknown,
  { path, action }: { readonly path: string; readonly action: string },
): Promise<Error> {
  if (!hasCode(error, "ENOENT") || !(await isLink(os, path)))
    return fromOs(error, { path, action });
  const message = `Cannot ${action} "${path}": it is a symbolic link that leads to nothing`;
  const hint = "Name the file that is meant, or mend the link";
  return new FeError("FE_NOT_FOUND", message, { path, hint, cause: error });
}

/** Whether the last component of a path is a link. */
async function isLink(os: Os, path: string): Promise<boolean> {
  try {
    await os.inspectTarget(await os.resolveRealPath(path, { followLast: false }));
    return false;
  } catch (error) {
    return hasCode(error, "ELOOP");
  }
}

/**
 * Resolves `path` and checks that it lies below a root and outside the recovery directory. What
 * lies outside is refused alike whether it is there or not. Errors: `FE_NOT_FOUND`,
 * `FE_OUTSIDE_ROOT`, `FE_POLICY_DENIED`, `FE_PERMISSION_DENIED`, `FE_INVALID_REQUEST`.
 */
export async function resolveTarget(
  os: Os,
  storePath: string,
  path: string,
  options: SettledOptions,
  action = "edit",
): Promise<ResolvedTarget> {
  const { roots, followSymlinks } = options;
  const isAllowed = (realPath: string): boolean =>
    roots === undefined || roots.some((root) => os.paths.isWithin(root, realPath));
  let realPath: string;
  try {
    realPath = await os.resolveRealPath(path, { followLast: followSymlinks });
  } catch (error) {
    const failure = await told(os, error, { path, action });
    const isStore = (real: string): boolean => os.paths.mayBeWithin(storePath, real);
    const mayTell = (real: string): boolean => isAllowed(real) && !isStore(real);
    // By its text alone, whatever there is: nothing above it may be asked for either.
    if (error instanceof PathRefusedError) throw await withMeantPath(os, path, failure, mayTell);
    const end = await endOfWalk(os, path);
    if (roots !== undefined && !isAllowed(end.directory))
      throw await outside(os, path, roots, action);
    throw await withNearName(os, path, end, failure, mayTell);
  }
  if (roots !== undefined && !isAllowed(realPath)) throw await outside(os, path, roots, action);
  const store = await realStorePath(os, storePath);
  if (store !== undefined && os.paths.mayBeWithin(store, realPath)) {
    throw new FeError(
      "FE_POLICY_DENIED",
      `Cannot ${action} "${path}": it lies inside the recovery directory`,
      {
        path,
        hint: "Records are read by `recovery.show` and removed by `recovery.resolve`",
      },
    );
  }
  return { state: "resolved", path, realPath };
}
