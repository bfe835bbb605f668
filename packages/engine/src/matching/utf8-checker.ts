/** Whether bytes that come chunk by chunk are UTF-8; a character may lie across two chunks. */
import { isUtf8 } from "node:buffer";

const maxSequenceBytes = 4;

/** Feed every chunk in order, then ask. */
export class Utf8Checker {
  #isValid = true;
  /** A character that was cut off at the end of the last chunk. */
  #cut: Buffer = Buffer.alloc(0);

  feed(chunk: Uint8Array): void {
    if (!this.#isValid) return;
    let rest = chunk;
    if (this.#cut.length > 0) {
      const missing = sequenceBytes(this.#cut[0] ?? 0) - this.#cut.length;
      this.#cut = Buffer.concat([this.#cut, chunk.subarray(0, missing)]);
      if (chunk.length < missing) return;
      this.#isValid = isUtf8(this.#cut);
      this.#cut = Buffer.alloc(0);
      rest = chunk.subarray(missing);
    }
    const whole = rest.length - cutBytes(rest);
    this.#isValid &&= isUtf8(rest.subarray(0, whole));
    this.#cut = Buffer.from(rest.subarray(whole));
  }

  /** Whether all that was fed is UTF-8. */
  isUtf8(): boolean {
    return this.#isValid && this.#cut.length === 0;
  }
}

/** Length of the character that begins with `lead`; 1 if none does, which `isUtf8` then refuses. */
function sequenceBytes(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

/** How many bytes at the end belong to a character that goes on after it. */
function cutBytes(bytes: Uint8Array): number {
  for (let back = 1; back < maxSequenceBytes && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    return sequenceBytes(byte) > back ? back : 0;
  }
  return 0;
}
