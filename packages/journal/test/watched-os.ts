/**
 * The real system behind a wrapper that tells every call, and lets a test refuse it, change its
 * answer or do something just before it. Method: `watch` sees `store.sync`, `file.write` and the
 * like in order.
 */
import type { Os } from "@fe/native";
import { interceptOs } from "@fe/native/testing";

/** One call of the port: `os.now`, `directory.sync`, `file.write`, `target.read`. */
export interface Call {
  readonly name: string;
  readonly arguments: readonly unknown[];
}

/** May throw, or return a replacement for the answer; `undefined` lets the call go on. */
export type Hook = (call: Call) => unknown;

export interface WatchedOs {
  readonly os: Os;
  /** Names of all calls so far. */
  readonly calls: string[];
  hook: Hook | undefined;
}

export function watchOs(real: Os): WatchedOs {
  const watched: WatchedOs = { os: real, calls: [], hook: undefined };
  const os = interceptOs(real, async ({ name, args, proceed }) => {
    watched.calls.push(name);
    const replacement = await watched.hook?.({ name, arguments: args });
    return replacement === undefined ? proceed() : replacement;
  });
  return Object.assign(watched, { os });
}
