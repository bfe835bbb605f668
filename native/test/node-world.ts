/** A world on the real system, in a temporary directory. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { loadAddon } from "../lib/load.ts";
import { NodeOs } from "../lib/node-os.ts";
import { pathToBytes } from "../lib/path-text.ts";
import { abilities } from "./abilities.ts";
import type { World } from "./contract-world.ts";

const isWindows = process.platform === "win32";
/** Paths on Windows are text, whatever Node is given. */
const systemPath = (name: string): string | Buffer => (isWindows ? name : pathToBytes(name));

/** `below`: an existing directory on the filesystem to be tested. */
export async function makeNodeWorld(
  options: { readonly componentsOnly?: boolean; readonly below?: string } = {},
): Promise<World> {
  const { componentsOnly = false, below = tmpdir() } = options;
  const root = fs.realpathSync.native(fs.mkdtempSync(path.join(below, "fe-native-")));
  return {
    os: new NodeOs(loadAddon(), { componentsOnly }),
    root,
    has: {
      modes: abilities.modes,
      symlinks: abilities.symlinks,
      keepsReadersOut: !isWindows,
      byteNames: abilities.byteNames,
    },
    writeFile: async (name, content, mode = 0o644) => {
      fs.writeFileSync(systemPath(name), content);
      fs.chmodSync(systemPath(name), mode);
    },
    readFile: async (name) => fs.readFileSync(systemPath(name)),
    makeDirectory: async (name, mode = 0o755) => {
      fs.mkdirSync(systemPath(name));
      fs.chmodSync(systemPath(name), mode);
    },
    makeSymlink: async (target, name) => fs.symlinkSync(systemPath(target), systemPath(name)),
    makeHardLink: async (existing, name) => fs.linkSync(systemPath(existing), systemPath(name)),
    makeFifo: !abilities.fifos ? undefined : async (name) => void execFileSync("mkfifo", [name]),
    rename: async (from, to) => fs.renameSync(systemPath(from), systemPath(to)),
    remove: async (name) => fs.rmSync(systemPath(name), { recursive: true }),
    setMode: async (name, mode) => fs.chmodSync(systemPath(name), mode),
    dispose: async () => fs.rmSync(root, { recursive: true }),
  };
}
