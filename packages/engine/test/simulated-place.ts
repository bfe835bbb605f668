/** A simulated machine with files in `/home` and room for a store in `/data`. */
import {
  type DirectoryInode,
  type SimulatedProcess,
  SimulatedWorld,
  type WorldOptions,
} from "@fe/native/testing";
import { openEngineWith } from "../src/engine.ts";
import type { Engine } from "../src/engine-types.ts";
import type { EditRequest } from "../src/options.ts";

export const userDataDirectory = "/data";

/** A world whose files are durable; `fileNumber`: the inode number of the first of them. */
export function simulatedPlace(
  files: Readonly<Record<string, string>>,
  { fileNumber, ...options }: Partial<WorldOptions> & { readonly fileNumber?: bigint } = {},
): SimulatedWorld {
  const world = new SimulatedWorld({ seed: 1, ...options });
  const { disk, owner } = world;
  const home = disk.makeDirectory(disk.root, "home", 0o755, owner);
  disk.makeDirectory(disk.root, "data", 0o700, owner);
  if (fileNumber !== undefined) disk.volume.nextNumber = fileNumber;
  for (const [name, content] of Object.entries(files)) {
    const file = disk.makeFile(home, name, 0o644, owner);
    file.settle(Buffer.from(content), file.mode);
  }
  world.syncAll();
  return world;
}

/** The directory of the files. */
export function homeOf(world: SimulatedWorld): DirectoryInode {
  const home = world.disk.root.entries.get("home");
  if (home?.kind !== "directory") throw new Error("There is no /home");
  return home;
}

/** What a file holds. */
export function contentOf(world: SimulatedWorld, name: string): string {
  const file = homeOf(world).entries.get(name);
  if (file?.kind !== "regular") throw new Error(`There is no file ${name}`);
  return Buffer.from(file.content).toString();
}

/** An engine in a process of its own. */
export function engineIn(world: SimulatedWorld): Promise<Engine> {
  return openEngineWith(world.start().os, { userDataDirectory });
}

/** An edit whose process is killed at its first write to the file, or in the midst of it. */
export async function killAtWrite(
  world: SimulatedWorld,
  request: EditRequest,
  moment: "before" | "during",
): Promise<SimulatedProcess> {
  const { os, process } = world.start();
  const engine = await openEngineWith(os, { userDataDirectory });
  world.scheduler.plan = {
    at: (_, call) => (call.name === "target.overwrite" ? { kind: "kill", moment } : undefined),
  };
  engine.edit(request).catch(() => undefined);
  await world.scheduler.idle();
  world.scheduler.plan = { at: () => undefined };
  if (process.isAlive) throw new Error("The edit never came to its first write");
  return process;
}
