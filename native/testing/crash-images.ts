/**
 * What a power loss leaves of the simulated disk: one of all the states that P1 to P4 of
 * `simulated-inode.ts` allow, drawn by the seed.
 *
 * Fault model: each un-synced change of a file is kept, lost, or torn at sectors; a length may grow
 * although the bytes did not arrive (they read as zeros); each un-synced name is kept or lost for
 * itself. Not modelled: damage to what was synced, and sectors that hold neither old nor new bytes.
 */
import type { SeededRandom } from "./seeded-random.ts";
import {
  applyNames,
  type DirectoryInode,
  type FileInode,
  type SimulatedInode,
  type SimulatedVolume,
  withChange,
} from "./simulated-inode.ts";

/** How one file or directory fares: the extreme cases are common in practice, so they are here. */
type Fate = "all-lost" | "all-kept" | "each-for-itself";

const fates: readonly Fate[] = ["all-lost", "all-kept", "each-for-itself", "each-for-itself"];

/** How often a change whose sync failed is on the disk all the same. */
const droppedSurvivesChance = 0.2;

/** Turns the disk below `root` into what is left after a power loss. */
export function crashDisk(root: DirectoryInode, random: SeededRandom, sectorBytes: number): void {
  const names = new Map<DirectoryInode, Map<string, SimulatedInode>>();
  const collect = (directory: DirectoryInode): void => {
    const entries = survivingNames(directory, random);
    names.set(directory, entries);
    for (const inode of entries.values()) {
      if (inode.kind === "directory" && !names.has(inode)) collect(inode);
    }
  };
  collect(root);
  separateNumbers(names, random);
  settle(root, names, random, sectorBytes);
}

function survivingNames(
  directory: DirectoryInode,
  random: SeededRandom,
): Map<string, SimulatedInode> {
  const fate = random.pick(fates);
  const entries = new Map(directory.durableEntries);
  for (const change of directory.pending) {
    const isKept = fate === "all-kept" || (fate === "each-for-itself" && random.chance(0.5));
    if (isKept) applyNames(entries, change);
  }
  return entries;
}

/**
 * A number that was given to a second file before the removal of the first was durable: no
 * filesystem has both after a crash. A durable name wins; else it is drawn.
 */
function separateNumbers(
  names: Map<DirectoryInode, Map<string, SimulatedInode>>,
  random: SeededRandom,
): void {
  const winners = new Map<string, { inode: SimulatedInode; isDurable: boolean }>();
  const each = (
    visit: (directory: DirectoryInode, name: string, inode: SimulatedInode) => void,
  ) => {
    for (const [directory, entries] of names) {
      for (const [name, inode] of [...entries]) visit(directory, name, inode);
    }
  };
  each((directory, name, inode) => {
    const key = numberKey(inode);
    const isDurable = directory.durableEntries.get(name) === inode;
    const other = winners.get(key);
    if (other === undefined || other.inode === inode) {
      winners.set(key, { inode, isDurable: isDurable || other?.isDurable === true });
      return;
    }
    // Both durable: the older one's removal must have come first.
    const [older, newer] =
      other.inode.serial < inode.serial
        ? [other, { inode, isDurable }]
        : [{ inode, isDurable }, other];
    winners.set(key, newer.isDurable || random.chance(0.5) ? newer : older);
  });
  each((directory, name, inode) => {
    if (winners.get(numberKey(inode))?.inode !== inode) names.get(directory)?.delete(name);
  });
}

function numberKey(inode: SimulatedInode): string {
  return `${inode.volume.id}:${inode.number}`;
}

/** Makes cache and disk one again, and counts names and free numbers anew. */
function settle(
  root: DirectoryInode,
  names: Map<DirectoryInode, Map<string, SimulatedInode>>,
  random: SeededRandom,
  sectorBytes: number,
): void {
  const linkCounts = new Map<SimulatedInode, number>();
  const before = new Set<SimulatedInode>();
  for (const [directory, entries] of names) {
    for (const inode of directory.entries.values()) before.add(inode);
    for (const inode of entries.values()) {
      linkCounts.set(inode, (linkCounts.get(inode) ?? 0) + 1);
      if (inode.kind === "directory") inode.parent = directory;
    }
    directory.settle(entries);
    directory.openCount = 0;
    directory.linkCount = 2;
  }
  root.parent = root;
  for (const [inode, count] of linkCounts) {
    inode.openCount = 0;
    if (inode.kind !== "directory") inode.linkCount = count;
    if (inode.kind === "regular") crashFile(inode, random, sectorBytes);
  }
  for (const inode of before) {
    if (!linkCounts.has(inode)) inode.linkCount = 0;
  }
  countFreeNumbers(new Set([root, ...linkCounts.keys()]));
}

function countFreeNumbers(inUse: ReadonlySet<SimulatedInode>): void {
  const used = new Map<SimulatedVolume, Set<bigint>>();
  for (const inode of inUse) {
    const numbers = used.get(inode.volume) ?? new Set();
    used.set(inode.volume, numbers.add(inode.number));
  }
  for (const [volume, numbers] of used) {
    const free = new Set(volume.freeNumbers.filter((number) => !numbers.has(number)));
    volume.freeNumbers.splice(0, volume.freeNumbers.length, ...free);
  }
}

function crashFile(file: FileInode, random: SeededRandom, sectorBytes: number): void {
  const fate = random.pick(fates);
  let content = file.durableContent;
  let mode = file.durableMode;
  for (const { change, isDropped } of file.pending) {
    if (isDropped && !random.chance(droppedSurvivesChance)) continue;
    if (fate === "all-lost") continue;
    if (fate === "all-kept") {
      content = withChange(content, change);
      if (change.kind === "mode") mode = change.mode;
    } else if (change.kind === "write") {
      content = tornWrite(content, change, random, sectorBytes);
    } else if (random.chance(0.5)) {
      content = withChange(content, change);
      if (change.kind === "mode") mode = change.mode;
    }
  }
  file.settle(content, mode);
}

/** Each sector of the write for itself. */
function tornWrite(
  content: Uint8Array,
  { at, bytes }: { readonly at: number; readonly bytes: Uint8Array },
  random: SeededRandom,
  sectorBytes: number,
): Uint8Array {
  let torn = content;
  for (let from = at; from < at + bytes.length; ) {
    const to = Math.min(at + bytes.length, (Math.floor(from / sectorBytes) + 1) * sectorBytes);
    const hasArrived = random.chance(0.5);
    const hasLength = random.chance(0.5);
    if (hasArrived) {
      torn = withChange(torn, {
        kind: "write",
        at: from,
        bytes: bytes.subarray(from - at, to - at),
      });
    } else if (hasLength && to > torn.length) {
      torn = withChange(torn, { kind: "length", sizeBytes: to });
    }
    from = to;
  }
  return torn;
}
