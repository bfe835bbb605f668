/** The tool `edit_file`: from a call to a request of the engine, and back. */
import path from "node:path";
import {
  type EditRequest,
  type EditResult,
  editResultToJson,
  FeError,
  type TextEdit,
} from "@fe/engine";
import * as z from "zod";
import { isWithin } from "../client-roots.ts";
import { defaultWaitMs, maxWaitMs } from "../limits.ts";
import { boundedEdit } from "../output/bounded.ts";
import { editText } from "../output/text.ts";
import type { Scope } from "../workspace.ts";
import { callAliases, editAliases, firstNamesOf, toFirstNames } from "./aliases.ts";
import { checkPath, checkTexts, parseInput } from "./input.ts";
import { editOutput } from "./outputs.ts";
import { type Answer, type CallContext, schemaOf, type Tool } from "./tool.ts";

const description = `\
Replace exact text in one file, in place: same inode, hard links, permissions, encoding, line \
endings and byte order mark; no byte outside the replaced text changes. The file must exist. If \
the edit is interrupted, both versions can be had back.

old_string must be in the file exactly once, character for character, without line numbers of a \
listing. Give enough lines around the place to make it unique, or set replace_all. For several \
changes of one file give edits: they are applied in order, each to the text that the one before \
left, all or none. Calls may run in parallel, also on the same file: each is applied in turn.

If it fails, the answer says whether the file changed (nearly always not) and what to do:
FE_NO_MATCH: look at the nearest lines and the reason, then give the text as it stands there.
FE_AMBIGUOUS_MATCH: add lines around the place, or set replace_all.
FE_COUNT_MISMATCH: the text is there another number of times than expected_replacements.
FE_CONTENT_CHANGED: read the file again.
FE_BUSY, FE_TARGET_REPLACED, FE_PARENT_REPLACED, FE_PERMISSION_CHANGED: call again.
FE_OUTSIDE_ROOT: the file is not below an allowed directory.
FE_RECOVERY_REQUIRED, FE_OUTCOME_UNKNOWN, FE_RECORD_UNSAFE: stop editing this file, tell the user, \
and follow the steps in the answer.`;

const textFields = {
  old_string: z.string().describe("Exact text to replace. Not empty"),
  new_string: z.string().describe("Text to put there, literally. Empty deletes"),
};

const countFields = {
  replace_all: z
    .boolean()
    .optional()
    .describe("Replace every occurrence instead of exactly one. Default false"),
  expected_replacements: z
    .int()
    .min(1)
    .optional()
    .describe("Fail unless exactly so many places are replaced; more than 1 needs replace_all"),
};

const callSchema = z.strictObject({
  file_path: z
    .string()
    .describe("The file. Absolute, or relative to the root if there is only one"),
  old_string: textFields.old_string.optional(),
  new_string: textFields.new_string.optional(),
  ...countFields,
  edits: z
    .array(z.strictObject({ ...textFields, ...countFields }))
    .min(1)
    .optional()
    .describe("Several replacements, in place of old_string and new_string. All or none"),
  expected_sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, "must be 64 hexadecimal digits")
    .optional()
    .describe(
      "Fail unless the file holds exactly these bytes now (after_sha256 of an earlier edit)",
    ),
  line_endings: z
    .enum(["match-file", "exact"])
    .optional()
    .describe("match-file (default): line breaks of the texts are taken as those of the file"),
  encoding: z
    .string()
    .max(40)
    .optional()
    .describe(
      "Encoding that the texts are put into the file in, such as utf-16le, gbk or windows-1252, " +
        "for a file that is not UTF-8. Not needed for ASCII texts, but for UTF-16. Default utf-8",
    ),
  dry_run: z
    .boolean()
    .optional()
    .describe("Only say what would be done, with a diff. Default false"),
  diff: z
    .boolean()
    .optional()
    .describe("Answer with what changes, as unified diff. Default: only of a dry run"),
  wait_ms: z
    .int()
    .min(0)
    .max(maxWaitMs)
    .optional()
    .describe(`How long to wait for another edit of the file. Default ${defaultWaitMs}`),
});

type Call = z.infer<typeof callSchema>;

function readCall(input: Readonly<Record<string, unknown>>): Call {
  const named = toFirstNames(input, callAliases);
  if (Array.isArray(named.edits)) {
    named.edits = named.edits.map((edit: unknown, index) =>
      typeof edit === "object" && edit !== null && !Array.isArray(edit)
        ? toFirstNames({ ...edit }, editAliases, ` in edits[${index}]`)
        : edit,
    );
  }
  return parseInput(callSchema, named, firstNamesOf(callAliases));
}

type OneEdit = NonNullable<Call["edits"]>[number];

function toTextEdit(edit: OneEdit): TextEdit {
  const { old_string: oldString, new_string: newString, replace_all, expected_replacements } = edit;
  return {
    oldString,
    newString,
    ...(replace_all === undefined ? {} : { replaceAll: replace_all }),
    ...(expected_replacements === undefined ? {} : { expectedReplacements: expected_replacements }),
  };
}

function editsOf(call: Call): OneEdit[] {
  const { old_string, new_string, replace_all, expected_replacements, edits } = call;
  const single = { old_string, new_string, replace_all, expected_replacements };
  const given = Object.entries(single).filter(([, value]) => value !== undefined);
  if (edits !== undefined) {
    const [first] = given;
    if (first === undefined) return edits;
    throw new FeError("FE_INVALID_REQUEST", `Both "${first[0]}" and "edits" are given`, {
      hint: "One replacement takes old_string and new_string; several take edits",
    });
  }
  if (old_string === undefined || new_string === undefined) {
    const missing = old_string === undefined ? "old_string" : "new_string";
    throw new FeError("FE_INVALID_REQUEST", `"${missing}" is missing`, {
      hint: "Give old_string and new_string, or edits; an empty new_string deletes the old text",
    });
  }
  return [{ old_string, new_string, replace_all, expected_replacements }];
}

function checkEdits(edits: readonly OneEdit[], isList: boolean): void {
  checkTexts(
    edits.flatMap(({ old_string, new_string }, index) => {
      const prefix = isList ? `edits[${index}].` : "";
      return [
        [`${prefix}old_string`, old_string],
        [`${prefix}new_string`, new_string],
      ] as const;
    }),
  );
}

/** The path that the engine is given: never relative, since its directory is nobody's choice. */
function absolutePath(filePath: string, { roots }: Scope): string {
  if (path.isAbsolute(filePath)) return filePath;
  const [root, second] = roots;
  // A name such as `C:file` is neither absolute nor below any directory.
  if (root === undefined || second !== undefined || path.parse(filePath).root !== "") {
    const what = `a relative path needs a single root, and there are ${roots.length}`;
    throw new FeError("FE_INVALID_REQUEST", `Cannot edit "${filePath}": ${what}`, {
      path: filePath,
      hint: `Give an absolute path, below ${roots.map((each) => `"${each}"`).join(" or ")}`,
    });
  }
  // Not joined, which would take `..` after a link for the directory that the link stands in.
  return `${root}${root.endsWith(path.sep) ? "" : path.sep}${filePath}`;
}

/**
 * Outside of the roots nothing is told, not even whether a file is there. A path that is not
 * below a root by its name may still lead there by a link, so the engine is asked first.
 */
function conceal(error: unknown, filePath: string, scope: Scope): unknown {
  if (!(error instanceof FeError)) return error;
  const { roots, names } = scope;
  if (!["FE_NOT_FOUND", "FE_PERMISSION_DENIED", "FE_OUTSIDE_ROOT"].includes(error.code)) {
    return error;
  }
  const normal = path.normalize(filePath);
  const known = [...roots, ...names.filter((name) => path.isAbsolute(name))];
  if (known.some((root) => isWithin(root, normal))) return error;
  return new FeError(
    "FE_OUTSIDE_ROOT",
    `Cannot edit "${filePath}": it lies outside the allowed roots`,
    { path: filePath, hint: `Allowed: ${roots.map((root) => `"${root}"`).join(", ")}` },
  );
}

async function call(
  input: Readonly<Record<string, unknown>>,
  context: CallContext,
): Promise<Answer> {
  const read = readCall(input);
  checkPath(read.file_path, "file_path");
  const edits = editsOf(read);
  checkEdits(edits, read.edits !== undefined);
  const { expected_sha256, line_endings, encoding } = read;
  const { dry_run = false, wait_ms = defaultWaitMs, diff = dry_run } = read;
  const { signal } = context;
  const result = await context.workspace.use(async (scope) => {
    const filePath = absolutePath(read.file_path, scope);
    const request: EditRequest = {
      path: filePath,
      edits: edits.map(toTextEdit),
      ...(expected_sha256 === undefined ? {} : { expectedSha256: expected_sha256 }),
      ...(line_endings === undefined ? {} : { lineEndings: line_endings }),
      ...(encoding === undefined ? {} : { encoding }),
    };
    try {
      return dry_run
        ? await scope.engine.preview(request, { signal, waitMs: wait_ms, diff })
        : await scope.engine.edit(request, { signal, waitMs: wait_ms, diff });
    } catch (error) {
      throw conceal(error, filePath, scope);
    }
  });
  return editAnswer(result);
}

/** The answer of an edit that went well, no longer than an answer may be. */
function editAnswer(whole: EditResult): Answer {
  const { result, diffBytes } = boundedEdit(whole);
  const length = diffBytes === undefined ? {} : { diff_bytes: diffBytes };
  return { structured: { ...editResultToJson(result), ...length }, texts: [editText(result)] };
}

export const editFile: Tool = {
  definition: {
    name: "edit_file",
    title: "Edit a file",
    description,
    inputSchema: schemaOf(callSchema, "input"),
    outputSchema: schemaOf(editOutput, "output"),
    annotations: {
      title: "Edit a file",
      readOnlyHint: false,
      // It removes text, and what it removed is not kept once it succeeded.
      destructiveHint: true,
      // The new text may hold the old one, so that a second call finds it again.
      idempotentHint: false,
      openWorldHint: false,
    },
  },
  call,
};
