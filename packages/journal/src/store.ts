/** The open store, as the parts of the journal hand it to each other. */
import type { EntryStatus, Os, StoreDirectory } from "@fe/native";
import type { JournalDirectory } from "./journal-directory.ts";

export interface Store {
  readonly os: Os;
  /** Checked when this value was made. */
  readonly directory: StoreDirectory;
  readonly names: JournalDirectory;
  /** Who must own everything in it. */
  readonly owner: string;
  /** `false`: locks on its filesystem mean nothing, so none is taken. */
  readonly hasLocks: boolean;
  /** Notes that a name was removed, which the one late sync of the directory makes durable. */
  readonly noteRemoval: () => void;
}

/** A regular file of ours that only we can read, with one name: what every record has to be. */
export function whyUnsafe(
  status: EntryStatus,
  owner: string,
  maxBytes: number,
): string | undefined {
  if (status.kind === "symlink") return "is a symbolic link";
  if (status.kind !== "regular") return `is not a regular file but a ${status.kind}`;
  if (status.owner !== owner) return `belongs to somebody else (${status.owner})`;
  // Whoever could write it may have: then no other mode makes it what was recorded.
  if ((status.mode & 0o022) !== 0) return `can be written by others (mode ${octal(status.mode)})`;
  if ((status.mode & 0o077) !== 0) {
    return `can be read by others (mode ${octal(status.mode)}; with mode 600 it is trusted)`;
  }
  if (status.sizeBytes > maxBytes) return `has ${status.sizeBytes} bytes, more than any record`;
  if (status.linkCount > 1) return `has ${status.linkCount} names`;
  return undefined;
}

function octal(mode: number): string {
  return mode.toString(8).padStart(3, "0");
}
