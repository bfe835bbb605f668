/**
 * The calls that read and write by the number of an open file: Node's own where such a number
 * is a descriptor (POSIX), the addon's where it is not (Windows).
 */
import fs from "node:fs";
import type { Addon } from "./binding.ts";

/** One call each: a count may be short. Those that end later run in the thread pool. */
export interface ContentCalls {
  readNow(file: number, bytes: Uint8Array, positionBytes: number): number;
  readLater(file: number, bytes: Uint8Array, positionBytes: number): Promise<number>;
  writeNow(file: number, bytes: Uint8Array, positionBytes: number): number;
  writeLater(file: number, bytes: Uint8Array, positionBytes: number): Promise<number>;
  setLength(file: number, sizeBytes: number): void;
  setMode(file: number, mode: number): void;
}

const nodeCalls: ContentCalls = {
  readNow: (fd, bytes, position) => fs.readSync(fd, bytes, 0, bytes.length, position),
  readLater: (fd, bytes, position) =>
    promised((done) => fs.read(fd, bytes, 0, bytes.length, position, done)),
  writeNow: (fd, bytes, position) => fs.writeSync(fd, bytes, 0, bytes.length, position),
  writeLater: (fd, bytes, position) =>
    promised((done) => fs.write(fd, bytes, 0, bytes.length, position, done)),
  setLength: (fd, sizeBytes) => fs.ftruncateSync(fd, sizeBytes),
  setMode: (fd, mode) => fs.fchmodSync(fd, mode),
};

/** Those that go with the numbers of this addon. */
export function contentCalls(addon: Addon): ContentCalls {
  const { content } = addon;
  if (content === undefined) return nodeCalls;
  return {
    readNow: content.read,
    readLater: content.readLater,
    writeNow: content.write,
    writeLater: content.writeLater,
    setLength: content.setLength,
    setMode() {
      const message = "EOPNOTSUPP, there are no modes on Windows";
      throw Object.assign(new Error(message), { code: "EOPNOTSUPP", errno: 0 });
    },
  };
}

function promised<T>(call: (done: (error: Error | null, value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, value) => (error ? reject(error) : resolve(value)));
  });
}
