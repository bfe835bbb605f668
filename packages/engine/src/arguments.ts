/**
 * What a program in JavaScript can give and the types forbid: one clear error in place of whatever
 * would come of it later.
 */
import { FeError } from "./errors.ts";

/** A value in a message: text in quotes, anything else by its type alone. */
function described(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : typeof value;
}

function invalid(action: string, what: string, wanted: string, value: unknown): FeError {
  const message = `Cannot ${action}: ${what} must be ${wanted}, not ${described(value)}`;
  return new FeError("FE_INVALID_REQUEST", message, { hint: "See the types of the library" });
}

/** Error: `FE_INVALID_REQUEST`, for anything but an object. */
export function requireObject(action: string, what: string, value: unknown): void {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return;
  throw invalid(action, what, "an object", value);
}

/** The types that members of an object may have, if they are there. */
type MemberTypes = Readonly<Record<string, "string" | "number" | "boolean" | "function">>;

const words = {
  string: "text",
  number: "a number",
  boolean: "true or false",
  function: "a function",
} as const;

/** Error: `FE_INVALID_REQUEST`, for no object, or one with a member of another type. */
export function requireMembers(
  action: string,
  what: string,
  value: object,
  types: MemberTypes,
): void {
  requireObject(action, what, value);
  for (const [name, type] of Object.entries(types)) {
    const member: unknown = (value as Readonly<Record<string, unknown>>)[name];
    if (member === undefined || typeof member === type) continue;
    throw invalid(action, name, words[type], member);
  }
}

/** Error: `FE_INVALID_REQUEST`, for anything but text. */
function requireText(action: string, what: string, value: unknown): void {
  if (typeof value !== "string") throw invalid(action, what, "text", value);
}

/** What is not checked where it is used. */
const optionTypes = {
  userDataDirectory: "string",
  appName: "string",
  electronAppData: "string",
  profile: "string",
  maxFileBytes: "number",
  followSymlinks: "boolean",
  authorize: "function",
  beforeCommit: "function",
} as const;

/** Error: `FE_INVALID_REQUEST`. So of each that follows. */
export function checkEngineOptions(options: object): void {
  requireMembers("open the engine", "options", options, optionTypes);
}

export function checkShow(id: unknown, version: unknown): void {
  requireText("show a record", "its id", id);
  requireText("show a record", "the version", version);
}

export function checkResolve(id: unknown, options: object): void {
  requireText("resolve a record", "its id", id);
  requireMembers("resolve a record", "options", options, { keep: "string" });
  const { signal } = options as { readonly signal?: Partial<AbortSignal> };
  if (signal === undefined || typeof signal?.addEventListener === "function") return;
  throw invalid("resolve a record", "signal", "an AbortSignal", signal);
}

export function checkUndo(id: unknown, options: object): void {
  requireText("undo a resolution", "the id of its record", id);
  requireObject("undo a resolution", "options", options);
}
