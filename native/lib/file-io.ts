/**
 * Reading, writing and syncing.
 *
 * Small transfers run at once: the page cache answers faster than the thread pool could be asked.
 * Large ones and syncs go through the pool, so that the process stays awake.
 */
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
  file.use("setLength", (fd) => file.content.setLength(fd, sizeBytes));
}

/** Content, length and names are durable afterwards. */
export function sync(file: Descriptor): Promise<void> {
  return file.flush("sync");
}

/** `fchmod(2)`. Error: `EOPNOTSUPP`, where there are no modes. */
export async function setMode(file: Descriptor, mode: number): Promise<void> {
  file.use("setMode", (fd) => file.content.setMode(fd, mode));
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
  const bytes = buffer.subarray(0, maxTransferBytes);
  // Node refuses an empty buffer.
  if (bytes.length === 0) return file.use(operation, () => 0);
  const { content } = file;
  const isRead = kind === "read";
  for (;;) {
    try {
      if (bytes.length < pooledFromBytes) {
        const now = isRead ? content.readNow : content.writeNow;
        return file.use(operation, (fd) => now(fd, bytes, positionBytes));
      }
      const later = isRead ? content.readLater : content.writeLater;
      return await file.useLater(operation, (fd) => later(fd, bytes, positionBytes));
    } catch (error) {
      // A signal came before the first byte; libuv does not repeat a read.
      if (!hasCode(error, "EINTR")) throw error;
    }
  }
}

function checkByteCount(operation: string, file: Descriptor, count: number): void {
  if (Number.isSafeInteger(count) && count >= 0) return;
  const message = `EINVAL, ${count} is no count of bytes`;
  throw new OsError("EINVAL", operation, { path: file.about, message });
}
