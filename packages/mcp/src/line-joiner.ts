/**
 * Gathers a stream into whole lines, so that the SDK gets each message in one piece: it copies what
 * it has at every piece, which for a long message is the square of its length.
 */
import { Transform, type TransformCallback } from "node:stream";

const lineFeed = 0x0a;

/** Fails with an error when a line has more than `maxBytes`. */
export class LineJoiner extends Transform {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #sizeBytes = 0;

  constructor(maxBytes: number) {
    super();
    this.#maxBytes = maxBytes;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const end = chunk.lastIndexOf(lineFeed) + 1;
    if (end > 0) {
      const lines = Buffer.concat([...this.#parts, chunk.subarray(0, end)]);
      this.#parts = [];
      this.#sizeBytes = 0;
      this.push(lines);
    }
    if (end < chunk.length) this.#parts.push(chunk.subarray(end));
    this.#sizeBytes += chunk.length - end;
    if (this.#sizeBytes > this.#maxBytes) {
      this.#parts = [];
      done(new Error(`A message has more than ${this.#maxBytes} bytes`));
    } else {
      done();
    }
  }
}
