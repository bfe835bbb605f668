/** Step 1: the path, resolved once, and whether an edit is allowed there at all. */
import { hasCode, type Os } from "@fe/native";
import { FeError } from "../errors.ts";
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

/**
 * Resolves `path` and checks that it lies below a root and outside the recovery directory. Errors:
 * `FE_NOT_FOUND`, `FE_OUTSIDE_ROOT`, `FE_POLICY_DENIED`, `FE_PERMISSION_DENIED`,
 * `FE_INVALID_REQUEST`.
 */
export async function resolveTarget(
  os: Os,
  storePath: string,
  path: string,
  options: SettledOptions,
): Promise<ResolvedTarget> {
  let realPath: string;
  try {
    realPath = await os.resolveRealPath(path, { followLast: options.followSymlinks });
  } catch (error) {
    throw fromOs(error, { path, action: "edit" });
  }
  const roots = options.roots;
  if (roots !== undefined && !roots.some((root) => os.paths.isWithin(root, realPath))) {
    const elsewhere = realPath === path ? "" : ` is really "${realPath}", which`;
    throw new FeError(
      "FE_OUTSIDE_ROOT",
      `Cannot edit "${path}": it${elsewhere} lies outside the allowed roots`,
      {
        path,
        hint: `Allowed: ${roots.map((root) => `"${root}"`).join(", ")}`,
      },
    );
  }
  const store = await realStorePath(os, storePath);
  if (store !== undefined && os.paths.isWithin(store, realPath)) {
    throw new FeError(
      "FE_POLICY_DENIED",
      `Cannot edit "${path}": it lies inside the recovery directory`,
      {
        path,
        hint: "Records are read with `recovery show` and removed with `recovery resolve`",
      },
    );
  }
  return { state: "resolved", path, realPath };
}
