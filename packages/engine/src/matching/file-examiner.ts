/** All that is to be known of a file as a whole, from one pass; see `scan.ts`. */
import { type ContentSum, sha256Sum } from "./content-sum.ts";
import { LineStyleDetector } from "./line-endings.ts";
import { type ByteOrder, type FileForm, markedEncodingOf, utf8Bom } from "./text-form.ts";
import { Utf8Checker } from "./utf8-checker.ts";
import { encodeUtf16, looksLikeUtf16, nameOfOrder, startBytes, UnitNarrower } from "./utf16.ts";

const lineFeed = 0x0a;
const nothing: Buffer = Buffer.alloc(0);

/** Feed every chunk in order, then ask. */
export class FileExaminer {
  readonly #sum: ContentSum | undefined;
  readonly #utf8 = new Utf8Checker();
  readonly #byteOrder: ByteOrder | undefined;
  readonly #units: UnitNarrower | undefined;
  readonly #lines: LineStyleDetector | undefined;
  readonly #isInMemory: boolean;
  #start: Buffer = nothing;
  #sizeBytes = 0;
  #hasLineFeed = false;

  /**
   * `byteOrder`: of a file that is UTF-16. `isInMemory`: what is fed does not change later, and has
   * its sum made elsewhere. `sum`: instead of SHA-256.
   */
  constructor(options: {
    readonly examinesLines: boolean;
    readonly isInMemory: boolean;
    readonly byteOrder?: ByteOrder | undefined;
    readonly sum?: ContentSum | undefined;
  }) {
    const { examinesLines, byteOrder } = options;
    this.#isInMemory = options.isInMemory;
    this.#sum = options.sum ?? (options.isInMemory ? undefined : sha256Sum());
    this.#byteOrder = byteOrder;
    this.#units = byteOrder === undefined ? undefined : new UnitNarrower(byteOrder);
    this.#lines = examinesLines ? new LineStyleDetector() : undefined;
  }

  feed(chunk: Buffer): void {
    this.#keepStart(chunk);
    this.#sum?.update(chunk);
    this.#sizeBytes += chunk.length;
    if (this.#units === undefined) this.#utf8.feed(chunk);
    const text = this.#units?.narrow(chunk) ?? chunk;
    this.#lines?.feed(text);
    this.#hasLineFeed ||= text.includes(lineFeed);
  }

  #keepStart(chunk: Buffer): void {
    const missing = startBytes - this.#start.length;
    if (missing <= 0) return;
    const piece = chunk.subarray(0, missing);
    const isAlone = this.#isInMemory && this.#start.length === 0;
    this.#start = isAlone ? piece : Buffer.concat([this.#start, piece]);
  }

  /** The beginning of what was fed, as far as it tells more than the rest. */
  get start(): Uint8Array {
    return this.#start;
  }

  /** To be asked once, after the last chunk. */
  form(): FileForm {
    const byteOrder = this.#byteOrder;
    const marked = markedEncodingOf(this.#start);
    const bom = byteOrder === undefined ? utf8Bom : encodeUtf16("\ufeff", byteOrder);
    const hasBom = marked === (byteOrder === undefined ? "utf-8" : nameOfOrder(byteOrder));
    const looksLike =
      byteOrder === undefined && marked === undefined
        ? looksLikeUtf16(this.#start, this.#sizeBytes)
        : undefined;
    return {
      sum: this.#sum?.digest(),
      isUtf8: byteOrder === undefined && this.#utf8.isUtf8(),
      hasLineFeed: this.#hasLineFeed,
      lineStyle: this.#lines?.style() ?? "not-examined",
      ...(byteOrder === undefined ? {} : { byteOrder }),
      ...(hasBom ? { bom } : {}),
      ...(looksLike === undefined ? {} : { looksLike }),
    };
  }
}
