/**
 * Fuzz target: the object of `--request`, against a second reading of its rules. What is accepted
 * says what the JSON says, and nothing of it is dropped; everything else is one `UsageError`.
 */
import { attempt, digestOf, type FuzzTarget, must } from "../../../../scripts/fuzz/target.mjs";
import { parseRequest, type RequestFile, readRequest } from "../../src/settings/request.ts";
import { UsageError } from "../../src/usage-error.ts";

type Members = Record<string, unknown>;

const textKinds = {
  old_string: "string",
  new_string: "string",
  replace_all: "boolean",
  expected_replacements: "number",
} as const;
const kinds: Readonly<Record<string, string>> = {
  ...textKinds,
  file_path: "string",
  edits: "object",
  expected_sha256: "string",
  encoding: "string",
  line_endings: "string",
  dry_run: "boolean",
  diff: "boolean",
  wait_ms: "number",
};
/** Of a timer of Node, in ms. */
const longestWait = 2 ** 31 - 1;

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether an object has these members at most, each of its kind. */
function fits(value: unknown, known: Readonly<Record<string, string>>): value is Members {
  return isObject(value) && Object.keys(value).every((name) => typeof value[name] === known[name]);
}

function isEdit(value: Members): boolean {
  return value.old_string !== undefined && value.new_string !== undefined;
}

function editsOf(value: Members): readonly Members[] | undefined {
  const { edits } = value;
  if (edits === undefined) return isEdit(value) ? [value] : undefined;
  if (!Array.isArray(edits)) return undefined;
  if (Object.keys(textKinds).some((name) => Object.hasOwn(value, name))) return undefined;
  return edits.every((each) => fits(each, textKinds) && isEdit(each)) ? edits : undefined;
}

/** What the request says, in the form of the engine; `undefined`: it is to be refused. */
function readByRules(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!fits(value, kinds) || typeof value.file_path !== "string") return undefined;
  const { file_path, expected_sha256, encoding, line_endings, wait_ms } = value;
  const edits = editsOf(value);
  const isWait = Number.isInteger(wait_ms) && Number(wait_ms) >= 0;
  if (wait_ms !== undefined && !(isWait && Number(wait_ms) <= longestWait)) return undefined;
  const endings = [undefined, "match-file", "exact"];
  if (edits === undefined || !endings.includes(line_endings as string | undefined)) {
    return undefined;
  }
  const engineEdits = edits.map((edit) => ({
    oldString: edit.old_string,
    newString: edit.new_string,
    replaceAll: edit.replace_all,
    expectedReplacements: edit.expected_replacements,
  }));
  const request = { path: file_path, edits: engineEdits, expectedSha256: expected_sha256 };
  return {
    request: { ...request, encoding, lineEndings: line_endings },
    waitMs: wait_ms,
    dryRun: value.dry_run ?? false,
    diff: value.diff ?? false,
  };
}

/** With members in one order and without those that are not given. */
function plain(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (!isObject(member)) return Object.is(member, -0) ? "-0" : member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function isUsageError(error: unknown): boolean {
  if (!(error instanceof UsageError)) return false;
  must(error.message !== "" && error.hint !== "", "says nothing, or no way out");
  return true;
}

async function check(input: Buffer): Promise<boolean> {
  const text = input.toString("utf8");
  const isText = Buffer.from(text, "utf8").equals(input);
  const reader = { cwd: () => "/", readInput: async () => new Uint8Array(input) };
  const result = await attempt<RequestFile>(() => readRequest("-", reader), isUsageError);
  const wanted = isText ? readByRules(text) : undefined;
  if ("refusal" in result) {
    must(wanted === undefined, "refuses a request that is right", () => result.refusal.message);
    return false;
  }
  must(isText, "accepts bytes that are not UTF-8");
  must(wanted !== undefined, "accepts what its rules forbid");
  must(plain(result.value) === plain(wanted), "says something else than the JSON");
  await checkStrict(text, digestOf(input));
  return true;
}

/** A member that nobody knows is refused wherever it stands. */
async function checkStrict(text: string, digest: number): Promise<void> {
  const value = JSON.parse(text) as Members;
  const name = ["expected_sha", "__proto__", "constructor", "FILE_PATH"][digest % 4] ?? "";
  const edits = value.edits as readonly Members[] | undefined;
  const own = (object: Members): Members =>
    Object.defineProperty({ ...object }, name, { value: 1, enumerable: true });
  const isInEdit = digest % 8 > 3 && edits !== undefined && edits.length > 0;
  const more = isInEdit ? { ...value, edits: [own(edits[0] ?? {})] } : own(value);
  const result = await attempt(() => parseRequest(JSON.stringify(more)), isUsageError);
  must("refusal" in result, "accepts a member that nobody knows", () => name);
}

const least = { file_path: "f", old_string: "a", new_string: "b" };

export const target: FuzzTarget = {
  name: "request",
  form: "json",
  words: [...Object.keys(kinds), "match-file", "exact", "utf-8", "expected_sha"],
  maxBytes: 4096,
  seeds: () =>
    [
      least,
      { file_path: "f", edits: [{ old_string: "a", new_string: "b", replace_all: true }] },
      {
        ...{
          ...least,
          replace_all: true,
          expected_replacements: 2,
          expected_sha256: "0".repeat(64),
        },
        ...{
          encoding: "gbk",
          line_endings: "exact",
          dry_run: true,
          diff: true,
          wait_ms: longestWait,
        },
      },
      { ...least, edits: [] },
      [],
    ].map((value) => Buffer.from(JSON.stringify(value))),
  check,
};
