/**
 * What tools answer, as schemas: one object for success and failure alike, so that a client which
 * checks answers accepts each. The objects themselves are made by the engine.
 *
 * Members that are not named here are allowed: a later version may tell more.
 */
import * as z from "zod";
import { maxListedMatches } from "../limits.ts";

/** Stands in `error.code` for a fault of this program; not a code of the engine. */
export const internalCode = "INTERNAL";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const size = z.number().int().min(0);
const decimal = z.string().regex(/^\d+$/);

const matches = z
  .array(z.looseObject({ line: size, column: size, byte_offset: size }))
  .describe(`Where the old text is or was; at most the first ${maxListedMatches}`);

const identity = z.looseObject({
  volume: decimal,
  file: decimal,
  birth_time_ns: z.string().optional(),
  generation: z.string().optional(),
});

const version = z.looseObject({ bytes: size, sha256 });

const record = z.looseObject({
  id: z.string(),
  path: z.string().optional().describe("The file that the edit was for"),
  path_base64: z.string().optional(),
  record_path: z.string().optional(),
  record_path_base64: z.string().optional(),
  transaction_id: z.string().optional(),
  phase: z.enum(["prepared", "committed", "doubtful", "unreadable"]),
  owner: z
    .looseObject({ pid: z.number(), state: z.enum(["alive", "gone", "unknown"]), why: z.string() })
    .optional(),
  why: z.string(),
  identity: identity.optional(),
  created_ms: z.number().optional(),
  before: version.optional(),
  after: version.optional(),
  holds: z
    .enum(["before", "after", "neither", "nothing", "another-file", "not-looked-at"])
    .optional()
    .describe("What stands at path now"),
  choices: z
    .array(z.enum(["before", "after", "current"]))
    .optional()
    .describe("What recovery_resolve can keep"),
});

const resolved = z.looseObject({
  id: z.string(),
  path: z.string().optional().describe("The file that the edit was for"),
  path_base64: z.string().optional(),
  saved_ms: z.number().describe("When it was resolved, or the last undo of it was done"),
  saved_path: z.string().optional().describe("What the file held until then"),
  saved_path_base64: z.string().optional(),
  saved_bytes: size.optional(),
  record: record.optional().describe("The record, kept; recovery_show gives its versions"),
});

const error = z.looseObject({
  // Not a list of all codes: it would stand in each tool, and be longer than what else there is.
  code: z.string().regex(new RegExp(`^(?:FE_[A-Z_]+|${internalCode})$`)),
  message: z.string(),
  effect: z
    .enum(["none", "rolled_back", "unknown"])
    .describe("What is true of the file: untouched, put back, or perhaps partly written"),
  retryable: z.boolean().describe("Whether the same call may succeed later"),
  hint: z.string().optional(),
  edit_index: size.optional(),
  count: size.optional(),
  reason: z.string().optional(),
  nearest: z.array(z.looseObject({ line: size, text: z.string() })).optional(),
  differing: z
    .array(z.looseObject({ line: size, there: z.string(), given: z.string() }))
    .optional()
    .describe("Lines as they stand in the file, and as old_string has them"),
});

const failureStatuses = ["rejected", "conflict", "recovery_required", "failed"] as const;

/** Members of a failure, of any tool. */
const failure = {
  file_path: z.string().optional(),
  path_base64: z.string().optional(),
  matches: matches.optional(),
  record: record.optional(),
  recovered: z
    .looseObject({ record_id: z.string(), decision: z.string() })
    .optional()
    .describe("A record of an earlier edit that was settled, and is gone"),
  warnings: z.array(z.string()).optional(),
  error: error.optional().describe("Present if the call failed"),
};

const editStatus = z.enum(["applied", "unchanged", ...failureStatuses]);

/** Members of an edit's answer, but for its status. */
const editMembers = {
  ...failure,
  identity: identity.optional(),
  replacements: size.optional(),
  matches_truncated: z
    .boolean()
    .optional()
    .describe("There are more; replacements is the number of all"),
  before_sha256: sha256.optional(),
  after_sha256: sha256.optional().describe("SHA-256 of the whole file after the edit"),
  bytes_before: size.optional(),
  bytes_after: size.optional(),
  exclusion: z.string().optional(),
  exclusion_reason: z.string().optional(),
  durability: z.string().optional(),
  line_endings: z.string().optional(),
  metadata_changes: z.array(z.string()).optional(),
  diff: z.string().optional().describe("What changes, as unified diff, if it was asked for"),
  diff_base64: z.string().optional(),
  diff_truncated: z
    .boolean()
    .optional()
    .describe("Long lines are shown around what changes, and what follows is left off"),
  diff_bytes: size.optional().describe("How long the diff was before it was shortened"),
  diff_transcoded_from: z
    .string()
    .optional()
    .describe("The encoding of the file, whose lines were put into UTF-8; patch cannot take it"),
  dry_run: z.boolean().optional(),
};

export const editOutput: z.ZodObject = z.looseObject({
  status: editStatus.describe("applied and unchanged are success; a dry run is unchanged"),
  ...editMembers,
});

export const listOutput: z.ZodObject = z.looseObject({
  records: z.array(record).optional().describe("Oldest first; present if the call succeeded"),
  records_left_out: size.optional().describe("So many more there are"),
  resolved: z
    .array(resolved)
    .optional()
    .describe("What recovery_undo can take back, oldest first; present if the call succeeded"),
  resolved_left_out: size.optional().describe("So many older ones there are"),
  status: z.enum(failureStatuses).optional().describe("Present if the call failed"),
  ...failure,
});

export const showOutput: z.ZodObject = z.looseObject({
  version: z.enum(["before", "after", "current"]).optional(),
  bytes: size.optional(),
  sha256: sha256.optional().describe("SHA-256 of these bytes"),
  encoding: z.enum(["utf-8", "base64"]).optional(),
  content: z.string().optional().describe("The bytes, in the encoding named"),
  content_omitted: z.boolean().optional().describe("The version is too large for an answer"),
  status: z.enum(failureStatuses).optional().describe("Present if the call failed"),
  ...failure,
});

export const resolveOutput: z.ZodObject = z.looseObject({
  status: z.enum(["applied", "unchanged", ...failureStatuses]),
  ...failure,
  kept: z
    .enum(["before", "after", "current", "given"])
    .optional()
    .describe("given: the content of the call"),
  before_sha256: sha256.optional(),
  after_sha256: sha256.optional(),
  bytes_before: size.optional(),
  bytes_after: size.optional(),
  saved_path: z.string().optional().describe("What the file held before is saved there"),
  saved_path_base64: z.string().optional(),
  record_moved_to: z
    .string()
    .optional()
    .describe("The record is there now, with the versions that were not chosen"),
  record_moved_to_base64: z.string().optional(),
  record_stands: z
    .boolean()
    .optional()
    .describe("The record could not be moved, and the next edit may meet it; see warnings"),
});

export const undoOutput: z.ZodObject = z.looseObject({
  status: editStatus.describe("applied and unchanged are success"),
  ...editMembers,
  record_id: z.string().optional().describe("The record whose resolution was taken back"),
  saved_path: z
    .string()
    .optional()
    .describe("What the file held before is saved there; the same call brings it back"),
  saved_path_base64: z.string().optional(),
});
