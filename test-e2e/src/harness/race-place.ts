/** A file of four words and a store, for tests in which several processes meet at one record. */
import { randomUUID } from "node:crypto";
import { readdirSync, renameSync } from "node:fs";
import path from "node:path";
import { CommandFolder } from "./command.ts";
import { editOf, endOwners, type Outcome, type OwnerPlan } from "./owner.ts";

/** Which word an edit changes; each is another's. */
export type Word = "one" | "two" | "three" | "four";

const digits: Readonly<Record<Word, string>> = { one: "1", two: "2", three: "3", four: "4" };

/** The place of one test. */
export class RacePlace implements AsyncDisposable {
  readonly folder: CommandFolder;
  readonly file: string;
  readonly store: string;

  private constructor(folder: CommandFolder, file: string) {
    this.folder = folder;
    this.file = file;
    this.store = path.join(folder.dataPath, "edit-recovery");
  }

  static async create(): Promise<RacePlace> {
    const folder = await CommandFolder.create();
    return new RacePlace(folder, await folder.write("f", "one two three four\n"));
  }

  /** Ends the processes that the test has left. */
  async [Symbol.asyncDispose](): Promise<void> {
    await endOwners();
    await this.folder[Symbol.asyncDispose]();
  }

  /** An edit that turns a word into its digit. */
  planOf(word: Word, more: Partial<OwnerPlan> = {}): OwnerPlan {
    const edit = { oldString: word, newString: digits[word] };
    return { path: this.file, userData: this.folder.dataPath, edit, ...more };
  }

  /** That edit, from beginning to end. */
  edit(word: Word): Promise<Outcome> {
    return editOf(this.planOf(word));
  }

  /** Names in the store, without lock files and what was saved. */
  names(): string[] {
    // The third: what is removed and still open, where the filesystem knows no POSIX removal.
    const others = /^saved$|\.lock$|^\.fe-removed-/u;
    return readdirSync(this.store).filter((name) => !others.test(name));
  }

  /**
   * Takes a file out of the store, as somebody who removes it. Not removed: a file that is open
   * would keep its name on Windows.
   */
  takeAway(file: string): void {
    renameSync(file, this.folder.file(`taken-${randomUUID()}`));
  }

  /** Where the record is that has its name. */
  recordPath(): string {
    return path.join(this.store, this.names().find((name) => name.endsWith(".fer")) ?? "no record");
  }
}
