/**
 * Temporary user-data directories, targets in them, and drafts of edits, for tests on real files.
 */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createNodeOs, type Os } from "@fe/native";
import { onTestFinished } from "vitest";
import { removeFolder } from "../../../native/test/abilities.ts";
import {
  bytesSource,
  type Journal,
  type KeyLock,
  type LiveRecord,
  openJournal,
  type RecordDraft,
  recordKey,
  type Splice,
} from "../src/index.ts";

export interface Scratch {
  readonly root: string;
  readonly userData: string;
  readonly store: string;
}

/** A directory of its own, gone after the test. */
export function scratch(): Scratch {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "fe-journal-")));
  const userData = path.join(root, "data");
  onTestFinished(() => removeFolder(root));
  return { root, userData, store: path.join(userData, "edit-recovery") };
}

/**
 * Takes a file out of the store, as somebody who removes it; returns where it is now. Not removed:
 * a file that is open would keep its name on Windows.
 */
export function takeAway(place: Scratch, file: string): string {
  const taken = path.join(place.root, `taken-${randomUUID()}`);
  fs.renameSync(file, taken);
  return taken;
}

export function text(value: string): Buffer {
  return Buffer.from(value, "utf8");
}

export function replace(offsetBytes: number, removedBytes: number, inserted: string): Splice {
  return { offsetBytes, removedBytes, inserted: text(inserted) };
}

/** Draft of an edit of a file that really is there, with its real identities. */
export async function draftFor(
  node: Os,
  file: string,
  splices: readonly Splice[],
): Promise<RecordDraft & { readonly key: string }> {
  const { parent, parentStatus, target, targetStatus } = await node.openTarget(file);
  await Promise.all([parent.close(), target.close()]);
  return {
    key: recordKey(targetStatus.identity, file),
    realPath: file,
    target: targetStatus.identity,
    parent: parentStatus.identity,
    permission: targetStatus.permission,
    before: bytesSource(fs.readFileSync(file)),
    splices,
  };
}

export interface Prepared {
  readonly journal: Journal;
  readonly lock: KeyLock;
  readonly live: LiveRecord;
  readonly draft: RecordDraft & { readonly key: string };
  readonly file: string;
}

/** A journal with one record in it, of a file "one two three" that is to become "one 2 three". */
export async function prepareOne(
  place: Scratch,
  node: Os = createNodeOs(),
  name = "file.txt",
): Promise<Prepared> {
  const file = path.join(place.root, name);
  if (!fs.existsSync(file)) fs.writeFileSync(file, "one two three");
  const journal = await openJournal(node, {
    userDataDirectory: place.userData,
    engineVersion: "1",
  });
  const draft = await draftFor(node, file, [replace(4, 3, "2")]);
  const lock = await mustLock(journal, draft.key);
  const live = await journal.prepare(lock, draft);
  return { journal, lock, live, draft, file };
}

export async function mustLock(journal: Journal, key: string): Promise<KeyLock> {
  const lock = await journal.tryLockKey(key);
  if (lock === undefined) throw new Error("The key lock is held by another");
  return lock;
}

/** Names in the store but that of `saved`, sorted; empty if there is none. */
export function namesIn(directory: string): string[] {
  if (!fs.existsSync(directory)) return [];
  return fs
    .readdirSync(directory)
    .filter((name) => name !== "saved")
    .sort();
}

/** Tombstones. */
export function reaped(place: Scratch): string[] {
  return namesIn(place.store).filter((name) => name.endsWith(".reap"));
}
