/**
 * `--request`: an edit as one JSON object, of the shape that the MCP tool `edit_file` takes.
 *
 * Strict: a member that is not known is refused by its name, since a misspelt `expected_sha256`
 * would be a precondition that nobody checks. What texts and counts mean is judged by the engine.
 */
import type { EditRequest, TextEdit } from "@fe/engine";
import { UsageError } from "../usage-error.ts";
import type { SettingsReader } from "./reader.ts";
import { maxTextBytes, readFileOf } from "./texts.ts";
import { maxDurationMs } from "./values.ts";

/** What such an object says. */
export interface RequestFile {
  readonly request: EditRequest;
  readonly waitMs: number | undefined;
  readonly dryRun: boolean;
  readonly diff: boolean;
}

/** Two texts of the longest size; JSON may need more for them, but then not for both. */
const maxRequestBytes: number = 2 * maxTextBytes;

const kinds = {
  string: "text",
  boolean: "true or false",
  number: "a number",
} as const;

interface Kinds {
  readonly string: string;
  readonly boolean: boolean;
  readonly number: number;
}

const textMembers = ["old_string", "new_string", "replace_all", "expected_replacements"] as const;

/** Every member that a request may have. */
export const requestMembers: readonly string[] = [
  "file_path",
  ...textMembers,
  ...["edits", "expected_sha256", "encoding", "line_endings", "dry_run", "diff", "wait_ms"],
];

/** One object, whose members are taken by name and kind. */
class Members {
  readonly #object: Readonly<Record<string, unknown>>;
  readonly #where: string;

  constructor(value: unknown, known: readonly string[], where: string) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw wrong(`${where === "" ? "it" : where} is not an object`);
    }
    this.#object = { ...value };
    this.#where = where === "" ? "" : `${where}.`;
    const unknown = Object.keys(this.#object).find((name) => !known.includes(name));
    if (unknown === undefined) return;
    throw new UsageError(
      `The request has a member that is not known: ${this.#where}${unknown}`,
      `Known are: ${known.join(", ")}`,
    );
  }

  has(name: string): boolean {
    return this.#object[name] !== undefined;
  }

  value(name: string): unknown {
    return this.#object[name];
  }

  take<K extends keyof Kinds>(name: string, kind: K): Kinds[K] | undefined {
    const value = this.#object[name];
    if (value === undefined) return undefined;
    if (typeof value === kind) return value as Kinds[K];
    throw wrong(`${this.#where}${name} is not ${kinds[kind]}`);
  }

  must<K extends keyof Kinds>(name: string, kind: K): Kinds[K] {
    const value = this.take(name, kind);
    if (value === undefined) throw wrong(`${this.#where}${name} is missing`);
    return value;
  }
}

function wrong(what: string): UsageError {
  return new UsageError(
    `The request cannot be used: ${what}`,
    "It is one JSON object, such as " +
      '{"file_path": "notes.md", "old_string": "draft", "new_string": "final"}',
  );
}

function textEdit(members: Members): TextEdit {
  const replaceAll = members.take("replace_all", "boolean");
  const expectedReplacements = members.take("expected_replacements", "number");
  return {
    oldString: members.must("old_string", "string"),
    newString: members.must("new_string", "string"),
    ...(replaceAll === undefined ? {} : { replaceAll }),
    ...(expectedReplacements === undefined ? {} : { expectedReplacements }),
  };
}

function textEdits(members: Members): readonly TextEdit[] {
  const list = members.value("edits");
  if (list === undefined) return [textEdit(members)];
  const other = textMembers.find((name) => members.has(name));
  if (other !== undefined) throw wrong(`it has both edits and ${other}`);
  if (!Array.isArray(list)) throw wrong("edits is not a list");
  return list.map((each, index) => textEdit(new Members(each, textMembers, `edits[${index}]`)));
}

function lineEndingsOf(members: Members): "match-file" | "exact" | undefined {
  const value = members.take("line_endings", "string");
  if (value === undefined || value === "match-file" || value === "exact") return value;
  throw wrong("line_endings is neither match-file nor exact");
}

function waitOf(members: Members): number | undefined {
  const waitMs = members.take("wait_ms", "number");
  if (waitMs === undefined) return undefined;
  if (Number.isInteger(waitMs) && waitMs >= 0 && waitMs <= maxDurationMs) return waitMs;
  throw wrong(`wait_ms is not a whole number from 0 to ${maxDurationMs}`);
}

/** What a request says. Error: {@link UsageError}. */
export function parseRequest(text: string): RequestFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw wrong(`it is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const members = new Members(value, requestMembers, "");
  const expectedSha256 = members.take("expected_sha256", "string");
  const encoding = members.take("encoding", "string");
  const lineEndings = lineEndingsOf(members);
  return {
    request: {
      path: members.must("file_path", "string"),
      edits: textEdits(members),
      ...(expectedSha256 === undefined ? {} : { expectedSha256 }),
      ...(encoding === undefined ? {} : { encoding }),
      ...(lineEndings === undefined ? {} : { lineEndings }),
    },
    waitMs: waitOf(members),
    dryRun: members.take("dry_run", "boolean") ?? false,
    diff: members.take("diff", "boolean") ?? false,
  };
}

/** Reads a request from a file, or from standard input (`-`). Rejects with {@link UsageError}. */
export async function readRequest(file: string, reader: SettingsReader): Promise<RequestFile> {
  const bytes = await readFileOf(file, "--request", maxRequestBytes, reader);
  let text: string;
  try {
    // Editors of Windows put a byte order mark before it, which JSON.parse does not take.
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw wrong("its bytes are not UTF-8");
  }
  return parseRequest(text);
}
