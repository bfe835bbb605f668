// What a model reads that got an argument wrong, by the tools themselves.
import type { FeError } from "@fe/engine";
import { describe, expect, it } from "vitest";
import { tools } from "../answers.ts";
import type { CallContext } from "./tool.ts";

async function refusal(name: string, input: Record<string, unknown>): Promise<FeError> {
  const tool = tools.find(({ definition }) => definition.name === name);
  // No call of these gets as far as its context.
  return tool?.call(input, {} as CallContext).then(
    () => expect.unreachable("taken"),
    (error: FeError) => error,
  ) as Promise<FeError>;
}

async function told(name: string, input: Record<string, unknown>): Promise<string> {
  const { code, message, hint } = await refusal(name, input);
  expect(code).toBe("FE_INVALID_REQUEST");
  return `${message}. ${hint}`;
}

describe("wrongArgument()", () => {
  it.each([
    ["target_file", "file_path"],
    ["filename", "file_path"],
    ["filepath", "file_path"],
    ["search", "old_string"],
    ["oldStr", "old_string"],
    ["replace", "new_string"],
    ["dry-run", "dry_run"],
    ["expected_count", undefined],
    ["instructions", undefined],
  ])("Q5 names an argument that is not known, %s, and the near one", async (name, near) => {
    const text = await told("edit_file", { [name]: "x" });
    expect(text).toBe(
      `There is no argument "${name}". ` +
        (near === undefined
          ? "It takes file_path, old_string, new_string, replace_all, expected_replacements, " +
            "edits, expected_sha256, line_endings, encoding, dry_run, diff, wait_ms"
          : `Did you mean "${near}"?`),
    );
  });

  it("Q5 proposes nothing that is given already", async () => {
    const text = await told("edit_file", { file_path: "a", target_file: "a" });
    expect(text).not.toContain("Did you mean");
  });

  it.each([
    ["recovery_show", { record_id: "01234567" }, 'no argument "record_id". Did you mean "id"?'],
    ["recovery_resolve", { version: "before" }, 'no argument "version". Did you mean "keep"?'],
    ["recovery_list", { x: 1 }, 'no argument "x". Leave it out; the tool takes no arguments'],
    ["recovery_show", { id: "01234567" }, '"version" is missing. The file before the edit, as'],
    ["recovery_show", { id: "0x", version: "old" }, '"id" must be 8 to 64 hexadecimal digits, not'],
    ["edit_file", {}, '"file_path" is missing. The file. Absolute, or'],
    ["edit_file", { path: "a", edits: [{ old_string: 1 }] }, '"edits[0].old_string" must be text'],
    ["edit_file", { path: "a", edits: [7] }, '"edits[0]" must be an object, not 7'],
    ["edit_file", { path: "a", replace_all: "yes" }, "must be true or false, not the text"],
    ["edit_file", { path: "a", encoding: "x".repeat(50) }, "must be text of at most 40 characters"],
    ["edit_file", { path: "a", wait_ms: 1.5 }, "must be a whole number from 0 to 600000, not 1.5"],
  ])("Q5 says what is wrong, where, and what is expected (%s %j)", async (name, input, text) => {
    expect(await told(name, input)).toContain(text);
  });

  it("Q5 stays short and safe to show, whatever the name", async () => {
    const { message } = await refusal("edit_file", { [`\u202e\n${"x".repeat(9999)}`]: 1 });
    expect(message.length).toBeLessThan(120);
    expect(message).toContain('"\\u202e\\nxxx');
  });
});
