/**
 * Arguments of a call, checked before the engine sees them. What a request means for a file is
 * judged by the engine.
 */
import { FeError } from "@fe/engine";
import * as z from "zod";
import { maxPathLength, maxTextLength } from "../limits.ts";
import { type Expected, type FirstNames, wrongArgument } from "./wrong-argument.ts";

function invalid(message: string, hint: string): FeError {
  return new FeError("FE_INVALID_REQUEST", message, { hint });
}

/**
 * Arguments as this schema wants them. Error: `FE_INVALID_REQUEST`, about the first wrong one.
 * `firstNames`: what other names of arguments stand for, where there are any.
 */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown, firstNames?: FirstNames): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const expected = z.toJSONSchema(schema, { io: "input" }) as Expected;
  throw wrongArgument(parsed.error.issues, expected, input, firstNames);
}

/** In a pattern with the `u` flag this matches only a surrogate that stands alone. */
const loneSurrogate = /\p{Surrogate}/u;

function refuseCharacters(
  text: string,
  name: string,
  hint = "Leave it out; the fe command takes any bytes, from files",
): void {
  if (text.includes("\0")) throw invalid(`${name} holds a NUL character`, hint);
  if (loneSurrogate.test(text)) {
    throw invalid(
      `${name} holds half of a surrogate pair, which no encoding can express`,
      "Do not cut text in the middle of a character",
    );
  }
}

/** Error: `FE_INVALID_REQUEST` for a path that is empty, too long, or no text. */
export function checkPath(path: string, name: string): void {
  if (path.includes("\0")) {
    throw invalid(`${name} holds a NUL character`, "Leave it out; no path can have one");
  }
  if (path === "") throw invalid(`${name} is empty`, "Name a file");
  if (path.length > maxPathLength) {
    throw invalid(
      `${name} has ${path.length} characters, more than ${maxPathLength}`,
      "Name a file by its path",
    );
  }
  refuseCharacters(path, name, "No file has one in its name");
}

/**
 * Error: `FE_INVALID_REQUEST` for texts that are no text, or together too long; `ifTooLong` is the
 * hint then.
 */
export function checkTexts(
  texts: ReadonlyArray<readonly [name: string, text: string]>,
  ifTooLong = "Split the call, or use the fe command, which takes texts from files",
): void {
  let length = 0;
  for (const [, text] of texts) length += text.length;
  if (length > maxTextLength) {
    throw invalid(
      `The texts have ${length} characters together, more than ${maxTextLength}`,
      ifTooLong,
    );
  }
  for (const [name, text] of texts) refuseCharacters(text, name);
}
