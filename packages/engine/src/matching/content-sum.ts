/** What is made of a file's bytes while they are read, to know them again. */
import { createHash } from "node:crypto";

/** Fed from the first byte to the last; asked once. */
export interface ContentSum {
  update(bytes: Uint8Array): void;
  /** In hex. */
  digest(): string;
}

/** SHA-256. */
export function sha256Sum(): ContentSum {
  const sum = createHash("sha256");
  return {
    update: (bytes) => {
      sum.update(bytes);
    },
    digest: () => sum.digest("hex"),
  };
}
