/** What nobody caught while something ran; without the test it would end the process. */
export async function unhandledDuring(
  event: "unhandledRejection" | "uncaughtException",
  work: () => Promise<void>,
): Promise<unknown[]> {
  const met: unknown[] = [];
  const watch = (reason: unknown): number => met.push(reason);
  // Node's own types know each event by its name alone.
  const emitter: NodeJS.EventEmitter = process;
  const others = emitter.listeners(event) as (typeof watch)[];
  emitter.removeAllListeners(event);
  emitter.on(event, watch);
  try {
    await work();
    // They are told after the promises of a turn were looked at.
    await new Promise((resolve) => setTimeout(resolve, 20));
  } finally {
    emitter.removeAllListeners(event);
    for (const other of others) emitter.on(event, other);
  }
  return met;
}
