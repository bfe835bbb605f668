/** What a file is, exactly, and who may do what with it. Reads only; no lock, no record. */
import {
  type FileIdentity,
  type FileKind,
  type FileStatus,
  type FilesystemFacts,
  OsError,
  type PermissionIdentity,
  type PinnedFile,
} from "@fe/native";
import { FeError } from "../errors.ts";
import { fromOs } from "../os-failure.ts";
import type { EngineContext } from "../transaction/context.ts";
import { closeTarget, openTarget } from "../transaction/open.ts";
import { resolveTarget } from "../transaction/resolve.ts";
import type { OpenTarget } from "../transaction/states.ts";

/** A file as one look found it; taken from handles, never from names. */
export interface IdentityReport {
  /** As the caller named it. */
  readonly path: string;
  /** Where it really is: absolute, without links. */
  readonly realPath: string;
  readonly kind: FileKind;
  readonly sizeBytes: number;
  /** How many names the file has. */
  readonly linkCount: number;
  /** With the generation, if the file may be read. Which parts there are, `FileIdentity` says. */
  readonly identity: FileIdentity;
  /** Of the directory that holds the last component. */
  readonly parent: FileIdentity;
  readonly permission: PermissionIdentity;
  readonly filesystem: FilesystemFacts;
}

/**
 * Lets `use` look at the target by its handles of step 2. Errors: `FE_NOT_FOUND`,
 * `FE_OUTSIDE_ROOT`, `FE_LINK_REFUSED`, `FE_PERMISSION_DENIED`.
 */
export async function withTarget<T>(
  context: EngineContext,
  path: string,
  use: (open: OpenTarget) => Promise<T>,
): Promise<T> {
  const { os, journal, options } = context;
  if (typeof path !== "string" || path === "" || path.includes("\0")) {
    const message = "Cannot identify: the path must be text, not empty, without NUL";
    throw new FeError("FE_INVALID_REQUEST", message, { hint: "Name a file" });
  }
  try {
    const resolved = await resolveTarget(os, journal.directoryPath, path, options, "identify");
    const open = await openTarget(os, resolved, options, "identify");
    try {
      return await use(open);
    } finally {
      await closeTarget(open);
    }
  } catch (error) {
    throw fromOs(error, { path, action: "identify" });
  }
}

/** Errors: those of {@link withTarget}. */
export function identifyPath(context: EngineContext, path: string): Promise<IdentityReport> {
  return withTarget(context, path, async ({ resolved, target, targetStatus, parentStatus }) => {
    const { kind, sizeBytes, linkCount, identity, permission, filesystem } = await closestStatus(
      target,
      targetStatus,
    );
    return {
      path,
      realPath: resolved.realPath,
      kind,
      sizeBytes,
      linkCount,
      identity,
      parent: parentStatus.identity,
      permission,
      filesystem,
    };
  });
}

/** A handle that can read knows the generation too; without the right to read it goes without. */
async function closestStatus(target: PinnedFile, status: FileStatus): Promise<FileStatus> {
  if (status.kind !== "regular" || status.filesystem.class === "pseudo") return status;
  try {
    const file = await target.openForReading();
    try {
      return await file.status();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof OsError) return status;
    throw error;
  }
}
