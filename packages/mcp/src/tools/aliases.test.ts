import { FeError } from "@fe/engine";
import { describe, expect, it } from "vitest";
import { callAliases, editAliases, toFirstNames } from "./aliases.ts";

const allPairs = Object.entries(callAliases).flatMap(([name, others]) =>
  others.map((other) => [name, other] as const),
);

function failureOf(action: () => unknown): FeError {
  try {
    action();
  } catch (error) {
    if (error instanceof FeError) return error;
    throw error;
  }
  throw new Error("It was expected to fail and did not");
}

describe("toFirstNames()", () => {
  it.each(allPairs)("takes %s from %s", (name, other) => {
    expect(toFirstNames({ [other]: "x" }, callAliases)).toEqual({ [name]: "x" });
  });

  it.each(allPairs)("refuses %s together with %s, naming both", (name, other) => {
    const error = failureOf(() => toFirstNames({ [name]: "x", [other]: "x" }, callAliases));
    expect(error.code).toBe("FE_INVALID_REQUEST");
    expect(error.message).toContain(`"${name}" and "${other}"`);
  });

  it("refuses two of the other spellings", () => {
    const error = failureOf(() =>
      toFirstNames({ oldText: "x", old_str: "x" }, editAliases, " in edits[3]"),
    );
    expect(error.message).toContain('"oldText" and "old_str" are given in edits[3]');
    expect(error.hint).toBe('Give only "old_string"');
  });

  it("takes null as absent", () => {
    expect(toFirstNames({ path: null, file_path: "f" }, callAliases)).toEqual({ file_path: "f" });
  });

  it("leaves unknown names as they are, for the schema to refuse", () => {
    const input = JSON.parse('{"__proto__":1,"constructor":2,"command":"x"}');
    expect(Object.keys(toFirstNames(input, callAliases))).toEqual([
      ...["__proto__", "constructor", "command"],
    ]);
  });
});
