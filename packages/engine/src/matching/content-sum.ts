/** What is made of a file's bytes while they are read, to know them again. */
import { createHash, type Hash, hash } from "node:crypto";

/** Fed from the first byte to the last; asked once. */
export interface ContentSum {
  update(bytes: Uint8Array): void;
  /** In hex. */
  digest(): string;
}

/** SHA-256. `keepsPieces`: what it is fed does not change later. */
export function sha256Sum(keepsPieces = false): ContentSum {
  return keepsPieces ? new PatientSha256() : new Sha256();
}

class Sha256 implements ContentSum {
  readonly #hash = createHash("sha256");

  update(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  digest(): string {
    return this.#hash.digest("hex");
  }
}

/** The sum of a single piece is made at once, which most files are; it takes half as long. */
class PatientSha256 implements ContentSum {
  #first: Uint8Array | undefined;
  #hash: Hash | undefined;

  update(bytes: Uint8Array): void {
    if (this.#first === undefined) {
      this.#first = bytes;
      return;
    }
    this.#hash ??= createHash("sha256").update(this.#first);
    this.#hash.update(bytes);
  }

  digest(): string {
    return this.#hash?.digest("hex") ?? hash("sha256", this.#first ?? new Uint8Array(), "hex");
  }
}
