/** Mounts of one test. They need root; a test that has to do without is skipped, with a reason. */
import { execFileSync, spawnSync } from "node:child_process";
import type { TestContext } from "vitest";

const mounted: string[] = [];

/** Mounts with these arguments of `mount` at a place that is there. */
export function mountFor(context: TestContext, at: string, ...args: readonly string[]): string {
  if (spawnSync("mount", [...args, at]).status !== 0) {
    context.skip("needs root and Linux, to mount a filesystem");
  }
  mounted.unshift(at);
  return at;
}

/** A filesystem in memory, of so many KiB. */
export function mountMemory(context: TestContext, at: string, sizeKib: number): string {
  return mountFor(context, at, "-t", "tmpfs", "-o", `size=${sizeKib}k`, "tmpfs");
}

/** Undoes the mounts of a test, the last one first. */
export function unmountAll(): void {
  for (const at of mounted.splice(0)) execFileSync("umount", [at]);
}
