/** The directories that an engine is held to: where they really are, and that they are some. */
import type { Os } from "@fe/native";
import { FeError } from "./errors.ts";
import { fromOs } from "./os-failure.ts";

/**
 * Real paths, in the order given. Errors: `FE_INVALID_REQUEST` for one that is empty or no
 * directory; `FE_NOT_FOUND`; `FE_PERMISSION_DENIED`.
 */
export async function resolveRoots(os: Os, roots: readonly string[]): Promise<string[]> {
  const resolved: string[] = [];
  for (const root of roots) {
    try {
      resolved.push(await resolveRoot(os, root));
    } catch (error) {
      throw fromOs(error, { path: root, action: "use as a root" });
    }
  }
  return resolved;
}

async function resolveRoot(os: Os, root: string): Promise<string> {
  const realPath = await os.resolveRealPath(root, { followLast: true });
  // The top of a tree has no name that could be another thing's.
  if (os.paths.parentOf(realPath) === realPath) return realPath;
  const { targetStatus } = await os.inspectTarget(realPath);
  if (targetStatus.kind !== "directory") {
    throw new FeError("FE_INVALID_REQUEST", `Cannot use as a root "${root}": it is no directory`, {
      path: root,
      hint: "Name the directory that holds the files",
    });
  }
  return realPath;
}
