/**
 * The port on Node and the addon.
 *
 * Every call but a sync, a large transfer and a sleep is done when its method returns; the promise
 * is the port's form. It takes microseconds on a local filesystem; on one that hangs it blocks the
 * process as long, as any synchronous call would.
 */
import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { checkAccess } from "./access.ts";
import type { Addon } from "./binding.ts";
import { Descriptor } from "./descriptor.ts";
import { loadAddon } from "./load.ts";
import { attempt } from "./native-call.ts";
import { NodeStoreDirectory } from "./node-directory.ts";
import { NodePinnedDirectory, NodePinnedFile } from "./node-files.ts";
import { NodeProcess, processEnvironment } from "./node-process.ts";
import type {
  InspectedTarget,
  OpenedTarget,
  Os,
  PathRules,
  ProcessEnvironment,
  ProcessIdentity,
  ProcessProbe,
  StoreDirectory,
} from "./os.ts";
import { pathToBytes } from "./path-text.ts";
import { fileStatus, objectStatus, targetWords, words } from "./status.ts";
import { pathSystem } from "./system.ts";

/** A longer one fires at once in Node. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * The operating system: Linux, macOS or Windows, by the addon that is there. Opens nothing; needs
 * no closing. Each call gives a new one. Engines that are to share one queue for each file need the
 * same one; `openEngine` sees to that.
 *
 * macOS was never run, and Windows only as node.exe under Wine (docs/platforms.md).
 *
 * @throws NativeUnavailableError there is no addon for this system.
 */
export function createNodeOs(): Os {
  return new NodeOs(loadAddon());
}

/** Exported for the tests: `componentsOnly` walks as on a kernel without `openat2(2)`. */
export class NodeOs implements Os {
  readonly paths: PathRules = pathSystem.paths;
  readonly #addon: Addon;
  readonly #componentsOnly: boolean;
  readonly #process: NodeProcess;

  constructor(addon: Addon, options: { readonly componentsOnly?: boolean } = {}) {
    this.#addon = addon;
    this.#componentsOnly = options.componentsOnly ?? false;
    this.#process = new NodeProcess(addon);
  }

  async resolveRealPath(path: string, options: { readonly followLast: boolean }): Promise<string> {
    return pathSystem.resolveRealPath(path, options.followLast);
  }

  async openTarget(realPath: string): Promise<OpenedTarget> {
    const bytes = pathToBytes(realPath);
    const [parentTexts, targetTexts, parentFd, targetFd] = attempt("openTarget", realPath, () =>
      this.#addon.openTarget(bytes, this.#componentsOnly, words.unsigned, targetWords.unsigned),
    );
    const parent = new Descriptor(this.#addon, parentFd, this.paths.parentOf(realPath));
    const target = new Descriptor(this.#addon, targetFd, realPath);
    const parentStatus = fileStatus(this.#addon, parentTexts, words);
    const targetStatus = fileStatus(this.#addon, targetTexts, targetWords);
    return {
      parent: new NodePinnedDirectory(this.#addon, parent, parentStatus.identity.volume),
      parentStatus,
      target: new NodePinnedFile(this.#addon, target, targetStatus.identity.volume),
      targetStatus,
    };
  }

  async inspectTarget(realPath: string): Promise<InspectedTarget> {
    const bytes = pathToBytes(realPath);
    const [parentTexts, targetTexts] = attempt("inspectTarget", realPath, () =>
      this.#addon.inspectTarget(bytes, this.#componentsOnly, words.unsigned, targetWords.unsigned),
    );
    return {
      parentStatus: objectStatus(this.#addon, parentTexts, words),
      targetStatus: objectStatus(this.#addon, targetTexts, targetWords),
    };
  }

  async openStoreDirectory(path: string): Promise<StoreDirectory> {
    const bytes = pathToBytes(path);
    const number = attempt("openStoreDirectory", path, () =>
      this.#addon.openDirectoryByPath(bytes),
    );
    return new NodeStoreDirectory(this.#addon, new Descriptor(this.#addon, number, path));
  }

  async checkWritable(path: string): Promise<void> {
    attempt("checkWritable", path, () => checkAccess(path));
  }

  async self(): Promise<ProcessIdentity> {
    return this.#process.self();
  }

  async effectiveOwner(): Promise<string> {
    return this.#addon.effectiveOwner();
  }

  async probeProcess(pid: number): Promise<ProcessProbe> {
    // No process has such a number, but the record that says so may be damaged.
    if (!Number.isSafeInteger(pid)) return { answer: "unclear" };
    return this.#addon.probeProcess(pid);
  }

  async environment(): Promise<ProcessEnvironment> {
    return processEnvironment();
  }

  async now(): Promise<number> {
    return Date.now();
  }

  async monotonicMs(): Promise<number> {
    // `performance` would say the same, and takes 2 ms to load.
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1000 + nanoseconds / 1e6;
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const bounded = Math.min(Math.max(milliseconds, 0), maxTimerMs);
    try {
      await delay(bounded, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      if (signal?.aborted !== true) throw error;
    }
  }

  async randomId(): Promise<string> {
    return randomUUID();
  }

  async randomBelow(bound: number): Promise<number> {
    return randomInt(bound);
  }
}
