/**
 * The real system behind a wrapper that tells every call, and lets a test refuse it, change its
 * answer or do something just before it. Method: `watch` sees `store.sync`, `file.write` and the
 * like in order.
 */
import type { Os } from "@fe/native";

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

/** How often an answer stands for a handle; everything else is handed through as it is. */
const handleMethods: Readonly<Record<string, string>> = {
  openStoreDirectory: "directory",
  openDirectory: "directory",
  openFile: "file",
  openOrCreateFile: "file",
  createFile: "file",
  createUnnamedFile: "file",
};

export function watchOs(real: Os): WatchedOs {
  const watched: WatchedOs = { os: real, calls: [], hook: undefined };
  const originals = new WeakMap<object, object>();

  const unwrap = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const original = originals.get(value);
    if (original !== undefined) return original;
    if (Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, unwrap(part)]));
  };

  const wrap = <Handle extends object>(kind: string, handle: Handle): Handle => {
    const proxy = new Proxy(handle, {
      get(target, property) {
        const member: unknown = Reflect.get(target, property);
        if (typeof member !== "function" || typeof property !== "string") return member;
        return async (...parameters: unknown[]) => {
          const call = { name: `${kind}.${property}`, arguments: parameters };
          watched.calls.push(call.name);
          const replacement = await watched.hook?.(call);
          if (replacement !== undefined) return replacement;
          const answer: unknown = await member.apply(target, parameters.map(unwrap));
          const answerKind = handleMethods[property];
          return answerKind === undefined ? answer : wrap(answerKind, answer as object);
        };
      },
    });
    originals.set(proxy, handle);
    return proxy;
  };

  return Object.assign(watched, { os: wrap("os", real) });
}
