/** Checks what an edit is asked for, and how, which may come from JSON, and fills the defaults. */
import { requireMembers, requireObject } from "./arguments.ts";
import { codecOf } from "./encoding.ts";
import { FeError } from "./errors.ts";
import { type TextEdit, validateEdits } from "./matching/text-edit.ts";
import type { EditOptions, EditRequest, SettledRequest } from "./options.ts";

function invalid(message: string, hint: string, path?: string): FeError {
  return new FeError("FE_INVALID_REQUEST", message, path === undefined ? { hint } : { hint, path });
}

/**
 * Checks a request, which may come from JSON, and fills its defaults. Errors: `FE_INVALID_REQUEST`;
 * `FE_UNSUPPORTED` if the library of encodings is not installed.
 */
export async function settleRequest(request: EditRequest): Promise<SettledRequest> {
  requireObject("edit", "the request", request);
  const { path, expectedSha256, lineEndings = "match-file", encoding } = request;
  if (typeof path !== "string" || path === "" || path.includes("\0")) {
    throw invalid("Cannot edit: the path must be text, not empty, without NUL", "Name a file");
  }
  const refused = (what: string, hint: string): FeError =>
    invalid(`Cannot edit "${path}": ${what}`, hint, path);
  const edits = editsOf(request, refused);
  const problem = validateEdits(edits);
  if (problem !== undefined) {
    const which =
      edits.length > 1 && problem.index >= 0
        ? `edit ${problem.index + 1} of ${edits.length}: `
        : "";
    throw refused(`${which}${problem.problem}`, problem.hint);
  }
  if (expectedSha256 !== undefined && !isSha256(expectedSha256)) {
    throw refused(
      "the expected SHA-256 must be 64 hexadecimal digits",
      "Take before_sha256 or after_sha256 of an earlier answer",
    );
  }
  if (lineEndings !== "match-file" && lineEndings !== "exact") {
    throw refused(`there is no line-end policy "${lineEndings}"`, "Take match-file or exact");
  }
  const isEncodingNamed = encoding !== undefined;
  const codec = isEncodingNamed ? await codecOf(path, encoding) : undefined;
  const sha256 = expectedSha256?.toLowerCase();
  return { path, edits, expectedSha256: sha256, lineEndings, codec, isEncodingNamed };
}

/** Checks how an edit is to go about it, which may come from JSON. Error: `FE_INVALID_REQUEST`. */
export function checkEditOptions(options: EditOptions): void {
  requireMembers("edit", "options", options, { onProgress: "function", diff: "boolean" });
  const { exclusive = "prefer", waitMs = 0, signal } = options;
  if (signal !== undefined && typeof signal?.addEventListener !== "function") {
    throw invalid("Cannot edit: signal must be an AbortSignal", "Take that of an AbortController");
  }
  if (!["prefer", "require", "off"].includes(exclusive)) {
    throw invalid(
      `Cannot edit: there is no wish "${exclusive}" for exclusion`,
      "Take prefer, require or off",
    );
  }
  if (typeof waitMs !== "number" || Number.isNaN(waitMs) || waitMs < 0) {
    throw invalid(
      `Cannot edit: waitMs must be a number of milliseconds, not ${String(waitMs)}`,
      "0 does not wait",
    );
  }
}

/** Whether a value is the hexadecimal form of a SHA-256. */
export function isSha256(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/iu.test(value);
}

function editsOf(
  request: EditRequest,
  refused: (what: string, hint: string) => FeError,
): readonly TextEdit[] {
  const { edits, oldString, newString, replaceAll, expectedReplacements } = request;
  const isSingle = oldString !== undefined || newString !== undefined;
  if (isSingle === (edits !== undefined)) {
    throw refused(
      "give either oldString and newString, or edits",
      "One replacement takes oldString and newString; several take edits",
    );
  }
  const list: readonly Partial<TextEdit>[] = edits ?? [
    { oldString, newString, replaceAll, expectedReplacements } as Partial<TextEdit>,
  ];
  if (!Array.isArray(list)) throw refused("edits must be a list", "Give a list of replacements");
  return list.map((edit) => textEdit(edit, refused));
}

function textEdit(
  edit: Partial<TextEdit>,
  refused: (what: string, hint: string) => FeError,
): TextEdit {
  const { oldString, newString, replaceAll = false, expectedReplacements } = edit ?? {};
  if (typeof oldString !== "string" || typeof newString !== "string") {
    throw refused(
      "oldString and newString must both be text",
      "An empty newString removes the old text",
    );
  }
  if (typeof replaceAll !== "boolean") {
    throw refused("replaceAll must be true or false", "Leave it out to replace one place");
  }
  const counted = expectedReplacements === undefined ? {} : { expectedReplacements };
  return { oldString, newString, replaceAll, ...counted };
}
