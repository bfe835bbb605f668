/**
 * File-changing calls in a form that is the same for every run: what was called, on what. The names
 * of store files hold hashes, ids and random digits; here they are what they stand for.
 */
import path from "node:path";
import type { CommandFolder } from "../harness/command.ts";

/** Such as `fsync record`. */
export type Call = string;

/** What the names in the store mean; see docs/protocol.md, section 4. */
const storeNames: readonly (readonly [RegExp, string])[] = [
  [/^edit-recovery$/u, "store"],
  [/^edit-recovery\/\.$/u, "unnamed in store"],
  [/^edit-recovery\/#\d+ \(deleted\)$/u, "record"],
  [/^edit-recovery\/[0-9a-f]{64}\.lock$/u, "lock"],
  [/^edit-recovery\/[0-9a-f]{64}\.fer$/u, "record"],
  [/^edit-recovery\/[0-9a-f]{64}\.[0-9a-f-]{36}\.tmp$/u, "unpublished record"],
  [/^edit-recovery\/[0-9a-f]{64}\.[0-9a-f-]{36}\.[0-9a-f]{12}\.reap$/u, "tombstone"],
  [/^edit-recovery\/saved$/u, "saved"],
  [/^edit-recovery\/saved\/\.$/u, "unnamed in saved"],
  [/^edit-recovery\/saved\/#\d+ \(deleted\)$/u, "saved file"],
  [/^edit-recovery\/saved\/.*\.bytes$/u, "saved bytes"],
  [/^edit-recovery\/saved\/.*\.note$/u, "saved note"],
  [/^edit-recovery\/saved\/.*\.fer$/u, "saved record"],
];

/** A file in the normal form. What it does not know stays as it is, so that it is noticed. */
function roleOf(file: string, folder: CommandFolder): string {
  // The kernel says of an open file that its name is gone; what it was is still its name.
  const name = /\/#\d+ \(deleted\)$/u.test(file) ? file : file.replace(/ \(deleted\)$/u, "");
  if (name === folder.dataPath) return "data";
  if (name === path.dirname(folder.dataPath)) return "above data";
  if (path.dirname(name) === folder.path) return "target";
  const inData = path.relative(folder.dataPath, name) + (name.endsWith("/.") ? "/." : "");
  return storeNames.find(([pattern]) => pattern.test(inData))?.[1] ?? inData;
}

/** @param file absolute path, as `/proc/self/fd` gives it */
export function callOf(name: string, file: string, folder: CommandFolder): Call {
  return `${name} ${roleOf(file, folder)}`;
}

/** Whether the call writes bytes, so that it can be cut short. */
export function isWrite(call: Call): boolean {
  return /^p?write /u.test(call);
}
