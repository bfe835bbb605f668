/** A world on the real system, in a temporary directory. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { loadAddon } from "../lib/load.ts";
import { NodeOs } from "../lib/node-os.ts";
import { pathToBytes } from "../lib/path-text.ts";
import type { World } from "./contract-world.ts";

/** `below`: an existing directory on the filesystem to be tested. */
export async function makeNodeWorld(
  options: { readonly componentsOnly?: boolean; readonly below?: string } = {},
): Promise<World> {
  const { componentsOnly = false, below = tmpdir() } = options;
  const root = fs.realpathSync(fs.mkdtempSync(path.join(below, "fe-native-")));
  return {
    os: new NodeOs(loadAddon(), { componentsOnly }),
    root,
    writeFile: async (name, content, mode = 0o644) => {
      fs.writeFileSync(pathToBytes(name), content);
      fs.chmodSync(pathToBytes(name), mode);
    },
    readFile: async (name) => fs.readFileSync(pathToBytes(name)),
    makeDirectory: async (name, mode = 0o755) => {
      fs.mkdirSync(pathToBytes(name));
      fs.chmodSync(pathToBytes(name), mode);
    },
    makeSymlink: async (target, name) => fs.symlinkSync(pathToBytes(target), pathToBytes(name)),
    makeHardLink: async (existing, name) => fs.linkSync(pathToBytes(existing), pathToBytes(name)),
    makeFifo: async (name) => {
      execFileSync("mkfifo", [name]);
    },
    rename: async (from, to) => fs.renameSync(pathToBytes(from), pathToBytes(to)),
    remove: async (name) => fs.rmSync(pathToBytes(name), { recursive: true }),
    setMode: async (name, mode) => fs.chmodSync(pathToBytes(name), mode),
    dispose: async () => fs.rmSync(root, { recursive: true }),
  };
}
