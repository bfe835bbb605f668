/** Makes the status of the port from what the addon says. */
import { createHash } from "node:crypto";
import type { RawStatus } from "./binding.ts";
import type { FileStatus } from "./os.ts";

/**
 * `volume`: the id that an earlier handle of the same object gave, which holds for this one too. On
 * xfs asking a second time, without the parent at hand, could give another answer.
 */
export function fileStatus(raw: RawStatus, volume?: bigint): FileStatus {
  const { entry, capabilities } = raw;
  return {
    ...entry,
    identity: volume === undefined ? raw.identity : { ...raw.identity, volume },
    permission: {
      mode: entry.mode,
      owner: entry.owner,
      group: raw.group,
      accessList: accessListDigest(raw.accessLists),
      capabilities: capabilities === null ? null : sha256(capabilities),
    },
    filesystem: raw.filesystem,
  };
}

/** Each list enters with its name and length, so that no two sets have the same digest. */
function accessListDigest(lists: RawStatus["accessLists"]): string | null {
  if (lists.length === 0) return null;
  return sha256(...lists.flatMap(([name, bytes]) => [`${name}:${bytes.length}:`, bytes]));
}

/** SHA-256 in hex. */
export function sha256(...parts: (string | Buffer)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}
