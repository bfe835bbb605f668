/** Step 4: wait for earlier edits of this identity in this process. */
import { FeError } from "../errors.ts";
import type { IdentityQueue } from "../identity-queue.ts";
import { aborted } from "./abort.ts";
import type { IdentifiedTarget, QueuedTarget } from "./states.ts";

/**
 * Errors: `FE_BUSY` at once, when called from inside a hook of an edit of the same file, which
 * would wait for itself; `FE_ABORTED`.
 */
export async function queueTarget(
  queue: IdentityQueue,
  identified: IdentifiedTarget,
  key: string,
  signal: AbortSignal | undefined,
): Promise<QueuedTarget> {
  const path = identified.open.resolved.path;
  if (queue.isInsideHookOf(key)) {
    throw new FeError("FE_BUSY", `Cannot edit "${path}": an edit of this file is asking its hook`, {
      path,
      hint: "Edit the file after the hook has answered",
    });
  }
  try {
    const leaveQueue = await queue.take(key, signal);
    return { state: "queued", identified, key, leaveQueue };
  } catch (error) {
    throw aborted(path, error);
  }
}
