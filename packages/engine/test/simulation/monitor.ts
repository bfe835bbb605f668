/**
 * Watches a simulation from inside the disk and holds it to the invariants that cannot be seen from
 * its end alone.
 *
 * I1    At the first byte that an edit changes, its record is durable, content and name, and holds
 *       the bytes that the file had when the record became durable. What another program wrote
 *       after that is the window that the protocol does not close.
 * I3    The last name of a live record is taken away by nobody but its owner.
 * I5    At the first byte that a resolution changes, the bytes it replaces are durable in `saved/`.
 * S13   While an edit writes, the file is never shorter than both of its versions.
 * ME    Never two live transactions of one key between publishing and the end.
 *
 * It knows the engine only by the names in the store and by who writes to which file.
 */
import { createHash } from "node:crypto";
import type {
  DirectoryInode,
  FileInode,
  NameChange,
  SimulatedInode,
  SimulatedProcess,
  WorldEvent,
} from "@fe/native/testing";
import { bytesOf } from "../oracle.ts";
import type { Books, RunningCall } from "./books.ts";
import { afterOf, Offers } from "./offers.ts";

/** Of a record in the store; one in `saved/` has more in its name, and is no publication. */
const recordName = /^[0-9a-f]{64}\.fer$/;

/** A record that its maker still works with. */
interface LiveRecord {
  readonly process: SimulatedProcess;
  readonly inode: FileInode;
  readonly directory: DirectoryInode;
  readonly name: string;
  /** The targets that its maker had open when it became durable, as they were then. */
  targets: Map<FileInode, Uint8Array>;
}

export class Monitor {
  readonly #books: Books;
  readonly #live = new Map<SimulatedInode, LiveRecord>();
  /** Records that had a name once: a second one is no publication. */
  readonly #known = new WeakSet<SimulatedInode>();
  readonly #offers = new Offers();
  /** Calls that have begun to change a file. */
  readonly #begun = new WeakMap<RunningCall, Set<SimulatedInode>>();

  constructor(books: Books) {
    this.#books = books;
    books.world.observe((event) => this.#see(event));
  }

  /** Whether an edit of this file stands between its record and its end, or a resolution. */
  isGuarded(inode: FileInode): boolean {
    const isEdited = [...this.#live.values()].some(({ targets }) => targets.has(inode));
    return isEdited || this.#books.isResolving();
  }

  #see(event: WorldEvent): void {
    switch (event.kind) {
      case "name":
        this.#seeName(event.process, event.directory, event.change);
        break;
      case "sync":
        this.#seeSync(event.process, event.inode);
        break;
      case "failed-sync":
        this.#books.doubted.add(event.inode);
        break;
      case "content":
        this.#seeContent(event.process, event.inode, event.before);
        break;
      case "release":
        // Others in the same process may have looked at it through a handle of their own.
        if (
          event.file.canWrite &&
          this.#live.get(event.file.inode)?.process === event.file.process
        ) {
          this.#live.delete(event.file.inode);
        }
        break;
      case "death":
        for (const [inode, { process }] of this.#live) {
          if (process === event.process) this.#live.delete(inode);
        }
        break;
      case "power-loss":
        this.#live.clear();
        this.#books.doubted.clear();
        for (const [inode, account] of this.#books.accounts) {
          account.powerWasLost(bytesOf(inode.content));
        }
    }
  }

  #seeName(
    process: SimulatedProcess | undefined,
    directory: DirectoryInode,
    change: NameChange,
  ): void {
    if (process === undefined) return;
    const { removed, added } = change;
    if (added !== undefined && recordName.test(added.name) && added.inode.kind === "regular") {
      this.#publish(process, added.inode, directory, added.name);
    }
    if (removed === undefined) return;
    const inode = directory.entries.get(removed);
    if (recordName.test(removed) && inode?.kind === "regular") this.#seeChoice(process, inode);
    if (added !== undefined) return;
    const live = inode && this.#live.get(inode);
    if (live === undefined || inode === undefined) return;
    if (live.process === process) {
      this.#live.delete(inode);
    } else if (inode.linkCount <= 1) {
      this.#books.violation("I3", `${process.pid} removed the live record of ${live.process.pid}`);
    }
  }

  #publish(
    process: SimulatedProcess,
    inode: FileInode,
    directory: DirectoryInode,
    name: string,
  ): void {
    if (this.#known.has(inode)) return;
    this.#known.add(inode);
    for (const other of this.#live.values()) {
      if (other.name !== name || other.process === process) continue;
      const who = `${other.process.pid} and ${process.pid}`;
      this.#books.violation("ME", `${who} are both between publishing and the end`);
    }
    this.#live.set(inode, { process, inode, directory, name, targets: new Map() });
    for (const call of this.#callsAbout(process, inode)) {
      call.records.add(inode);
      for (const target of this.#targetsOf(process, inode)) this.#offers.add(inode, target, call);
    }
  }

  /** The files that this process may write to and that the record is about. */
  #targetsOf(process: SimulatedProcess, record: FileInode): FileInode[] {
    const { number } = aboutOf(record);
    return [...process.open].flatMap(({ inode, canWrite }) => {
      const isTarget = canWrite && inode.kind === "regular" && String(inode.number) === number;
      return isTarget && this.#books.accounts.has(inode) ? [inode] : [];
    });
  }

  /** The calls that a record can be of: one, unless two edits of one file run in one process. */
  #callsAbout(process: SimulatedProcess, record: FileInode): readonly RunningCall[] {
    const { realPath } = aboutOf(record);
    const calls = this.#books.callsOf(process).filter(({ edit }) => edit?.path === realPath);
    if (calls.length < 2) return calls;
    const text = bytesOf(record.content);
    const targets = [...process.open].map(({ inode }) => inode);
    return calls.filter(({ edit }) =>
      targets.some((target) => {
        if (edit === undefined || target.kind !== "regular") return false;
        const after = bytesOf(target.content).replaceAll(edit.oldText, edit.newText);
        return text.includes(hashOf(after));
      }),
    );
  }

  /** A resolution takes the record away: what is in the file now was chosen. */
  #seeChoice(process: SimulatedProcess, record: FileInode): void {
    if (!this.#books.callsOf(process).some(({ kind }) => kind === "resolve")) return;
    const { number } = aboutOf(record);
    for (const [target, account] of this.#books.accounts) {
      if (String(target.number) !== number || target.linkCount === 0) continue;
      account.accept(bytesOf(target.content), this.#books.texts);
    }
  }

  #seeSync(process: SimulatedProcess, inode: SimulatedInode): void {
    if (inode.kind === "regular") this.#books.accounts.get(inode)?.synced();
    for (const live of this.#live.values()) {
      if (live.process !== process || live.directory !== inode || live.targets.size > 0) continue;
      for (const target of this.#targetsOf(process, live.inode)) {
        live.targets.set(target, target.content);
        this.#beginVersions(live, target);
      }
    }
  }

  /** From now on the file may become what a running edit of this process makes of it. */
  #beginVersions({ process, inode }: LiveRecord, target: FileInode): void {
    const before = bytesOf(target.content);
    for (const call of this.#callsAbout(process, inode)) {
      const after = afterOf(call, before);
      if (after === undefined) continue;
      call.publishedAt = this.#books.now;
      call.targets.set(target, target.content);
      this.#books.accounts.get(target)?.begin(after);
    }
  }

  #seeContent(process: SimulatedProcess, inode: FileInode, before: Uint8Array): void {
    const account = this.#books.accounts.get(inode);
    if (account === undefined) {
      this.#seeMark(process, inode);
      return;
    }
    const calls = this.#books.callsOf(process);
    const isSame = Buffer.compare(before, inode.content) === 0;
    for (const call of calls) {
      const isIts = call.kind === "resolve" || call.targets.has(inode) || calls.length === 1;
      if (!isIts) continue;
      if (!isSame) call.changes += 1;
      call.changedAt = this.#books.now;
      this.#checkLength(call, process, inode);
      const begun = this.#begun.get(call) ?? new Set();
      if (begun.has(inode)) continue;
      this.#begun.set(call, begun.add(inode));
      if (call.kind === "resolve") {
        if (!isSame) this.#checkSaved(call, inode, before);
        account.choiceBegins(this.#books.now);
        this.#offers.choose(account, inode);
      } else if (calls.every(({ kind }) => kind === "edit")) {
        this.#checkRecord(process, inode, before);
      }
    }
  }

  /** Readers that look in the middle should find what they know. */
  #checkLength({ edit }: RunningCall, process: SimulatedProcess, inode: FileInode): void {
    const live = [...this.#live.values()].find((one) => one.process === process);
    const before = live?.targets.get(inode);
    if (edit === undefined || before === undefined) return;
    const after = bytesOf(before).replaceAll(edit.oldText, edit.newText);
    const least = Math.min(before.length, after.length);
    if (inode.content.length >= least) return;
    this.#books.violation("S13", `the file has ${inode.content.length} bytes, ${least} at least`);
  }

  /** The mark of step 13: the edit has only its removal left. */
  #seeMark(process: SimulatedProcess, inode: FileInode): void {
    const live = this.#live.get(inode);
    if (live?.process === process && live.directory.entries.get(live.name) === inode) {
      if (live.targets.size > 0) this.#live.delete(inode);
    }
  }

  #checkRecord(process: SimulatedProcess, target: FileInode, before: Uint8Array): void {
    const records = [...this.#live.values()].filter((live) => live.process === process);
    const covering = records.find(({ targets }) => targets.has(target));
    if (covering === undefined) {
      this.#books.violation("I1", `${process.pid} changes the file and no record is durable`);
      return;
    }
    const { inode, directory, name, targets } = covering;
    const isDurable =
      directory.durableEntries.get(name) === inode &&
      isReachable(directory) &&
      Buffer.compare(inode.durableContent, inode.content) === 0;
    if (!isDurable) this.#books.violation("I1", `the record of ${process.pid} is not durable`);
    const atPublication = targets.get(target) ?? before;
    if (!bytesOf(inode.content).includes(bytesOf(atPublication))) {
      const what = "holds other bytes than the file had when it became durable";
      this.#books.violation("I5", `the record of ${process.pid} ${what}`);
    }
  }

  #checkSaved(call: RunningCall, target: FileInode, before: Uint8Array): void {
    const account = this.#books.accounts.get(target);
    if ((account?.foreignAt ?? 0) >= call.startedAt) return;
    const store = this.#books.world.disk.root.entries.get("data");
    const records = store?.kind === "directory" ? store.entries.get("edit-recovery") : undefined;
    const saved = records?.kind === "directory" ? records.entries.get("saved") : undefined;
    const isSaved =
      saved?.kind === "directory" &&
      isReachable(saved) &&
      [...saved.durableEntries.values()].some(
        (inode) => inode.kind === "regular" && Buffer.compare(inode.durableContent, before) === 0,
      );
    if (!isSaved) this.#books.violation("I5", "a resolution replaces bytes that are not saved");
  }
}

/** Whether a power loss would leave the way to a directory. */
function isReachable(directory: DirectoryInode): boolean {
  for (let at = directory; at.parent !== at; at = at.parent) {
    if (![...at.parent.durableEntries.values()].includes(at)) return false;
  }
  return true;
}

/** What the head of a record says of its target. */
function aboutOf(record: FileInode): { readonly realPath: string; readonly number: string } {
  const text = bytesOf(record.content);
  return {
    realPath: /"realPath":"([^"]*)"/.exec(text)?.[1] ?? "",
    number: /"target":\{"volume":"\d+","file":"(\d+)"/.exec(text)?.[1] ?? "",
  };
}

function hashOf(bytes: string): string {
  return createHash("sha256").update(Buffer.from(bytes, "latin1")).digest("hex");
}
