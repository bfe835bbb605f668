/** Step 3: kind, size and identity, before anything is opened for reading. */
import { maxImageBytes, recordKey } from "@fe/journal";
import type { FileKind, FileStatus } from "@fe/native";
import { byteCount } from "../bytes.ts";
import { FeError } from "../errors.ts";
import type { SettledOptions } from "../options.ts";
import type { IdentifiedTarget, OpenTarget } from "./states.ts";

const kindNames: Readonly<Record<FileKind, string>> = {
  regular: "a regular file",
  directory: "a directory",
  symlink: "a symbolic link",
  fifo: "a FIFO",
  socket: "a socket",
  "block-device": "a block device",
  "character-device": "a character device",
  unknown: "of an unknown kind",
};

/** The size limit that one version of the target has, and who set it. */
export function versionLimit(options: SettledOptions): { maxBytes: number; name: string } {
  return options.maxFileBytes < maxImageBytes
    ? { maxBytes: options.maxFileBytes, name: "the size limit" }
    : { maxBytes: maxImageBytes, name: "the recovery store's limit" };
}

/** Refuses a version that is too large, by its size alone. `which` is `it` or `the result`. */
export function refuseTooLarge(
  path: string,
  sizeBytes: number,
  options: SettledOptions,
  which: "it" | "the result",
): void {
  const { maxBytes, name } = versionLimit(options);
  if (sizeBytes <= maxBytes) return;
  const verb = which === "it" ? "has" : "would have";
  throw new FeError(
    "FE_FILE_TOO_LARGE",
    `Cannot edit "${path}": ${which} ${verb} ${byteCount(sizeBytes)}, ` +
      `and ${name} is ${byteCount(maxBytes)}`,
    {
      path,
      hint:
        maxBytes === maxImageBytes
          ? "Each version must fit the recovery store; split the file"
          : "Raise the limit (`maxFileBytes`) if the file is meant to be edited",
    },
  );
}

/** Refuses what cannot be edited at all. */
export function refuseUnsuitable(path: string, status: FileStatus, options: SettledOptions): void {
  if (status.kind !== "regular") {
    throw new FeError("FE_NOT_REGULAR", `Cannot edit "${path}": it is ${kindNames[status.kind]}`, {
      path,
      hint: "Only regular files can be edited",
    });
  }
  if (status.filesystem.class === "pseudo") {
    throw new FeError(
      "FE_UNSUPPORTED",
      `Cannot edit "${path}": the kernel makes up its content (${status.filesystem.type})`,
      { path, hint: "Write to it with the tool that it is meant for" },
    );
  }
  refuseTooLarge(path, status.sizeBytes, options, "it");
}

/** Errors: `FE_NOT_REGULAR`, `FE_UNSUPPORTED`, `FE_FILE_TOO_LARGE`. */
export function identifyTarget(open: OpenTarget, options: SettledOptions): IdentifiedTarget {
  refuseUnsuitable(open.resolved.path, open.targetStatus, options);
  return {
    state: "identified",
    open,
    key: recordKey(open.targetStatus.identity, open.resolved.realPath),
  };
}
