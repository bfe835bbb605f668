/** Whether two processes ran under one start of one system. */
import type { ProcessIdentity } from "./os.ts";

/**
 * Drawn at random at each start (Linux, macOS). Windows counts its starts (`start-7`), and two
 * machines may have counted as far.
 */
const drawnAtRandom = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Whether both ran under one kernel, between the same start and end of it: their boot ids are
 * known, equal, and no mere counts. Also true of two containers of one machine, whatever they have
 * for host ids. `false` says nothing.
 */
export function sameBoot(
  a: Pick<ProcessIdentity, "bootId">,
  b: Pick<ProcessIdentity, "bootId">,
): boolean {
  return a.bootId !== undefined && a.bootId === b.bootId && drawnAtRandom.test(a.bootId);
}
