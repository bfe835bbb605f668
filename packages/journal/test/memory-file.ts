/** A file in memory for tests of the format, which need thousands of them and no disk. */
import type { EntryStatus, StoreFile } from "@fe/native";

export class MemoryFile implements StoreFile {
  bytes: Buffer;
  readonly #mostAtOnce: number;

  /** `mostAtOnce`: longer writings come out short, as the system may do. */
  constructor(bytes: Uint8Array = Buffer.alloc(0), mostAtOnce: number = Number.POSITIVE_INFINITY) {
    this.bytes = Buffer.from(bytes);
    this.#mostAtOnce = mostAtOnce;
  }

  async read(buffer: Uint8Array, positionBytes: number): Promise<number> {
    const piece = this.bytes.subarray(positionBytes, positionBytes + buffer.length);
    buffer.set(piece);
    return piece.length;
  }

  async write(buffer: Uint8Array, positionBytes: number): Promise<number> {
    const piece = buffer.subarray(0, Math.min(buffer.length, this.#mostAtOnce));
    const end = positionBytes + piece.length;
    if (end > this.bytes.length) {
      this.bytes = Buffer.concat([this.bytes, Buffer.alloc(end - this.bytes.length)]);
    }
    this.bytes.set(piece, positionBytes);
    return piece.length;
  }

  async entryStatus(): Promise<EntryStatus> {
    throw new Error("A file in memory has no status");
  }

  async tryLock(): Promise<boolean> {
    return true;
  }

  async startWriteBack(): Promise<void> {}

  async sync(): Promise<void> {}

  async close(): Promise<void> {}
}
