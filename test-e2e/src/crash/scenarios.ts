/** What the command does when it is killed or failed, and what must be true of its file then. */
import { readFile } from "node:fs/promises";
import { type Bytes, bytesOf, FileAccount } from "../../../packages/engine/test/oracle.ts";
import { CommandFolder, replace } from "../harness/command.ts";
import { killedEdit } from "../harness/stopped-edit.ts";

/** The edit of `edit`, and of the orphans. */
const first = { oldString: "the old text\nlast", newString: "a new text, longer\nfinal" };
const second = { oldString: "last of all", newString: "the second edit was here" };
/** What the next edit changes; no scenario touches it. */
export const next = { oldString: "first line", newString: "1st line" };

const shorter = { oldString: "the old text\nlast", newString: "gone" };

const before = `first line\n${"unchanged ".repeat(200)}\nthe old text\nlast line\nlast of all\n`;
const after = before.replace(first.oldString, first.newString);
const afterBoth = after.replace(second.oldString, second.newString);

/** A file and a store in which the command is about to run. */
export interface Prepared {
  readonly folder: CommandFolder;
  readonly path: string;
  readonly parameters: readonly string[];
  readonly account: FileAccount;
  /** What the file holds before the command runs. */
  readonly start: Bytes;
  /** What it holds if the command says that it succeeded. */
  readonly goal: Bytes;
  /** What only this run writes; `undefined` if it is not an edit. */
  readonly mark: string | undefined;
}

/** One thing that the command does. */
export interface Scenario {
  readonly name: string;
  /** What the command edits, if that is what it does. */
  readonly edit?: { readonly oldString: string; readonly newString: string };
  prepare(): Promise<Prepared>;
}

async function newFile(): Promise<{ folder: CommandFolder; path: string }> {
  const folder = await CommandFolder.create();
  return { folder, path: await folder.write("f", before) };
}

/** A plain edit, with the first record of this user: the store's directory is made too. */
export const edit: Scenario = {
  name: "edit",
  edit: first,
  async prepare() {
    const account = new FileAccount(before);
    account.begin(after);
    return {
      ...(await newFile()),
      parameters: replace("f", first.oldString, first.newString, "--json"),
      account,
      start: before,
      goal: after,
      mark: first.newString,
    };
  },
};

/** An edit that makes the file shorter, so that its bytes and its length change one by one. */
const shorten: Scenario = {
  name: "shorten",
  async prepare() {
    const account = new FileAccount(before);
    const goal = before.replace(shorter.oldString, shorter.newString);
    account.begin(goal);
    const { folder, path } = await newFile();
    // The store is there already, as it is for most edits.
    await folder.write("other", "some text\n");
    await folder.fe(replace("other", "some", "any"));
    return {
      folder,
      path,
      parameters: replace("f", shorter.oldString, shorter.newString, "--json"),
      account,
      start: before,
      goal,
      mark: shorter.newString,
    };
  },
};

/** An edit that finds the orphan of a complete one (row G), whose target was not synced. */
export const reconcile: Scenario = {
  name: "reconcile",
  edit: second,
  async prepare() {
    const { folder, path } = await newFile();
    await killedEdit({ path, userData: folder.dataPath, edit: first, at: "target.sync" });
    // A kill takes nothing back (A5): from here on only these two are right.
    const account = new FileAccount(after, [first.newString]);
    account.begin(afterBoth);
    return {
      folder,
      path,
      parameters: replace("f", second.oldString, second.newString, "--json"),
      account,
      start: after,
      goal: afterBoth,
      mark: second.newString,
    };
  },
};

/** A person's decision about a torn file. */
const resolve: Scenario = {
  name: "resolve",
  async prepare() {
    const { folder, path } = await newFile();
    const torn = { at: "target.overwrite", partBytes: 9 };
    await killedEdit({ path, userData: folder.dataPath, edit: first, ...torn });
    const listed = await folder.fe(["recovery", "list", "--json"]);
    const account = new FileAccount(before);
    account.begin(after);
    const { id } = JSON.parse(listed.out).records[0];
    return {
      folder,
      path,
      parameters: ["recovery", "resolve", id, "--keep", "before", "--json"],
      account,
      start: bytesOf(await readFile(path)),
      goal: before,
      mark: undefined,
    };
  },
};

export const scenarios: readonly Scenario[] = [edit, shorten, reconcile, resolve];
