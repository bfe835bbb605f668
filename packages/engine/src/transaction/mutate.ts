/**
 * Step 11: the only file that changes a user's file. Others that must write (a person's resolution,
 * rolling back) call it.
 *
 * I2  Only through the handle that was identified, from the first changed byte on.
 * A1  What was synced here is durable, so the record may go.
 *
 * Never truncated first and the length set last, so that a reader never finds the file shorter than
 * both versions; what does not change is not written, so a same-length edit is one write per place.
 */
import { afterSource, type ByteSource, changedStretches } from "@fe/journal";
import type { TargetFile } from "@fe/native";
import { chunkBytes, chunksOf } from "../bytes.ts";
import { FeError } from "../errors.ts";
import { fromOs } from "../os-failure.ts";
import type { TransactionContext } from "./context.ts";
import type { ArmedEdit, MutatedEdit } from "./states.ts";

/** Told up to where everything is written. */
type OnWritten = (endBytes: number) => void;

/** Writes all of `bytes` in pieces of bounded size, and continues short writings. */
async function writeBytes(
  file: TargetFile,
  bytes: Uint8Array,
  positionBytes: number,
  onWritten?: OnWritten,
): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const piece = bytes.subarray(done, done + chunkBytes);
    const count = await file.overwrite(piece, positionBytes + done);
    if (count <= 0) throw new FeError("FE_IO", "The system wrote no byte and gave no reason");
    done += count;
    onWritten?.(positionBytes + done);
  }
}

/** `length` bytes of a source from `offset` on, as a source. */
function sliceOf(source: ByteSource, offset: number, sizeBytes: number): ByteSource {
  return { sizeBytes, read: (buffer, position) => source.read(buffer, offset + position) };
}

async function copyTo(
  file: TargetFile,
  source: ByteSource,
  to: number,
  onWritten?: OnWritten,
): Promise<void> {
  let position = to;
  for await (const chunk of chunksOf(source)) {
    await writeBytes(file, chunk, position, onWritten);
    position += chunk.length;
  }
  if (position !== to + source.sizeBytes) {
    throw new FeError("FE_IO", "The saved version ended early while it was written");
  }
}

/** Makes content and length durable. A failed sync is never repeated as a way to success. */
async function syncTarget(path: string, file: TargetFile): Promise<void> {
  try {
    await file.sync();
  } catch (error) {
    throw new FeError("FE_SYNC_FAILED", `The system could not make "${path}" durable`, {
      path,
      operation: "sync",
      cause: error,
    });
  }
}

/** No room, and nothing was touched: the length, the bytes and the times are as before. */
export class NoRoomError extends Error {
  override readonly name = "NoRoomError";
}

/**
 * Finds a full disk before a byte changes. It may clear set-id bits, so it is never done earlier.
 * Error: {@link NoRoomError}, whose cause is the `FeError`.
 */
export async function reserveRoom(
  path: string,
  file: TargetFile,
  sizeBytes: number,
): Promise<void> {
  try {
    await file.reserve(sizeBytes);
  } catch (error) {
    const failure = fromOs(error, { path, action: `make room for ${sizeBytes} bytes in` });
    throw new NoRoomError(failure.message, { cause: failure });
  }
}

/**
 * Writes the after-image over the before-image and syncs it. From here on an abort signal counts no
 * more. On failure part of the new bytes may be there: the caller decides by `unwind.ts`. Errors:
 * `FE_SYNC_FAILED`, `FE_NO_SPACE`, `FE_IO`, as causes.
 */
export async function mutateTarget(
  { progress }: TransactionContext,
  armed: ArmedEdit,
): Promise<MutatedEdit> {
  const { matched, record, before } = armed.prepared;
  const { file, located } = matched;
  const { path } = matched.settled.queued.identified.open.resolved;
  const { beforeImage, afterImage } = record;
  if (afterImage.sizeBytes > beforeImage.sizeBytes) {
    await reserveRoom(path, file, afterImage.sizeBytes);
  }
  try {
    progress.begin("write", afterImage.sizeBytes);
    const onWritten: OnWritten = (endBytes) => progress.reach(endBytes);
    // From a place that the writing does not change.
    const after = matched.after.bytes ? matched.after : afterSource(before, located.splices);
    for (const stretch of changedStretches(beforeImage.sizeBytes, located.splices)) {
      const { from, to, bytes } = stretch;
      const held = bytes ?? after.bytes?.subarray(from, to);
      if (held !== undefined) await writeBytes(file, held, from, onWritten);
      else await copyTo(file, sliceOf(after, from, to - from), from, onWritten);
    }
    if (afterImage.sizeBytes < beforeImage.sizeBytes) await file.setLength(afterImage.sizeBytes);
  } catch (error) {
    throw fromOs(error, { path, action: "write" });
  }
  await syncTarget(path, file);
  progress.complete();
  return { state: "mutated", armed };
}

/**
 * Puts back set-id bits that the kernel cleared at the write, and makes them durable; says what
 * became of them.
 */
export async function restoreMode(
  file: TargetFile,
  wanted: number,
  found: number,
): Promise<string> {
  const change = `mode ${wanted.toString(8)} became ${found.toString(8)}`;
  const cleared = `The kernel cleared set-id bits at the write (${change})`;
  let done = "they could not be put back";
  try {
    await file.setMode(wanted);
    done = "they were put back, but that may not be durable";
    await file.sync();
    return `${cleared}; they were put back`;
  } catch (error) {
    return `${cleared}; ${done}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/**
 * Puts the before-image back after a write that failed, and syncs it. Only while the kernel keeps
 * everyone else out: then the bytes that are overwritten can be nobody else's. Errors as above.
 */
export async function rollBackTarget({ prepared }: ArmedEdit): Promise<void> {
  const { matched, before } = prepared;
  const { file, located } = matched;
  const { path } = matched.settled.queued.identified.open.resolved;
  const from = located.splices[0]?.offsetBytes ?? 0;
  try {
    await copyTo(file, sliceOf(before, from, before.sizeBytes - from), from);
    await file.setLength(before.sizeBytes);
  } catch (error) {
    throw fromOs(error, { path, action: "put back" });
  }
  await syncTarget(path, file);
}

/**
 * Makes the target hold just `source`, and syncs it: a person's choice carried out. The caller has
 * identified the handle, saved what is there and reserved the room. Errors as {@link mutateTarget}.
 */
export async function writeWhole(
  path: string,
  file: TargetFile,
  presentBytes: number,
  source: ByteSource,
): Promise<void> {
  try {
    await copyTo(file, source, 0);
    if (source.sizeBytes < presentBytes) await file.setLength(source.sizeBytes);
  } catch (error) {
    throw fromOs(error, { path, action: "write" });
  }
  await syncTarget(path, file);
}
