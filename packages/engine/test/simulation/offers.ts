/**
 * What records offer to a person. The maker of a record may be killed before the record is durable,
 * so before anybody meant the file to become what it says; whoever finds it may choose that.
 */
import type { FileInode } from "@fe/native/testing";
import { bytesOf, type FileAccount } from "../oracle.ts";
import type { RunningCall } from "./books.ts";

/** What the edit of a call makes of a file; nothing, if its text is not there. */
export function afterOf({ edit }: RunningCall, before: string): string | undefined {
  if (edit === undefined || !before.includes(edit.oldText)) return undefined;
  return before.replaceAll(edit.oldText, edit.newText);
}

export class Offers {
  readonly #all: { record: FileInode; target: FileInode; after: string }[] = [];

  /** `call`: an edit that the record may be of. */
  add(record: FileInode, target: FileInode, call: RunningCall): void {
    const after = afterOf(call, bytesOf(target.content));
    if (after !== undefined) this.#all.push({ record, target, after });
  }

  /** A choice is being written to the file: it may be what a record that is there offers. */
  choose(account: FileAccount, inode: FileInode): void {
    for (const { record, target, after } of this.#all) {
      if (target === inode && record.linkCount > 0) account.begin(after);
    }
  }
}
