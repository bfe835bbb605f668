/** Checks what an edit is asked for, and how, which may come from JSON, and fills the defaults. */
import {
  amountKind,
  type Checked,
  checkMembers,
  choiceKind,
  flagKind,
  functionKind,
  kind,
  type Members,
  refused,
  sha256Kind,
  signalKind,
  textKind,
} from "./check-members.ts";
import { codecOf } from "./encoding.ts";
import { type TextEdit, validateEdits } from "./matching/text-edit.ts";
import type { EditRequest, SettledRequest } from "./options.ts";

const noOldString = "Give the text that is to be replaced";

/** Members of one replacement. */
const editMembers: Members = {
  oldString: textKind(noOldString),
  newString: textKind("An empty newString removes the old text"),
  replaceAll: flagKind("Leave it out to replace one place"),
  expectedReplacements: kind(
    "a whole number",
    "Give a whole number from 1 on",
    (value) => typeof value === "number",
  ),
};

const requestMembers: Members = {
  path: textKind("Name a file"),
  ...editMembers,
  edits: kind("a list", "Give a list of replacements", Array.isArray),
  expectedSha256: sha256Kind("Take `beforeSha256` or `afterSha256` of an earlier answer"),
  lineEndings: choiceKind("match-file", "exact"),
  encoding: textKind("Name an encoding such as utf-16le or windows-1252"),
};

/** `exclusive` stands here for `preview` too, which takes the same options and keeps nobody out. */
export const optionMembers: Members = {
  signal: signalKind,
  exclusive: choiceKind("prefer", "require", "off"),
  waitMs: amountKind("milliseconds", "0 does not wait"),
  diff: flagKind("Leave it out to be shown no diff"),
  onProgress: functionKind("Leave it out to be told nothing"),
};

/**
 * Checks a request, which may come from JSON, and fills its defaults. Errors: `FE_INVALID_REQUEST`;
 * `FE_UNSUPPORTED` if the library of encodings is not installed.
 */
export async function settleRequest(request: EditRequest): Promise<SettledRequest> {
  const named: unknown = (request as EditRequest | undefined | null)?.path;
  const isNamed = typeof named === "string" && named !== "" && !named.includes("\0");
  const checked: Checked = {
    action: isNamed ? `Cannot edit "${named}"` : "Cannot edit",
    noun: "the request",
    ...(isNamed ? { path: named } : {}),
  };
  checkMembers(request, requestMembers, checked);
  if (!isNamed) {
    throw refused(checked, "the path must be text, not empty, without NUL", "Name a file");
  }
  const { path, expectedSha256, lineEndings = "match-file", encoding } = request;
  const edits = editsOf(request, checked);
  const problem = validateEdits(edits);
  if (problem !== undefined) {
    const which =
      edits.length > 1 && problem.index >= 0
        ? `edit ${problem.index + 1} of ${edits.length}: `
        : "";
    throw refused(checked, `${which}${problem.problem}`, problem.hint);
  }
  const isEncodingNamed = encoding !== undefined;
  const codec = isEncodingNamed ? await codecOf(path, encoding) : undefined;
  const sha256 = expectedSha256?.toLowerCase();
  return { path, edits, expectedSha256: sha256, lineEndings, codec, isEncodingNamed };
}

/** Checks how an edit is to go about it, which may come from JSON. Error: `FE_INVALID_REQUEST`. */
export function checkEditOptions(options: unknown): void {
  checkMembers(options, optionMembers, { action: "Cannot edit", noun: "the options" });
}

function editsOf(request: EditRequest, checked: Checked): readonly TextEdit[] {
  const { edits, oldString, newString, replaceAll, expectedReplacements } = request;
  const isSingle = oldString !== undefined || newString !== undefined;
  if (isSingle === (edits !== undefined)) {
    throw refused(
      checked,
      "give either oldString and newString, or edits",
      "One replacement takes oldString and newString; several take edits",
    );
  }
  if (edits === undefined) {
    return [textEdit({ oldString, newString, replaceAll, expectedReplacements }, checked, "")];
  }
  const guards = { replaceAll, expectedReplacements };
  const [beside] = Object.entries(guards).find(([, value]) => value !== undefined) ?? [];
  if (beside !== undefined) {
    throw refused(
      checked,
      `${beside} stands beside edits, where it would count for none of them`,
      `Give ${beside} to each of the edits that it is for`,
    );
  }
  return edits.map((edit, index) => {
    const which = `edit ${index + 1} of ${edits.length}`;
    checkMembers(edit, editMembers, { ...checked, noun: which });
    return textEdit(edit, checked, `${which}: `);
  });
}

function textEdit(
  edit: { readonly [Name in keyof TextEdit]?: TextEdit[Name] | undefined },
  checked: Checked,
  which: string,
): TextEdit {
  const { oldString, newString, replaceAll = false, expectedReplacements } = edit;
  if (oldString === undefined || newString === undefined) {
    throw refused(
      checked,
      `${which}oldString and newString must both be text`,
      "An empty newString removes the old text",
    );
  }
  const counted = expectedReplacements === undefined ? {} : { expectedReplacements };
  return { oldString, newString, replaceAll, ...counted };
}
