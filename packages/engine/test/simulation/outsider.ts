/**
 * Another program of a simulation: it knows nothing of records, takes no lock, and writes to the
 * files, replaces them or removes them as it likes. What is opened waits for a lease, as a blocking
 * `open(2)` does; what goes by name does not.
 */
import { OsError } from "@fe/native";
import {
  type DirectoryInode,
  type FileInode,
  mustWait,
  type SimulatedProcess,
} from "@fe/native/testing";
import { bytesOf } from "../oracle.ts";
import type { Books } from "./books.ts";
import type { Monitor } from "./monitor.ts";
import { homePath, type OutsideAction } from "./plan.ts";

/** What is done through a handle. */
const opensFile = new Set<string>(["header", "middle", "append", "truncate", "rewrite"]);

/** Another program, which knows nothing of records and takes no lock. */
export class Outsider {
  readonly #books: Books;
  readonly #monitor: Monitor;
  readonly #process: SimulatedProcess;

  constructor(books: Books, monitor: Monitor) {
    this.#books = books;
    this.#monitor = monitor;
    this.#process = books.world.start().process;
  }

  async run(actions: readonly OutsideAction[]): Promise<void> {
    for (const action of actions) {
      const { pauseMs } = action;
      const { scheduler } = this.#books.world;
      if (pauseMs > 0) await scheduler.sleep(this.#process, pauseMs, undefined);
      try {
        await this.#act(action);
      } catch (error) {
        // A fault met it; it goes on with the next.
        if (!(error instanceof OsError)) this.#books.violation("threw", String(error));
      }
    }
    this.#process.die();
  }

  async #act(action: OutsideAction): Promise<void> {
    const step = async (name: string, run: () => void): Promise<void> => {
      const { world } = this.#books;
      const opens = opensFile.has(action.kind);
      // Opening waits as long as somebody keeps others out.
      const tryOnce = (): boolean => {
        const file = opens ? this.#books.fileAt(action.path) : undefined;
        if (file !== undefined && mustWait(file, world.scheduler.nowMs)) return false;
        run();
        return true;
      };
      while (!(await this.#process.call(`outside.${name}`, action.path, tryOnce))) {
        await world.scheduler.sleep(this.#process, 5, undefined);
      }
    };
    switch (action.kind) {
      case "header":
        return step("header", () =>
          this.#write(action, (content) =>
            content.length < 4 ? content : `{${action.mark}}`.slice(0, 4) + content.slice(4),
          ),
        );
      case "middle":
        // Between what edits replace: what an edit moves, it writes over.
        return step("middle", () =>
          this.#write(action, (content) =>
            content.replace(/\.{4}/, `{${action.mark}}`.slice(0, 4)),
          ),
        );
      case "append":
        return step("append", () => this.#write(action, (content) => `${content}{${action.mark}}`));
      case "truncate":
        return step("truncate", () =>
          this.#write({ ...action, mark: "" }, (content) =>
            content.slice(0, this.#books.world.random.below(content.length + 1)),
          ),
        );
      case "rewrite":
        await step("empty", () => this.#write({ ...action, mark: "" }, () => ""));
        return step("rewrite", () => this.#write(action, () => this.#fresh(action)));
      case "rename-over":
        return step("rename-over", () => this.#replace(action));
      case "make-anew":
        await step("unlink", () => this.#unlink(action));
        return step("make", () => void this.#make(action));
      case "touch":
        return step("touch", () => this.#touch(action));
      case "mode":
        return step("mode", () => this.#changeMode(action));
      case "remove-locks":
        return step("remove-locks", () => this.#removeLocks());
    }
  }

  /** Where the files are. Without it this program would do less than was drawn, and nobody knew. */
  #folder(): DirectoryInode {
    const folder = this.#books.world.disk.root.entries.get(nameOf(homePath));
    if (folder?.kind !== "directory") throw new Error(`There is no directory ${homePath}`);
    return folder;
  }

  #fresh({ path, mark }: OutsideAction): string {
    return `${this.#books.templates.get(path) ?? ""}{${mark}}`;
  }

  #write(action: OutsideAction, change: (content: string) => string): void {
    const file = this.#books.fileAt(action.path);
    if (file === undefined) return;
    const content = change(bytesOf(file.content));
    const isUnguarded = !this.#monitor.isGuarded(file);
    const nowNs = this.#books.world.nowNs();
    file.change({ kind: "length", sizeBytes: content.length }, nowNs);
    file.change({ kind: "write", at: 0, bytes: Buffer.from(content, "latin1") }, nowNs);
    if (action.isSynced) file.sync();
    this.#books.writtenByOther(file);
    this.#books.accounts.get(file)?.changedByOther(this.#books.now, {
      content,
      marks: content.includes(`{${action.mark}}`) ? [`{${action.mark}}`] : [],
      isUnguarded,
      isSynced: action.isSynced,
    });
  }

  #make(action: OutsideAction, name: string = nameOf(action.path)): FileInode | undefined {
    const { disk } = this.#books.world;
    const folder = this.#folder();
    if (folder.entries.has(name)) return undefined;
    const file = disk.makeFile(folder, name, 0o644, this.#books.world.owner);
    const content = this.#fresh(action);
    this.#books.open(file);
    file.change(
      { kind: "write", at: 0, bytes: Buffer.from(content, "latin1") },
      this.#books.world.nowNs(),
    );
    if (action.isSynced) {
      file.sync();
      folder.sync();
    }
    this.#books.accounts.get(file)?.changedByOther(this.#books.now, {
      content,
      marks: [`{${action.mark}}`],
      isUnguarded: true,
      isSynced: action.isSynced,
    });
    return file;
  }

  #replace(action: OutsideAction): void {
    const { disk } = this.#books.world;
    const folder = this.#folder();
    const name = nameOf(action.path);
    const made = this.#make(action, `${name}.new`);
    if (made === undefined) return;
    const old = folder.entries.get(name);
    disk.changeNames(folder, { removed: `${name}.new`, added: { name, inode: made } });
    this.#books.replacedAt.set(action.path, this.#books.now);
    if (action.isSynced) folder.sync();
    if (old === undefined) return;
    old.linkCount -= 1;
    disk.release(old);
  }

  #unlink({ path }: OutsideAction): void {
    const folder = this.#folder();
    if (folder.entries.has(nameOf(path))) {
      this.#books.world.disk.unlink(folder, nameOf(path));
      this.#books.replacedAt.set(path, this.#books.now);
    }
  }

  #touch({ path }: OutsideAction): void {
    const file = this.#books.fileAt(path);
    if (file !== undefined) file.modifiedNs += 1n;
  }

  #changeMode({ path }: OutsideAction): void {
    const file = this.#books.fileAt(path);
    if (file !== undefined) file.mode ^= 0o020;
  }

  #removeLocks(): void {
    const { disk } = this.#books.world;
    const data = disk.root.entries.get("data");
    const store = data?.kind === "directory" ? data.entries.get("edit-recovery") : undefined;
    if (store?.kind !== "directory") return;
    for (const name of store.entries.keys()) {
      if (name.endsWith(".lock")) disk.unlink(store, name);
    }
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
