/** A world in memory for the contract suite: the same arrangements, without a disk. */

import { posixPaths } from "../lib/posix-paths.ts";
import { type DirectoryInode, SimulatedWorld } from "../testing/index.ts";
import type { FileInode, SimulatedInode, SimulatedVolume } from "../testing/simulated-inode.ts";
import type { World } from "./contract-world.ts";

/** Reaches into a simulated disk from outside the port. */
export class SimulatedPlace {
  readonly world: SimulatedWorld;

  constructor(world: SimulatedWorld) {
    this.world = world;
  }

  directory(path: string): DirectoryInode {
    const found = this.entry(path);
    if (found.kind !== "directory") throw new Error(`"${path}" is a ${found.kind}`);
    return found;
  }

  file(path: string): FileInode {
    const found = this.entry(path);
    if (found.kind !== "regular") throw new Error(`"${path}" is a ${found.kind}`);
    return found;
  }

  entry(path: string): SimulatedInode {
    let at: SimulatedInode = this.world.disk.root;
    for (const name of path.split("/").filter((part) => part !== "")) {
      const next: SimulatedInode | undefined =
        at.kind === "directory" ? at.entries.get(name) : undefined;
      if (next === undefined) throw new Error(`There is no "${path}"`);
      at = next;
    }
    return at;
  }

  at(path: string): { readonly directory: DirectoryInode; readonly name: string } {
    const directory = this.directory(posixPaths.parentOf(path));
    return { directory, name: posixPaths.nameOf(path) };
  }
}

export async function makeSimulatedWorld(
  volume: Partial<SimulatedVolume> = {},
  owner: number = 0,
): Promise<World> {
  const world = new SimulatedWorld({ seed: 1, volume, owner, maxSteps: 1_000_000 });
  const place = new SimulatedPlace(world);
  const { disk } = world;
  const root = "/root-of-test";
  disk.makeDirectory(disk.root, "root-of-test", 0o700, owner);
  return {
    os: world.start().os,
    root,
    has: { modes: true, symlinks: true, keepsReadersOut: true, byteNames: true },
    writeFile: async (path, content, mode = 0o644) => {
      const { directory, name } = place.at(path);
      const file = directory.entries.has(name)
        ? place.file(path)
        : disk.makeFile(directory, name, mode, owner);
      file.change({ kind: "length", sizeBytes: 0 }, world.nowNs());
      file.change({ kind: "write", at: 0, bytes: Buffer.from(content) }, world.nowNs());
      file.mode = mode;
    },
    readFile: async (path) => Buffer.from(place.file(path).content),
    makeDirectory: async (path, mode = 0o755) => {
      const { directory, name } = place.at(path);
      disk.makeDirectory(directory, name, mode, owner);
    },
    makeSymlink: async (target, path) => {
      const { directory, name } = place.at(path);
      disk.makeSymlink(directory, name, target, owner);
    },
    makeHardLink: async (existing, path) => {
      const { directory, name } = place.at(path);
      disk.link(place.entry(existing), directory, name, "link");
    },
    makeFifo: async (path) => {
      const { directory, name } = place.at(path);
      disk.makeFifo(directory, name, owner);
    },
    rename: async (from, to) => {
      const [source, target] = [place.at(from), place.at(to)];
      if (target.directory.entries.has(target.name)) {
        disk.removeTree(target.directory, target.name);
      }
      disk.rename(source.directory, source.name, target.directory, target.name);
    },
    remove: async (path) => {
      const { directory, name } = place.at(path);
      disk.removeTree(directory, name);
    },
    setMode: async (path, mode) => {
      place.entry(path).mode = mode;
    },
    dispose: async () => undefined,
  };
}
