/**
 * Tags that tell whether two readings of one edit gave the same bytes: what was matched, and what
 * was recorded.
 *
 * A tag is a GMAC (AES-GCM over additional data alone) under a key that is drawn for the edit and
 * forgotten with it. Neither key nor tag is shown to anybody, so who writes to the file meanwhile
 * cannot aim: whatever two different files of up to 128 MiB he chooses, their tags are equal with a
 * probability of 2^-104 at most (blocks of 16 bytes, and two for the lengths, over 2^128). That is
 * as good as a SHA-256, whose collisions take 2^128 tries, and takes an eighth of its time. It is
 * no sum to be stored or compared with another's: the record has SHA-256.
 *
 * The nonce is fixed: a key serves this one purpose, and what a second use of a nonce gives away is
 * given to nobody.
 *
 * Source: NIST SP 800-38D; McGrew and Viega, "The Security and Performance of the Galois/Counter
 * Mode" (2004), lemma 1.
 */
import { createCipheriv, createHash } from "node:crypto";
import type { ByteSource } from "@fe/journal";
import type { Os } from "@fe/native";
import type { ContentSum } from "../matching/content-sum.ts";

const keyBytes = 16;
const nonce = new Uint8Array(12);

/** Makes tags of one edit; only those of the same maker can be compared. */
export class ReadingTags {
  readonly #key: Uint8Array;

  private constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** With a key that nobody else knows. */
  static async draw(os: Pick<Os, "randomId">): Promise<ReadingTags> {
    // An id has 122 bits of chance; the sum spreads them over the key.
    const sum = createHash("sha256")
      .update(await os.randomId())
      .digest();
    return new ReadingTags(sum.subarray(0, keyBytes));
  }

  newTag(): ContentSum {
    const cipher = createCipheriv("aes-128-gcm", this.#key, nonce);
    return {
      update: (bytes) => void cipher.setAAD(bytes),
      digest: () => {
        cipher.final();
        return cipher.getAuthTag().toString("hex");
      },
    };
  }
}

/** The same source, all of whose bytes go into `sum` as they are read: once, and in order. */
export function summed(source: ByteSource, sum: ContentSum): ByteSource {
  let doneBytes = 0;
  return {
    sizeBytes: source.sizeBytes,
    async read(buffer, positionBytes) {
      const count = await source.read(buffer, positionBytes);
      if (positionBytes !== doneBytes) throw new Error("What is summed is read once, in order");
      sum.update(buffer.subarray(0, count));
      doneBytes += count;
      return count;
    },
  };
}
