/**
 * The second half of every simulation: all processes are dead, the faults have stopped, and a fresh
 * process edits every file.
 *
 * L1  Every file can be edited, at once or after each record that stands in the way was resolved
 *     once. Nobody is busy for ever.
 * L2  An edit that needs a person has a reason: its record is readable, and the file is neither of
 *     its versions, or another file, or a sync of it failed, or the store has no locks.
 * L3  Nothing is left in the store of a file that was edited: no record, lock file, tombstone or
 *     unpublished record; and no record at all, once each was resolved.
 *
 * What the files hold is judged by the oracle before anything is chosen (V1, V2) and after (V3).
 */
import type { FileInode } from "@fe/native/testing";
import type { ShownVersion } from "../../src/result.ts";
import { type Bytes, bytesOf, type RecordVersions } from "../oracle.ts";
import { Actor } from "./actors.ts";
import type { Books, MakeOs } from "./books.ts";
import { keyOf } from "./key-lock-rule.ts";

export class Liveness {
  readonly #books: Books;
  readonly #makeOs: MakeOs;
  #marks = 0;

  constructor(books: Books, makeOs: MakeOs) {
    this.#books = books;
    this.#makeOs = makeOs;
  }

  /** Runs in a process of its own, which exits at the end. */
  async check(paths: readonly string[]): Promise<void> {
    const actor = await Actor.start(this.#books, this.#makeOs);
    for (const path of paths) await this.#checkFile(actor, path);
    await this.#checkLeftRecords(actor);
    this.#checkStore(paths);
    await actor.engine.close();
    actor.process.die();
  }

  async #checkFile(actor: Actor, path: string): Promise<void> {
    const records = await actor.engine.recovery.list();
    for (let resolutions = 0; ; resolutions++) {
      const file = this.#books.fileAt(path);
      if (file === undefined) return;
      const before = file.content;
      const wrong = this.#books.accounts.get(file)?.judge(bytesOf(before), undefined);
      const answer = await this.#tryEdit(actor, path, file);
      if (answer === "applied" || answer === "FE_NO_MATCH") {
        if (wrong !== undefined) this.#books.violation("V", wrong);
        return;
      }
      if (answer !== "FE_RECOVERY_REQUIRED") {
        this.#books.violation("L1", `an edit of ${path} with nobody else there: ${answer}`);
        return;
      }
      if (Buffer.compare(before, file.content) !== 0) {
        this.#books.violation("I5", "a refused edit changed the file");
      }
      if (resolutions >= Math.max(records.length, 1)) {
        this.#books.violation("L1", `${path} needs more resolutions than there are records`);
        return;
      }
      await this.#decide(actor, path, file);
    }
  }

  /** An edit that finds its place in any file that is not empty. */
  async #tryEdit(actor: Actor, path: string, file: FileInode): Promise<string> {
    this.#marks += 1;
    const content = bytesOf(file.content);
    const proof = `(live${this.#marks})`;
    const oldText = content === "" ? "nothing" : content;
    this.#books.texts.push(proof);
    return actor.edit({
      kind: "edit",
      path,
      oldText,
      newText: content + proof,
      proof,
      waitMs: 0,
    });
  }

  async #decide(actor: Actor, path: string, file: FileInode): Promise<void> {
    const { recovery } = actor.engine;
    const records = await recovery.list();
    const record =
      records.find(({ identity }) => identity?.file === file.number) ??
      records.find((one) => one.path === path);
    if (record === undefined) {
      this.#books.violation("V1", `an edit of ${path} is refused and no record can be listed`);
      return;
    }
    const versions = {
      before: await textOf(await recovery.show(record.id, "before")),
      after: await textOf(await recovery.show(record.id, "after")),
    };
    // Perhaps by another name of the file.
    const isSame =
      record.identity?.file === file.number && this.#books.fileAt(record.path ?? "") === file;
    this.#judge(file, file.content, isSame ? versions : undefined);
    this.#checkReason(file, record.identity?.birthTimeNs, isSame, versions);
    const keep = this.#books.world.random.pick(["before", "after", "current"] as const);
    const answer = await actor.resolve(record.id, keep);
    if (answer === "FE_TARGET_REPLACED") {
      const again = await actor.resolve(record.id, "current");
      if (again !== "unchanged") this.#books.violation("L1", `resolve --keep current: ${again}`);
      return;
    }
    if (answer !== "applied" && answer !== "unchanged") {
      this.#books.violation("L1", `resolve --keep ${keep}: ${answer}`);
      return;
    }
    const isInPlace = keep !== "current" && isSame;
    if (isInPlace && bytesOf(file.content) !== versions[keep]) {
      this.#books.violation("V3", `the file is not the version ${keep} that was chosen`);
    }
  }

  /** L2. */
  #checkReason(
    file: FileInode,
    birthTimeNs: bigint | undefined,
    isSame: boolean,
    { before, after }: RecordVersions,
  ): void {
    const content = bytesOf(file.content);
    const hasLocks = file.volume.locks === "exclusive";
    const isOther = !isSame || birthTimeNs !== file.birthTimeNs;
    if (
      !hasLocks ||
      isOther ||
      this.#books.doubted.has(file) ||
      (content !== before && content !== after)
    )
      return;
    this.#books.violation("L2", "a person is asked although the file is whole");
  }

  #judge(file: FileInode, content: Uint8Array, record: RecordVersions | undefined): void {
    const account = this.#books.accounts.get(file);
    const wrong = account?.judge(bytesOf(content), record);
    if (wrong !== undefined) this.#books.violation("V", wrong);
  }

  /** Records of files that are gone: a person puts them aside. */
  async #checkLeftRecords(actor: Actor): Promise<void> {
    const { recovery } = actor.engine;
    for (const { id } of await recovery.list()) {
      const answer = await actor.resolve(id, "current");
      if (answer !== "unchanged") {
        this.#books.violation("L1", `the record of a file that is gone stays: ${answer}`);
      }
    }
    const left = await recovery.list();
    if (left.length > 0) this.#books.violation("L3", `${left.length} records are left`);
  }

  #checkStore(paths: readonly string[]): void {
    const data = this.#books.world.disk.root.entries.get("data");
    const store = data?.kind === "directory" ? data.entries.get("edit-recovery") : undefined;
    if (store?.kind !== "directory") return;
    const keys = new Set<string>();
    for (const path of paths) {
      const file = this.#books.fileAt(path);
      // An empty file was not edited, but its records were settled all the same.
      if (file !== undefined) keys.add(keyOf(file));
    }
    const hasLocks = store.volume.locks === "exclusive";
    for (const name of store.entries.keys()) {
      // Nobody may remove there what another could still be making; it stands in nobody's way.
      if (!hasLocks && /\.(lock|tmp|reap)$/.test(name)) continue;
      if (keys.has(name.slice(0, 64))) this.#books.violation("L3", `${name} is left`);
    }
  }
}

async function textOf(shown: ShownVersion): Promise<Bytes> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of shown.chunks()) chunks.push(chunk.slice());
  await shown.close();
  return bytesOf(Buffer.concat(chunks));
}
