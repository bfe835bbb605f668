/**
 * A port around another port, which tells a watcher of every call and lets it act before the call,
 * fail it, or answer in its place. Tests use it to swap a file between two steps, to cut a write
 * short, to fill the disk, to stop a process at call n.
 *
 * The product has no hook for tests: an engine is simply opened over this port.
 */
import type { Os, StoreDirectory, StoreFile } from "../lib/os.ts";
import { publishInSteps } from "./publish-in-steps.ts";

/** One call that is about to be made. */
export interface InterceptedCall {
  /**
   * `os.openTarget`, `target.overwrite`, `directory.linkUnnamedFile`, …: what the handle is, and
   * the method. Handles: `parent`, `pinned`, `reader`, `target`, `directory`, `file`.
   * `publishUnnamedFile` is told as the three calls that it stands for.
   */
  readonly name: string;
  readonly args: readonly unknown[];
  /** What the call is made on: the very object that an earlier call returned, or the port. */
  readonly handle: object;
  /** 1 for the first call of all. */
  readonly number: number;
  /** Makes the call, with other arguments if any are given. */
  proceed(...args: unknown[]): Promise<unknown>;
}

/** Answers a call: usually with `call.proceed()`, or by throwing. */
export type Watcher = (call: InterceptedCall) => unknown;

/** What a method's answer is called, where it is, or holds, handles. */
const handleNames: Readonly<Record<string, string>> = {
  openForReading: "reader",
  openForWriting: "target",
  openStoreDirectory: "directory",
  openDirectory: "directory",
  openFile: "file",
  openOrCreateFile: "file",
  createFile: "file",
  createUnnamedFile: "file",
};

/** Wraps a port. `watcher` sees the calls of the port and of every handle that comes from it. */
export function interceptOs(os: Os, watcher: Watcher): Os {
  const originals = new WeakMap<object, object>();
  let calls = 0;

  const unwrap = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const original = originals.get(value);
    if (original !== undefined) return original;
    if (Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, unwrap(member)]));
  };

  const wrap = (target: object, kind: string): object => {
    const proxy: object = new Proxy(target, {
      get(object, property): unknown {
        const member: unknown = Reflect.get(object, property, object);
        if (typeof member !== "function" || typeof property !== "string") return member;
        if (property === "publishUnnamedFile") {
          // Told as the calls that it stands for, so that a watcher can stand between them.
          return (file: StoreFile, name: string) =>
            publishInSteps(proxy as StoreDirectory, file, name);
        }
        return async (...args: unknown[]): Promise<unknown> => {
          calls += 1;
          const proceed = async (...others: unknown[]): Promise<unknown> => {
            const used = (others.length === 0 ? args : others).map(unwrap);
            return wrapAnswer(property, await Reflect.apply(member, object, used));
          };
          const name = `${kind}.${property}`;
          return watcher({ name, args, handle: proxy, number: calls, proceed });
        };
      },
    });
    originals.set(proxy, target);
    return proxy;
  };

  const wrapAnswer = (method: string, answer: unknown): unknown => {
    if (typeof answer !== "object" || answer === null) return answer;
    if (method === "openTarget" && "target" in answer && "parent" in answer) {
      const { target, parent } = answer as { target: object; parent: object };
      return { ...answer, target: wrap(target, "pinned"), parent: wrap(parent, "parent") };
    }
    const kind = handleNames[method];
    return kind === undefined ? answer : wrap(answer, kind);
  };

  return wrap(os, "os") as Os;
}
