/** Another user, for tests that need two. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { TestContext } from "vitest";

/** Called `nobody` on most systems; owns nothing. */
export const otherUser = 65_534;

export const isRoot: boolean = process.getuid?.() === 0;

/** A checkout in the home of root, for one, is closed to everybody else. */
function canReachCheckout(): boolean {
  const script = "require('node:fs').readFileSync(process.argv[1])";
  const parameters = ["-e", script, fileURLToPath(import.meta.url)];
  return spawnSync(process.execPath, parameters, { uid: otherUser, cwd: "/" }).status === 0;
}

/** Skips the test, with the reason, if root cannot run the command as another user. */
export function needsReachableCheckout(context: Pick<TestContext, "skip">): void {
  if (!canReachCheckout()) context.skip("the checkout is closed to other users");
}

/** Skips the test, with the reason, if it cannot be two users. */
export function needsOtherUser(context: Pick<TestContext, "skip">): void {
  if (!isRoot) context.skip("needs root, to be two users");
  needsReachableCheckout(context);
}
