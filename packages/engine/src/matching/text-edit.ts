/** What is asked for: old text, new text, and how often. */
import { maxEdits } from "./limits.ts";

/** One replacement. */
export interface TextEdit {
  /** Not empty; looked for byte for byte. */
  readonly oldString: string;
  /** Written as it is; no character in it means anything special. Empty removes the old text. */
  readonly newString: string;
  /**
   * Replace every occurrence, from left to right, not overlapping.
   * @default false: there must be exactly one
   */
  readonly replaceAll?: boolean;
  /** How many there must be. More than 1 only with `replaceAll`. */
  readonly expectedReplacements?: number;
}

/** Why a list of edits is no valid request. */
export interface EditProblem {
  /** Index of the edit, from 0; -1 if the list itself is wrong. */
  readonly index: number;
  /** A clause without full stop. */
  readonly problem: string;
  readonly hint: string;
}

/** Checks what can be checked without the file. `undefined`: nothing is wrong. */
export function validateEdits(edits: readonly TextEdit[]): EditProblem | undefined {
  if (edits.length === 0) {
    return { index: -1, problem: "there are no edits", hint: "Give at least one replacement" };
  }
  if (edits.length > maxEdits) {
    return {
      index: -1,
      problem: `there are ${edits.length} edits, more than ${maxEdits}`,
      hint: "Split the request",
    };
  }
  for (const [index, edit] of edits.entries()) {
    const found = problemOf(edit);
    if (found !== undefined) return { index, ...found };
  }
  return undefined;
}

function problemOf(edit: TextEdit): Omit<EditProblem, "index"> | undefined {
  const { oldString, newString, replaceAll = false, expectedReplacements } = edit;
  if (oldString === "") {
    return {
      problem: "the old text is empty",
      hint:
        "Give the text that is to be replaced; to insert, give a text beside the place and " +
        "repeat it in the new text. An empty file cannot be filled by an edit",
    };
  }
  if (oldString === newString) {
    return { problem: "old and new text are the same", hint: "Give the text as it is to become" };
  }
  if (!oldString.isWellFormed() || !newString.isWellFormed()) {
    return {
      problem: "a text holds half of a surrogate pair, which no encoding can express",
      hint: "Do not cut text in the middle of a character",
    };
  }
  if (expectedReplacements === undefined) return undefined;
  if (!Number.isSafeInteger(expectedReplacements) || expectedReplacements < 1) {
    return {
      problem: `the expected number of replacements is ${expectedReplacements}`,
      hint: "Give a whole number from 1 on",
    };
  }
  if (expectedReplacements > 1 && !replaceAll) {
    return {
      problem: `${expectedReplacements} replacements are expected, but only one was asked for`,
      hint: "Ask for all to be replaced, too (`replaceAll`)",
    };
  }
  return undefined;
}
