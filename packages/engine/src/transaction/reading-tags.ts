/**
 * Tags that tell whether two readings of one edit gave the same bytes: what was matched, and what
 * was recorded.
 *
 * A tag is a GMAC (AES-GCM over additional data alone) under a key that is drawn for the edit and
 * forgotten with it. Neither key nor tag is shown to anybody, so who writes to the file meanwhile
 * cannot aim: whatever two different files of up to 128 MiB he chooses, their tags are equal with
 * a probability of 2^-104 at most (blocks of 16 bytes, and two for the lengths, over 2^128), AES
 * being what it is held to be. SHA-256 would tell no more here, and takes eight times as long. A
 * tag is no sum to be stored or compared with another edit's: the record has SHA-256.
 *
 * The nonce is fixed: a key serves this one purpose, and what a second use of a nonce gives away is
 * given to nobody.
 *
 * Node documents that additional data can be set, not that a second call adds to the first, as it
 * does with OpenSSL. So that is tried before a tag is relied on; where it is not so, or there is no
 * such cipher, there are no tags.
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

/** What is needed of a cipher. */
interface TagCipher {
  setAAD(bytes: Uint8Array): unknown;
  final(): unknown;
  getAuthTag(): Buffer;
}

type NewCipher = (key: Uint8Array) => TagCipher;

const newGcm: NewCipher = (key) => createCipheriv("aes-128-gcm", key, nonce);

/** Makes tags of one edit; only those of the same maker can be compared. */
export class ReadingTags {
  readonly #key: Uint8Array;
  readonly #newCipher: NewCipher;

  private constructor(key: Uint8Array, newCipher: NewCipher) {
    this.#key = key;
    this.#newCipher = newCipher;
  }

  /** With a key that nobody else knows; `undefined`: here are no tags to be relied on. */
  static async draw(
    os: Pick<Os, "randomId">,
    newCipher: NewCipher = newGcm,
  ): Promise<ReadingTags | undefined> {
    // An id has 122 bits of chance; the sum spreads them over the key.
    const sum = createHash("sha256")
      .update(await os.randomId())
      .digest();
    const tags = new ReadingTags(sum.subarray(0, keyBytes), newCipher);
    return tags.#areSound() ? tags : undefined;
  }

  newTag(): ContentSum {
    const cipher = this.#newCipher(this.#key);
    return {
      update: (bytes) => void cipher.setAAD(bytes),
      digest: () => {
        cipher.final();
        return cipher.getAuthTag().toString("hex");
      },
    };
  }

  /** Whether pieces add up, and every one of them counts. */
  #areSound(): boolean {
    const tagOf = (...pieces: readonly string[]): string => {
      const tag = this.newTag();
      for (const piece of pieces) tag.update(Buffer.from(piece));
      return tag.digest();
    };
    try {
      const whole = tagOf("one, two and three");
      const others = [tagOf("two and three"), tagOf("one, "), tagOf("One, ", "two and three")];
      return whole === tagOf("one, ", "two and", " three") && !others.includes(whole);
    } catch {
      // Whatever the reason is, there is SHA-256.
      return false;
    }
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
