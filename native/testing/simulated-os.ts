/**
 * The port in memory: one process of a `SimulatedWorld`.
 *
 * Calls that only tell what nobody can change (pid, clock, chance, environment) need no turn of the
 * scheduler: another order of them is no other run.
 */
import type {
  InspectedTarget,
  OpenedTarget,
  Os,
  PathRules,
  ProcessEnvironment,
  ProcessIdentity,
  ProcessProbe,
  StoreDirectory,
} from "../lib/os.ts";
import { posixPaths } from "../lib/posix-paths.ts";
import { SimulatedStoreDirectory } from "./simulated-directory.ts";
import { checkAccess } from "./simulated-disk.ts";
import { SimulatedPinnedDirectory, SimulatedPinnedFile } from "./simulated-handles.ts";
import { fileStatusOf, OpenFile, type SimulatedProcess } from "./simulated-process.ts";
import { directoryAt, objectOfReal, parentOfReal, realPathOf } from "./simulated-walk.ts";

/** Largest pid that Linux gives. */
const maxPid = 2 ** 31 - 1;

export class SimulatedOs implements Os {
  readonly paths: PathRules = posixPaths;
  readonly process: SimulatedProcess;

  constructor(process: SimulatedProcess) {
    this.process = process;
  }

  resolveRealPath(path: string, options: { readonly followLast: boolean }): Promise<string> {
    const { process } = this;
    return process.call("os.resolveRealPath", path, () =>
      realPathOf(process.world.disk, process, path, options.followLast),
    );
  }

  /** Two calls: parent and object are found one after the other. */
  async openTarget(realPath: string): Promise<OpenedTarget> {
    const { process } = this;
    const { disk } = process.world;
    const parent = await process.call("os.openTarget", realPath, () => {
      const inode = parentOfReal(disk, process, realPath, "openTarget");
      const about = posixPaths.parentOf(realPath);
      return new OpenFile(process, inode, { canWrite: false, about });
    });
    try {
      return await process.call("os.openTarget/object", realPath, () => {
        const { inode } = parent;
        if (inode.kind !== "directory") throw new TypeError("A parent is a directory");
        const found = objectOfReal(inode, process, realPath, "openTarget");
        const target = new OpenFile(process, found, { canWrite: false, about: realPath });
        return {
          parent: new SimulatedPinnedDirectory(parent),
          parentStatus: fileStatusOf(inode, false),
          target: new SimulatedPinnedFile(target),
          targetStatus: fileStatusOf(found, false),
        };
      });
    } catch (error) {
      parent.release();
      throw error;
    }
  }

  async inspectTarget(realPath: string): Promise<InspectedTarget> {
    const { process } = this;
    const parent = await process.call("os.inspectTarget", realPath, () =>
      parentOfReal(process.world.disk, process, realPath, "inspectTarget"),
    );
    return process.call("os.inspectTarget/object", realPath, () => ({
      parentStatus: fileStatusOf(parent, false),
      targetStatus: fileStatusOf(objectOfReal(parent, process, realPath, "inspectTarget"), false),
    }));
  }

  openStoreDirectory(path: string): Promise<StoreDirectory> {
    const { process } = this;
    return process.call("os.openStoreDirectory", path, () => {
      const inode = directoryAt(process.world.disk, process, path);
      return new SimulatedStoreDirectory(process, inode, path);
    });
  }

  checkWritable(path: string): Promise<void> {
    const { process } = this;
    const { disk } = process.world;
    return process.call("os.checkWritable", path, () => {
      const realPath = realPathOf(disk, process, path, true);
      const isRoot = realPath === posixPaths.parentOf(realPath);
      const parent = isRoot ? undefined : parentOfReal(disk, process, realPath, "checkWritable");
      const found =
        parent === undefined
          ? directoryAt(disk, process, realPath)
          : objectOfReal(parent, process, realPath, "checkWritable");
      checkAccess(found, process, found.kind === "directory" ? 3 : 6, "checkWritable", path);
    });
  }

  self(): Promise<ProcessIdentity> {
    return this.process.answer(() => this.process.identity);
  }

  effectiveOwner(): Promise<string> {
    return this.process.answer(() => String(this.process.owner));
  }

  probeProcess(pid: number): Promise<ProcessProbe> {
    return this.process.call("os.probeProcess", String(pid), (): ProcessProbe => {
      if (!Number.isSafeInteger(pid) || pid < 1 || pid > maxPid) return { answer: "unclear" };
      const found = this.process.world.livingProcess(pid);
      if (found === undefined) return { answer: "absent" };
      const { startTime } = found.identity;
      return { answer: "exists", ...(startTime === undefined ? {} : { startTime }) };
    });
  }

  environment(): Promise<ProcessEnvironment> {
    const environment = { platform: "linux", homeDirectory: "/home", variables: {} } as const;
    return this.process.answer(() => environment);
  }

  now(): Promise<number> {
    return this.process.answer(() => this.process.world.nowMs());
  }

  monotonicMs(): Promise<number> {
    return this.process.answer(() => this.process.world.scheduler.nowMs);
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return this.process.world.scheduler.sleep(this.process, milliseconds, signal);
  }

  randomId(): Promise<string> {
    return this.process.answer(() => this.process.world.random.uuid());
  }

  randomBelow(bound: number): Promise<number> {
    return this.process.answer(() => this.process.world.random.below(bound));
  }
}
