/**
 * Step 2: hold the object and its parent by handles that can neither read nor write, so that we
 * defeat neither our own exclusion nor another's. The real path is walked anew without following a
 * link.
 */
import { hasCode, type Os, OsError } from "@fe/native";
import { FeError } from "../errors.ts";
import type { SettledOptions } from "../options.ts";
import { fromOs } from "../os-failure.ts";
import type { OpenTarget, ResolvedTarget } from "./states.ts";

/**
 * Errors: `FE_LINK_REFUSED`, `FE_TARGET_REPLACED` (a link appeared), `FE_NOT_FOUND`,
 * `FE_PERMISSION_DENIED`.
 */
export async function openTarget(
  os: Os,
  resolved: ResolvedTarget,
  options: SettledOptions,
  action = "edit",
): Promise<OpenTarget> {
  const { path, realPath } = resolved;
  try {
    const opened = await os.openTarget(realPath);
    return { state: "open", resolved, ...opened };
  } catch (error) {
    if (!hasCode(error, "ELOOP")) throw fromOs(error, { path, action });
    if (!options.followSymlinks) {
      throw new FeError(
        "FE_LINK_REFUSED",
        `Cannot ${action} "${path}": ${await whichLink(os, realPath)}`,
        {
          path,
          hint:
            `Name the file it leads to${await whereLed(os, realPath, options)}; ` +
            "`followSymlinks` is what refuses links",
          cause: error,
        },
      );
    }
    throw new FeError(
      "FE_TARGET_REPLACED",
      `Cannot ${action} "${path}": a symbolic link took the place of "${realPath}", or above it`,
      { path, hint: "Somebody is changing the path; look at it and try again", cause: error },
    );
  }
}

/** The path was real but for its last component, so a link above that came later. */
async function whichLink(os: Os, realPath: string): Promise<string> {
  try {
    const now = await os.resolveRealPath(realPath, { followLast: false });
    return now === realPath ? "it is a symbolic link" : "a symbolic link appeared above it";
  } catch (error) {
    if (error instanceof OsError) return "a symbolic link appeared in its path";
    throw error;
  }
}

/** Where a link leads, for who is to name that; nothing of what lies outside of the roots. */
async function whereLed(os: Os, realPath: string, { roots }: SettledOptions): Promise<string> {
  try {
    const led = await os.resolveRealPath(realPath, { followLast: true });
    const mayTell = roots === undefined || roots.some((root) => os.paths.isWithin(root, led));
    return mayTell && led !== realPath ? `, "${led}"` : "";
  } catch (error) {
    if (error instanceof OsError) return "";
    throw error;
  }
}

/** Lets go of both handles of step 2. */
export async function closeTarget(open: OpenTarget): Promise<void> {
  await open.target.close();
  await open.parent.close();
}
