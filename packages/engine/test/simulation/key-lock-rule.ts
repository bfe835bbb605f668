/**
 * KL  Whoever publishes, moves or removes an entry of a key, locks its record to judge it, or
 *     changes the key's target, holds the lock of that key. (In stores whose locks exclude.)
 *
 * This is what the lock is for, and nothing else shows that it was taken: the lock of the record,
 * its link and the verification exclude too, so files and records come out right without it. They
 * are the second line, and when the first is gone, nobody notices.
 *
 * That no two hold the lock of one key is the kernel's doing, and true in the simulation by
 * `tryLock`; unless somebody deletes the lock file, which is what the second line is for.
 */
import { createHash } from "node:crypto";
import type { FileInode, SimulatedProcess, WorldEvent } from "@fe/native/testing";
import type { Books } from "./books.ts";

/** A record, or what a record is before and after it has its name. */
const entryOfKey = /^([0-9a-f]{64})(?:\.[0-9a-f-]+)*\.(?:fer|tmp|reap)$/;
const recordOfKey = /^([0-9a-f]{64})\.fer$/;

export class KeyLockRule {
  readonly #books: Books;

  constructor(books: Books) {
    this.#books = books;
    if (books.world.disk.volume.locks !== "exclusive") return;
    books.world.observe((event) => this.#see(event));
  }

  #see(event: WorldEvent): void {
    if (event.kind === "name" && event.process !== undefined) {
      const { removed, added } = event.change;
      for (const name of [removed, added?.name]) {
        this.#check(event.process, entryOfKey.exec(name ?? "")?.[1], `changes the name ${name}`);
      }
    }
    if (event.kind === "lock") {
      const { process, about } = event.file;
      this.#check(process, recordOfKey.exec(about)?.[1], `locks ${about}`);
    }
    if (event.kind === "content" && this.#books.accounts.has(event.inode)) {
      this.#check(event.process, keyOf(event.inode), "changes a target");
    }
  }

  #check(process: SimulatedProcess, key: string | undefined, what: string): void {
    if (key === undefined || holds(process, key)) return;
    this.#books.violation("KL", `${process.pid} ${what} and does not hold the lock of its key`);
  }
}

function holds(process: SimulatedProcess, key: string): boolean {
  return [...process.open].some(
    (file) =>
      file.about === `${key}.lock` &&
      file.inode.kind === "regular" &&
      file.inode.lockHolder === file,
  );
}

/** The key of a file, worked out anew here (docs/protocol.md, section 1). */
export function keyOf({ volume, number }: FileInode): string {
  return createHash("sha256").update(`volume:${volume.id}:${number}`).digest("hex");
}
