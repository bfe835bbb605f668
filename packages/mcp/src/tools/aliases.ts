/**
 * Other tools' names for the same things. Models mix them up, so they are understood; the schema
 * shows the first name only.
 *
 * Two spellings of one thing in one call are refused, even if they agree: the caller does not know
 * which one counts.
 */
import { FeError } from "@fe/engine";

/** Names of one replacement, each with the others that are understood. */
export const editAliases: Readonly<Record<string, readonly string[]>> = {
  old_string: ["old_text", "old_str", "oldString", "oldText"],
  new_string: ["new_text", "new_str", "newString", "newText"],
  replace_all: ["replaceAll", "allow_multiple"],
  expected_replacements: ["expectedReplacements"],
};

/** Names of a whole call of `edit_file`. */
export const callAliases: Readonly<Record<string, readonly string[]>> = {
  file_path: ["path", "filePath"],
  ...editAliases,
  edits: [],
  encoding: [],
  expected_sha256: ["expectedSha256"],
  line_endings: ["lineEndings"],
  dry_run: ["dryRun"],
  diff: [],
  wait_ms: ["waitMs"],
};

/** The first name of an argument by each of its names. */
export function firstNamesOf(
  aliases: Readonly<Record<string, readonly string[]>>,
): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(aliases).flatMap(([name, others]) =>
      [name, ...others].map((each) => [each, name] as const),
    ),
  );
}

/**
 * What other tools call a thing, and is not taken for it here, since it may mean something else
 * there too; a refusal tells which argument may be meant.
 */
export const namesMeant: ReadonlyMap<string, string> = firstNamesOf({
  file_path: ["target_file", "file", "filename", "file_name", "uri"],
  old_string: ["old", "search", "find", "original", "target", "pattern"],
  new_string: ["new", "replace", "replacement", "replace_with", "updated"],
  expected_replacements: ["count", "occurrences"],
  content: ["text", "new_content"],
  keep: ["choice", "version"],
});

/**
 * The same object under the first names. A member that is `null` counts as absent: some clients
 * send every member. Members with an unknown name stay, for the schema to refuse. Error:
 * `FE_INVALID_REQUEST` naming both spellings.
 */
export function toFirstNames(
  input: Readonly<Record<string, unknown>>,
  aliases: Readonly<Record<string, readonly string[]>>,
  where = "",
): Record<string, unknown> {
  const firstNames = firstNamesOf(aliases);
  const spellings = new Map<string, string>();
  const result: Record<string, unknown> = {};
  for (const [spelling, value] of Object.entries(input)) {
    if (value === null || value === undefined) continue;
    const name = firstNames.get(spelling) ?? spelling;
    const other = spellings.get(name);
    if (other !== undefined) {
      throw new FeError(
        "FE_INVALID_REQUEST",
        `Both "${other}" and "${spelling}" are given${where}, which are two names of one thing`,
        { hint: `Give only "${name}"` },
      );
    }
    spellings.set(name, spelling);
    // Not an assignment, which would mean something else for `__proto__`.
    Object.defineProperty(result, name, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return result;
}
