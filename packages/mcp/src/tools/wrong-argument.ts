/**
 * What is wrong with the arguments of a call, in plain words: which argument, what was expected of
 * it, and what to do. The schema that the client was given says what is expected.
 */
import { FeError } from "@fe/engine";
import { escapeText, nearName, sayValue } from "@fe/engine/display";
import type * as z from "zod";
import { maxShownMessage } from "../limits.ts";
import { shorten } from "../output/excerpt.ts";
import { namesMeant } from "./aliases.ts";

/** As much of JSON Schema as the schemas of the tools use. */
export interface Expected {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly items?: Expected;
  readonly anyOf?: readonly Expected[];
  readonly properties?: Readonly<Record<string, Expected>>;
}

type Path = readonly PropertyKey[];

/** `first name` of an argument by each of its names. */
export type FirstNames = ReadonlyMap<string, string>;

const noOtherNames: FirstNames = new Map();

/** The error about `issue`; `schema` is that of the whole `input`. */
export function wrongArgument(
  issues: readonly z.core.$ZodIssue[],
  schema: Expected,
  input: unknown,
  firstNames: FirstNames = noOtherNames,
): FeError {
  // What is not known explains what is missing.
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  const path = issue?.path ?? [];
  const at = { path, expected: expectedAt(schema, path), value: valueAt(input, path) };
  const { what, hint } =
    issue?.code === "unrecognized_keys"
      ? unknownName(issue.keys, at, firstNames)
      : wrong(at, issue);
  return new FeError("FE_INVALID_REQUEST", shorten(escapeText(what), maxShownMessage), { hint });
}

interface Place {
  readonly path: Path;
  readonly expected: Expected | undefined;
  readonly value: unknown;
}

interface Told {
  readonly what: string;
  readonly hint: string;
}

function wrong({ path, expected, value }: Place, issue: z.core.$ZodIssue | undefined): Told {
  const where = path.length === 0 ? "The arguments" : `The argument "${nameOf(path)}"`;
  const hint = expected?.description ?? "The tool's input schema says what it takes";
  if (value === undefined) return { what: `${where} is missing`, hint };
  const wanted =
    // Such a rule has words of its own: what the characters must be.
    issue?.code === "invalid_format" ? issue.message.replace(/^must be /u, "") : inWords(expected);
  return { what: `${where} must be ${wanted}, not ${sayValue(value)}`, hint };
}

function unknownName(keys: readonly string[], at: Place, firstNames: FirstNames): Told {
  const [key = ""] = keys;
  const known = Object.keys(at.expected?.properties ?? {});
  const given = typeof at.value === "object" && at.value !== null ? at.value : {};
  const free = known.filter((name) => !Object.hasOwn(given, name));
  const near = meant(key, free, firstNames);
  const where = at.path.length === 0 ? "" : ` in "${nameOf(at.path)}"`;
  return {
    what: `There is no argument ${sayName(key)}${where}`,
    hint:
      near === undefined
        ? known.length === 0
          ? "Leave it out; the tool takes no arguments"
          : `It takes ${known.join(", ")}`
        : `Did you mean "${near}"?`,
  };
}

/** More of a name says no more of what it is. */
const maxName = 60;

function sayName(name: string): string {
  return JSON.stringify(shorten(name, maxName));
}

/** The argument that `name` stands for: one of `free`. */
function meant(name: string, free: readonly string[], firstNames: FirstNames): string | undefined {
  const known = namesMeant.get(name);
  if (known !== undefined && free.includes(known)) return known;
  const others = [...firstNames].flatMap(([other, first]) => (free.includes(first) ? other : []));
  const near = nearName(name, [...free, ...others]);
  return near === undefined ? sharesWord(name, free) : (firstNames.get(near) ?? near);
}

/** The only one that has a word in common with `name`, as `record_id` and `id` have. */
function sharesWord(name: string, free: readonly string[]): string | undefined {
  const words = new Set(name.toLowerCase().split("_"));
  const [one, other] = free.filter((each) => each.split("_").some((word) => words.has(word)));
  return other === undefined ? one : undefined;
}

function nameOf(path: Path): string {
  return path
    .map((part, index) => {
      if (typeof part === "number") return `[${part}]`;
      return index === 0 ? String(part) : `.${String(part)}`;
    })
    .join("");
}

function expectedAt(schema: Expected | undefined, path: Path): Expected | undefined {
  return path.reduce<Expected | undefined>(
    (at, part) => (typeof part === "number" ? at?.items : at?.properties?.[String(part)]),
    schema,
  );
}

function valueAt(input: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, part) =>
      typeof at === "object" && at !== null && Object.hasOwn(at, part)
        ? (at as Record<PropertyKey, unknown>)[part]
        : undefined,
    input,
  );
}

/** As in "must be …". */
function inWords(expected: Expected | undefined): string {
  if (expected?.enum !== undefined) return oneOf(expected.enum.map((each) => JSON.stringify(each)));
  if (expected?.anyOf !== undefined) return oneOf(expected.anyOf.map(inWords));
  switch (expected?.type) {
    case "string":
      return expected.maxLength === undefined
        ? "text"
        : `text of at most ${expected.maxLength} characters`;
    case "boolean":
      return "true or false";
    case "integer":
      return numberWords(expected);
    case "array":
      return expected.minItems === undefined ? "a list" : `a list of ${expected.minItems} or more`;
    case "null":
      return "null";
    default:
      return "an object";
  }
}

function numberWords({ minimum, maximum = Number.MAX_SAFE_INTEGER }: Expected): string {
  const end = maximum === Number.MAX_SAFE_INTEGER ? "on" : `to ${maximum}`;
  return minimum === undefined ? "a whole number" : `a whole number from ${minimum} ${end}`;
}

function oneOf(choices: readonly string[]): string {
  const [last, ...others] = choices.toReversed();
  return others.length === 0 ? String(last) : `${others.toReversed().join(", ")} or ${last}`;
}
