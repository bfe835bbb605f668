/** Checks what `recovery` is asked for, which may come from JSON. Errors: `FE_INVALID_REQUEST`. */
import {
  type Checked,
  checkMembers,
  choiceKind,
  kind,
  type Members,
  refused,
  sayValue,
  sha256Kind,
  signalKind,
} from "./check-members.ts";
import { optionMembers } from "./settle-request.ts";

const versionKind = choiceKind("before", "after", "current");

const resolveMembers: Members = {
  keep: versionKind,
  content: kind(
    "bytes",
    "Give a Uint8Array of what the file is to hold",
    (value) => value instanceof Uint8Array,
  ),
  expectSha256: sha256Kind("Take the SHA-256 of the current bytes, as `recovery.show` gives them"),
  signal: signalKind,
};

const undoMembers: Members = {
  ...optionMembers,
  keep: choiceKind("before", "after"),
  expectSha256: sha256Kind("Take `after.sha256` of the answer of `recovery.resolve`"),
};

/** Its id is for the search to judge; here it is text, so that a message can name it. */
function checkId(id: unknown, checked: Checked): void {
  if (typeof id === "string") return;
  const what = `the id of the record must be text, not ${sayValue(id)}`;
  throw refused(checked, what, "`recovery.list` shows the ids");
}

/** Of `recovery.show`. */
export function checkShow(id: unknown, version: unknown): void {
  const checked = { action: "Cannot show a record", noun: "the version" };
  checkId(id, checked);
  if (versionKind.holds(version)) return;
  const what = `the version must be ${versionKind.expected}, not ${sayValue(version)}`;
  throw refused(checked, what, versionKind.hint);
}

/** Of `recovery.resolve`. */
export function checkResolve(id: unknown, options: unknown): void {
  const checked = { action: "Cannot resolve a record", noun: "the options" };
  checkId(id, checked);
  checkMembers(options, resolveMembers, checked);
  const { keep, content } = options as { readonly [name: string]: unknown };
  if (keep === undefined && content === undefined) {
    const hint = "Keep before, after or current, or give the bytes themselves";
    throw refused(checked, "nothing is said to be kept", hint);
  }
  if (keep !== undefined && content !== undefined) {
    const hint = "Give either a version to keep, or the bytes that the file is to hold";
    throw refused(checked, "both keep and content are given", hint);
  }
  // A merge that fails leaves an empty file, and a caller that fails an empty text.
  if (content instanceof Uint8Array && content.length === 0) {
    const hint = 'If the file is to be empty, empty it yourself and give `keep: "current"`';
    throw refused(checked, "what is given is empty, as what a failed merge leaves", hint);
  }
}

/** Of `recovery.undo`. */
export function checkUndo(id: unknown, options: unknown): void {
  const checked = { action: "Cannot undo a resolution", noun: "the options" };
  checkId(id, checked);
  checkMembers(options, undoMembers, checked);
}
