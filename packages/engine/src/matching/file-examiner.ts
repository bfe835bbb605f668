/** All that is to be known of a file as a whole, from one pass; see `scan.ts`. */
import { createHash } from "node:crypto";
import { LineStyleDetector } from "./line-endings.ts";
import { type FileForm, utf8Bom, wideEncodingOf } from "./text-form.ts";
import { Utf8Checker } from "./utf8-checker.ts";

const lineFeed = 0x0a;

/** Feed every chunk in order, then ask. */
export class FileExaminer {
  readonly #hash = createHash("sha256");
  readonly #utf8 = new Utf8Checker();
  readonly #lines: LineStyleDetector | undefined;
  /** As much of the beginning as the longest byte order mark has. */
  #start: Buffer = Buffer.alloc(0);
  #hasLineFeed = false;

  constructor(options: { readonly examinesLines: boolean }) {
    this.#lines = options.examinesLines ? new LineStyleDetector() : undefined;
  }

  feed(chunk: Buffer): void {
    if (this.#start.length < 4) this.#start = Buffer.concat([this.#start, chunk.subarray(0, 4)]);
    this.#hash.update(chunk);
    this.#utf8.feed(chunk);
    this.#lines?.feed(chunk);
    this.#hasLineFeed ||= chunk.includes(lineFeed);
  }

  /** `UTF-16` or `UTF-32`, if a byte order mark says so. */
  wideEncoding(): string | undefined {
    return wideEncodingOf(this.#start);
  }

  /** To be asked once, after the last chunk. */
  form(): FileForm {
    return {
      sha256: this.#hash.digest("hex"),
      isUtf8: this.#utf8.isUtf8(),
      hasUtf8Bom: this.#start.subarray(0, utf8Bom.length).equals(utf8Bom),
      hasLineFeed: this.#hasLineFeed,
      lineStyle: this.#lines?.style() ?? "not-examined",
    };
  }
}
