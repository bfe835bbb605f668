/**
 * Looks again at target, parent and permission, and compares with the baseline (S2, S3, S4).
 *
 * A held handle alone proves nothing about the path, so the real path is walked anew; the
 * permission is read from the held handle, which is what is written through (I2).
 */
import {
  type FileStatus,
  hasCode,
  type InspectedTarget,
  type Os,
  type PermissionIdentity,
  sameFile,
  type TargetFile,
} from "@fe/native";
import { FeError, type FeErrorCode } from "../errors.ts";
import { fromOs } from "../os-failure.ts";
import { restoreMode } from "./mutate.ts";
import type { Baseline, ResolvedTarget } from "./states.ts";

const setIdBits = 0o6000;

/** Whether a look comes after the mutation, when the kernel may have taken set-id bits away. */
export type Moment = "before-mutation" | "after-mutation";

function replaced(code: FeErrorCode, path: string, what: string, cause?: unknown): FeError {
  return new FeError(code, `Cannot edit "${path}": ${what} since the edit began`, {
    path,
    hint: "Somebody is changing the path; look at it and try again",
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Where the path leads now. */
async function walkAgain(os: Os, { path, realPath }: ResolvedTarget): Promise<InspectedTarget> {
  try {
    return await os.inspectTarget(realPath);
  } catch (error) {
    if (hasCode(error, "ENOTDIR")) {
      throw replaced("FE_PARENT_REPLACED", path, "its directory was replaced", error);
    }
    if (hasCode(error, "ENOENT", "ELOOP")) {
      throw replaced(
        "FE_TARGET_REPLACED",
        path,
        "the file at this path was removed or replaced",
        error,
      );
    }
    if (hasCode(error, "EACCES", "EPERM")) {
      throw replaced("FE_PERMISSION_CHANGED", path, "the way to it was closed", error);
    }
    throw fromOs(error, { path, action: "edit" });
  }
}

/** Whether two permissions are the same; after the mutation, but for what a write takes away. */
export function samePermission(
  wanted: PermissionIdentity,
  found: PermissionIdentity,
  moment: Moment,
): boolean {
  const ignored = moment === "after-mutation" ? setIdBits : 0;
  return (
    (wanted.mode & ~ignored) === (found.mode & ~ignored) &&
    wanted.owner === found.owner &&
    wanted.group === found.group &&
    wanted.accessList === found.accessList &&
    (moment === "after-mutation" || wanted.capabilities === found.capabilities)
  );
}

/** What the held handle says now, its permission compared. Error: `FE_PERMISSION_CHANGED`. */
export async function checkHandle(
  resolved: ResolvedTarget,
  baseline: Baseline,
  file: TargetFile,
  moment: Moment,
): Promise<FileStatus> {
  const status = await file.status();
  if (!samePermission(baseline.permission, status.permission, moment)) {
    throw replaced(
      "FE_PERMISSION_CHANGED",
      resolved.path,
      "owner, mode or access list of the file changed",
    );
  }
  return status;
}

/** Errors: `FE_PARENT_REPLACED`, `FE_TARGET_REPLACED`, `FE_PERMISSION_CHANGED`. */
export async function checkPath(
  os: Os,
  resolved: ResolvedTarget,
  baseline: Baseline,
): Promise<void> {
  const found = await walkAgain(os, resolved);
  if (!sameFile(baseline.parent, found.parentStatus.identity, { sameBoot: true })) {
    throw replaced("FE_PARENT_REPLACED", resolved.path, "its directory was replaced by another");
  }
  if (!sameFile(baseline.target, found.targetStatus.identity, { sameBoot: true })) {
    throw replaced("FE_TARGET_REPLACED", resolved.path, "the file was replaced by another");
  }
}

/**
 * What the write took from the file's permission, put back where that is allowed; a sentence each.
 */
export async function restorePermission(
  file: TargetFile,
  wanted: PermissionIdentity,
  found: PermissionIdentity,
): Promise<string[]> {
  const changes: string[] = [];
  if (found.mode !== wanted.mode) changes.push(await restoreMode(file, wanted.mode, found.mode));
  if (found.capabilities !== wanted.capabilities) {
    changes.push("The kernel removed the file capabilities; set them again with setcap");
  }
  return changes;
}
