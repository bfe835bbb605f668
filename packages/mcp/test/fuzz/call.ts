/**
 * Fuzz target: calls of tools, from the arguments of a client to what the engine is asked for. The
 * engine is not real: it keeps what it is given. Input: JSON, `{ "tool": …, "arguments": { … } }`.
 */
import path from "node:path";
import type { EditRequest, Engine } from "@fe/engine";
import type * as z from "zod";
import { type FuzzTarget, must } from "../../../../scripts/fuzz/target.mjs";
import {
  editResult,
  record,
  resolvedRecord,
  resolveResult,
  shown,
} from "../../../engine/test/samples.ts";
import { answerCall, tools } from "../../src/answers.ts";
import { maxPathLength, maxTextLength, maxWaitMs } from "../../src/limits.ts";
import { editOutput, listOutput, resolveOutput, showOutput } from "../../src/tools/outputs.ts";
import type { CallContext } from "../../src/tools/tool.ts";

type Members = Record<string, unknown>;

const outputs: Readonly<Record<string, z.ZodObject>> = {
  edit_file: editOutput,
  recovery_list: listOutput,
  recovery_show: showOutput,
  recovery_resolve: resolveOutput,
};

/** What the engine was asked for. */
interface Asked {
  readonly what: "edit" | "preview" | "list" | "show" | "resolve";
  readonly given: readonly unknown[];
}

function contextWith(asked: Asked[]): CallContext {
  const keep =
    <Answer>(what: Asked["what"], answer: Answer) =>
    async (...given: readonly unknown[]): Promise<Answer> => {
      asked.push({ what, given });
      return answer;
    };
  const recovery = {
    list: keep("list", [record]),
    // Asked beside the list, by the same call.
    listResolved: async () => [resolvedRecord],
    show: keep("show", shown(new TextEncoder().encode("before\n"))),
    resolve: keep("resolve", resolveResult),
  };
  const engine = {
    edit: keep("edit", editResult),
    preview: keep("preview", { ...editResult, status: "unchanged", dryRun: true }),
    recovery,
  } as unknown as Engine;
  const roots = ["/home/someone"];
  const workspace = {
    use: async (work: (scope: object) => unknown) => work({ engine, roots, names: roots }),
  } as unknown as CallContext["workspace"];
  const guide = { allowResolve: true, storeOptions: [] };
  return { workspace, signal: new AbortController().signal, allowResolve: true, guide };
}

function parse(input: Buffer): { tool: string; given: Members } | undefined {
  try {
    const { tool, arguments: given } = JSON.parse(input.toString("utf8"));
    const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
    return typeof tool === "string" && isObject ? { tool, given } : undefined;
  } catch {
    return undefined;
  }
}

async function check(input: Buffer): Promise<boolean> {
  const call = parse(input);
  const tool = tools.find(({ definition }) => definition.name === call?.tool);
  // The protocol of the SDK sees to both.
  if (call === undefined || tool === undefined) return false;
  const asked: Asked[] = [];
  const answer = await answerCall(tool, call.given, contextWith(asked), (message) =>
    must(false, "a fault of the program", () => message),
  );
  const parsed = outputs[call.tool]?.safeParse(answer.structuredContent);
  must(parsed?.success === true, "an answer that its schema forbids");
  const texts = answer.content.map((part) => (part.type === "text" ? part.text : ""));
  must(texts.length > 0 && texts.every((text) => text !== ""), "an answer without a text");
  must(!texts.some((text) => /\p{Surrogate}/u.test(text)), "a text that is none");
  if (answer.isError === true) {
    const { error } = answer.structuredContent as { error: { code: string; effect: string } };
    must(error.code === "FE_INVALID_REQUEST", "another code", () => error.code);
    must(error.effect === "none" && asked.length === 0, "an error after the engine was asked");
    return false;
  }
  const [only, second] = asked;
  must(only !== undefined && second === undefined, "asks the engine more or less than once");
  if (call.tool === "edit_file") checkEdit(call.given, only);
  else checkRecovery(call.given, only);
  return true;
}

/** Each member, by all its names. */
const names: Readonly<Record<string, readonly string[]>> = {
  file_path: ["file_path", "path", "filePath"],
  old_string: ["old_string", "old_text", "old_str", "oldString", "oldText"],
  new_string: ["new_string", "new_text", "new_str", "newString", "newText"],
  replace_all: ["replace_all", "replaceAll", "allow_multiple"],
  expected_replacements: ["expected_replacements", "expectedReplacements"],
  edits: ["edits"],
  encoding: ["encoding"],
  expected_sha256: ["expected_sha256", "expectedSha256"],
  line_endings: ["line_endings", "lineEndings"],
  dry_run: ["dry_run", "dryRun"],
  wait_ms: ["wait_ms", "waitMs"],
};

/** The one value that is given under any of the names of a member; `null` counts as none. */
function givenAs(given: Members, name: string): unknown {
  const found = (names[name] ?? []).filter(
    (each) => Object.hasOwn(given, each) && given[each] !== null,
  );
  must(found.length < 2, "takes two spellings of one thing", () => found.join(", "));
  return found[0] === undefined ? undefined : given[found[0]];
}

function checkKnown(given: Members, known: readonly string[]): void {
  const all = new Set(known.flatMap((name) => names[name] ?? [name]));
  const unknown = Object.keys(given).filter((name) => given[name] !== null && !all.has(name));
  must(unknown.length === 0, "accepts a member that nobody knows", () => unknown.join(", "));
}

const textNames = ["old_string", "new_string", "replace_all", "expected_replacements"];

function checkEdit(given: Members, asked: Asked): void {
  checkKnown(given, Object.keys(names));
  const [request, options] = asked.given as [EditRequest, { waitMs?: number }];
  must(request.edits !== undefined, "asks for no edits");
  const isDry = givenAs(given, "dry_run") === true;
  must((asked.what === "preview") === isDry, "edits in a dry run, or the other way round");
  const filePath = givenAs(given, "file_path");
  const isPath = typeof filePath === "string" && filePath.length <= maxPathLength;
  must(isPath && filePath !== "", "takes a path that is none");
  const wanted = path.isAbsolute(filePath) ? filePath : `/home/someone${path.sep}${filePath}`;
  must(request.path === wanted, "asks for another file", () => request.path);
  const list = (givenAs(given, "edits") as readonly Members[] | undefined) ?? [given];
  if (list[0] !== given) {
    must(
      textNames.every((name) => givenAs(given, name) === undefined),
      "takes edits and an edit",
    );
  }
  must(request.edits.length === list.length && list.length > 0, "asks for more or fewer edits");
  let length = 0;
  for (const [index, edit] of request.edits.entries()) {
    const one = list[index] ?? {};
    if (one !== given) checkKnown(one, textNames);
    must(edit.oldString === givenAs(one, "old_string"), "asks for another old text");
    must(edit.newString === givenAs(one, "new_string"), "asks for another new text");
    must(edit.replaceAll === givenAs(one, "replace_all"), "replaces all, or not");
    const expected = givenAs(one, "expected_replacements");
    must(edit.expectedReplacements === expected, "expects another number");
    must(expected === undefined || Number(expected) >= 1, "expects less than one");
    length += edit.oldString.length + edit.newString.length;
  }
  must(length <= maxTextLength, "takes texts that are too long");
  const texts = [
    request.path,
    ...request.edits.flatMap((edit) => [edit.oldString, edit.newString]),
  ];
  must(!texts.some((text) => /\p{Surrogate}|\0/u.test(text)), "takes a text that is none");
  must(request.expectedSha256 === givenAs(given, "expected_sha256"), "expects another sum");
  must(request.lineEndings === givenAs(given, "line_endings"), "takes other line endings");
  const waitMs = givenAs(given, "wait_ms") ?? 10_000;
  const isWait = typeof waitMs === "number" && waitMs >= 0 && waitMs <= maxWaitMs;
  must(isWait && (isDry || options.waitMs === waitMs), "waits for another time");
}

function checkRecovery(given: Members, asked: Asked): void {
  const [id, choice] = asked.given;
  checkKnown(given, ["id", "version", "keep", "expected_sha256"]);
  if (asked.what === "list") return;
  must(id === given.id && /^[0-9a-f]{8,64}$/i.test(String(id)), "asks for another record");
  if (asked.what === "show") must(choice === given.version, "shows another version");
  else must((choice as Members).keep === given.keep, "keeps another version");
}

const least = { file_path: "/home/someone/f", old_string: "a", new_string: "b" };
const id = "0123456789abcdef";
const calls: readonly (readonly [string, object])[] = [
  ["edit_file", least],
  ["edit_file", { path: "f", oldText: "a", newText: "b", allow_multiple: true, dry_run: true }],
  ["edit_file", { file_path: "f", edits: [{ old_str: "a", new_str: "" }], wait_ms: 600_000 }],
  [
    "edit_file",
    { ...least, expectedReplacements: 2, lineEndings: "exact", expectedSha256: "0".repeat(64) },
  ],
  ["edit_file", { ...least, encoding: "gbk", dryRun: null, path: null }],
  ["recovery_list", {}],
  ["recovery_show", { id, version: "before" }],
  ["recovery_resolve", { id, keep: "current", expected_sha256: "0".repeat(64) }],
];

export const target: FuzzTarget = {
  name: "call",
  form: "json",
  words: [...new Set([...Object.values(names).flat(), "id", "version", "keep", "before", "exact"])],
  maxBytes: 4096,
  seeds: () =>
    calls.map(([tool, given]) => Buffer.from(JSON.stringify({ tool, arguments: given }))),
  check,
};
