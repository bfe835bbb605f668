/**
 * What comes from plain JavaScript, where no type holds: which members an object has, and of which
 * kind their values are. What a value means is checked where it is used.
 *
 * A member that is not known is refused: of `root` in place of `roots` the caller believes that it
 * limits something.
 */
import { FeError } from "./errors.ts";

/** One kind of value. */
export interface Kind {
  /** As in "must be …". */
  readonly expected: string;
  /** What to do; a sentence without full stop. */
  readonly hint: string;
  /** In place of the member's name: also somebody who gave it under another name reads this. */
  readonly noun?: string;
  holds(value: unknown): boolean;
}

/** The members that an object may have. */
export type Members = Readonly<Record<string, Kind>>;

/** For the message. */
export interface Checked {
  /** What is not done: `Cannot edit`. */
  readonly action: string;
  /** What the object is: `the request`. */
  readonly noun: string;
  readonly path?: string;
}

/** A kind, from its parts. */
export function kind(expected: string, hint: string, holds: (value: unknown) => boolean): Kind {
  return { expected, hint, holds };
}

/** Text, of which only the type is checked here. */
export function textKind(hint: string): Kind {
  return kind("text", hint, (value) => typeof value === "string");
}

/** `true` or `false`. */
export function flagKind(hint: string): Kind {
  return kind("true or false", hint, (value) => typeof value === "boolean");
}

/** A number from 0 on, `Infinity` too. */
export function amountKind(unit: string, hint: string): Kind {
  const holds = (value: unknown): boolean => typeof value === "number" && value >= 0;
  return kind(`a number of ${unit} from 0 on`, hint, holds);
}

/** A function. */
export function functionKind(hint: string): Kind {
  return kind("a function", hint, (value) => typeof value === "function");
}

/** One of these texts. */
export function choiceKind(...choices: readonly [string, ...string[]]): Kind {
  const all = choices.map((choice) => JSON.stringify(choice));
  const expected = `${all.slice(0, -1).join(", ")} or ${all.at(-1)}`;
  return kind(expected, `Take ${expected}`, (value) => choices.some((choice) => choice === value));
}

/** The hexadecimal form of a SHA-256. */
export function sha256Kind(hint: string): Kind {
  return { ...kind("64 hexadecimal digits", hint, isSha256), noun: "the expected SHA-256" };
}

/** An `AbortSignal`, also one of another realm or library. */
export const signalKind: Kind = kind(
  "an AbortSignal",
  "Give the signal of an AbortController",
  (value) => {
    const { aborted, addEventListener, removeEventListener } = (value ?? {}) as AbortSignal;
    const isTarget = [addEventListener, removeEventListener].every(
      (method) => typeof method === "function",
    );
    return typeof aborted === "boolean" && isTarget;
  },
);

/** Whether a value is the hexadecimal form of a SHA-256. */
export function isSha256(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/iu.test(value);
}

/** Checks an object. Error: `FE_INVALID_REQUEST`. */
export function checkMembers(value: unknown, members: Members, checked: Checked): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const what = `${checked.noun} must be an object, not ${sayValue(value)}`;
    throw refused(checked, what, `It may have ${listOf(members)}`);
  }
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(members, name)) continue;
    const near = nearName(name, Object.keys(members));
    const hint = near === undefined ? `It may have ${listOf(members)}` : `Did you mean ${near}?`;
    throw refused(checked, `${checked.noun} must not have ${JSON.stringify(name)}`, hint);
  }
  // By the names that are known, so that a getter of a class is read as well.
  for (const name of Object.keys(members)) {
    const member = (value as Record<string, unknown>)[name];
    const expectation = members[name];
    if (member === undefined || expectation?.holds(member) !== false) continue;
    const { noun = name, expected } = expectation;
    const what = `${noun} must be ${expected}, not ${sayValue(member)}`;
    throw refused(checked, what, expectation.hint);
  }
}

/** The error about something that was given. */
export function refused({ action, path }: Checked, what: string, hint: string): FeError {
  const message = `${action}: ${what}`;
  return new FeError("FE_INVALID_REQUEST", message, path === undefined ? { hint } : { hint, path });
}

function listOf(members: Members): string {
  return Object.keys(members).join(", ");
}

/** More of a text than this says no more of what it is. */
const maxShown = 40;

/** A value in a few words. */
export function sayValue(value: unknown): string {
  if (typeof value === "string") {
    const shown = value.length > maxShown ? `${value.slice(0, maxShown)}…` : value;
    return `the text ${JSON.stringify(shown)}`;
  }
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value === "function") return "a function";
  return typeof value === "symbol" ? "a symbol" : String(value);
}

/** Longer names than this are no slip of a shorter one, and would take time to compare. */
const maxNameLength = 64;

/** The name that was meant, if one is near: without case and `_`, as a part, or by two slips. */
export function nearName(name: string, names: readonly string[]): string | undefined {
  if (name.length > maxNameLength) return undefined;
  const plain = (text: string): string => text.toLowerCase().replace(/[-_\s]/gu, "");
  const wanted = plain(name);
  const same = names.find((each) => plain(each) === wanted);
  if (same !== undefined) return same;
  const [nearest] = names
    .map((each) => ({ each, slips: slipsBetween(wanted, plain(each)) }))
    .filter(({ each, slips }) => slips <= Math.min(2, Math.floor(each.length / 3)))
    .sort((one, other) => one.slips - other.slips);
  if (nearest !== undefined) return nearest.each;
  const isPart = (long: string, short: string): boolean => short.length > 3 && long.includes(short);
  return names.find((each) => isPart(wanted, plain(each)) || isPart(plain(each), wanted));
}

/** How many letters are to be put in, taken out or replaced (Levenshtein). */
function slipsBetween(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...one].entries()) {
    const line = [row + 1];
    for (let column = 0; column < other.length; column++) {
      const replaced = (above[column] ?? 0) + (letter === other[column] ? 0 : 1);
      const moved = 1 + Math.min(above[column + 1] ?? 0, line[column] ?? 0);
      line.push(Math.min(replaced, moved));
    }
    above = line;
  }
  return above[other.length] ?? 0;
}
