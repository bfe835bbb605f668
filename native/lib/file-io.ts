/**
 * Reading, writing and syncing through Node.
 *
 * Small transfers run at once: the page cache answers faster than the thread pool could be asked.
 * Large ones and syncs go through the pool, so that the process stays awake.
 */
import fs from "node:fs";
import type { Descriptor } from "./descriptor.ts";
import { hasCode, OsError } from "./os-error.ts";

/**
 * From this on a transfer goes through the pool: it takes some 0.2 ms, and so does the way there
 * and back. Pieces of large files have just this size, so that reading them overlaps with other
 * work.
 */
const pooledFromBytes = 1024 * 1024;
/** Node takes a length of 31 bits. */
const maxTransferBytes = 1024 * 1024 * 1024;

type Transfer = "read" | "write";

/** Reads until the buffer is full or the file ends; returns the count. */
export async function readFully(
  file: Descriptor,
  buffer: Uint8Array,
  positionBytes: number,
): Promise<number> {
  let done = 0;
  do {
    const rest = buffer.subarray(done);
    const count = await transfer("read", "read", file, rest, positionBytes + done);
    if (count === 0) break;
    done += count;
  } while (done < buffer.length);
  return done;
}

/** One `pwrite(2)`; returns the count, which may be short. */
export function writeOnce(
  operation: string,
  file: Descriptor,
  buffer: Uint8Array,
  positionBytes: number,
): Promise<number> {
  return transfer("write", operation, file, buffer, positionBytes);
}

/** `ftruncate(2)`. */
export async function setLength(file: Descriptor, sizeBytes: number): Promise<void> {
  // Node would take a negative length for 0, and so empty the file.
  checkByteCount("setLength", file, sizeBytes);
  file.use("setLength", (fd) => fs.ftruncateSync(fd, sizeBytes));
}

/** Content, length and names are durable afterwards. */
export function sync(file: Descriptor): Promise<void> {
  return file.flush("sync");
}

async function transfer(
  kind: Transfer,
  operation: string,
  file: Descriptor,
  buffer: Uint8Array,
  positionBytes: number,
): Promise<number> {
  // To Node anything else would mean the position of the handle.
  checkByteCount(operation, file, positionBytes);
  const length = Math.min(buffer.length, maxTransferBytes);
  for (;;) {
    try {
      return length < pooledFromBytes
        ? file.use(operation, (fd) => transferNow(kind, fd, buffer, length, positionBytes))
        : await file.useLater(operation, (fd) =>
            transferInPool(kind, fd, buffer, length, positionBytes),
          );
    } catch (error) {
      // A signal came before the first byte; libuv does not repeat a read.
      if (!hasCode(error, "EINTR")) throw error;
    }
  }
}

function transferNow(
  kind: Transfer,
  fd: number,
  buffer: Uint8Array,
  length: number,
  position: number,
): number {
  // Node refuses an empty buffer.
  if (length === 0) return 0;
  return kind === "read"
    ? fs.readSync(fd, buffer, 0, length, position)
    : fs.writeSync(fd, buffer, 0, length, position);
}

function transferInPool(
  kind: Transfer,
  fd: number,
  buffer: Uint8Array,
  length: number,
  position: number,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, count: number): void =>
      error ? reject(error) : resolve(count);
    if (kind === "read") fs.read(fd, buffer, 0, length, position, done);
    else fs.write(fd, buffer, 0, length, position, done);
  });
}

function checkByteCount(operation: string, file: Descriptor, count: number): void {
  if (Number.isSafeInteger(count) && count >= 0) return;
  const message = `EINVAL, ${count} is no count of bytes`;
  throw new OsError("EINVAL", operation, { path: file.about, message });
}
