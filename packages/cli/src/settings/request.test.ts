import { describe, expect, it } from "vitest";
import { parseArguments } from "../arguments.ts";
import { settle } from "../settings.ts";
import { UsageError } from "../usage-error.ts";
import { parseRequest } from "./request.ts";

const least = { file_path: "f", old_string: "a", new_string: "b" };

describe("parseRequest()", () => {
  it("B5 takes one edit, or several", () => {
    expect(parseRequest(JSON.stringify(least))).toEqual({
      request: { path: "f", edits: [{ oldString: "a", newString: "b" }] },
      waitMs: undefined,
      dryRun: false,
      diff: false,
    });
    const { old_string, new_string } = least;
    const all = {
      file_path: "f",
      edits: [{ old_string, new_string, replace_all: true, expected_replacements: 2 }, least].map(
        ({ ...edit }) => {
          delete (edit as Partial<typeof least>).file_path;
          return edit;
        },
      ),
      expected_sha256: "0".repeat(64),
      encoding: "gbk",
      line_endings: "exact",
      dry_run: true,
      diff: true,
      wait_ms: 5,
    };
    expect(parseRequest(JSON.stringify(all))).toEqual({
      request: {
        path: "f",
        edits: [
          { oldString: "a", newString: "b", replaceAll: true, expectedReplacements: 2 },
          { oldString: "a", newString: "b" },
        ],
        expectedSha256: "0".repeat(64),
        encoding: "gbk",
        lineEndings: "exact",
      },
      waitMs: 5,
      dryRun: true,
      diff: true,
    });
  });

  it.each([
    ["{", /not JSON/],
    ["[]", /not an object/],
    ["null", /not an object/],
    ["{}", /file_path is missing/],
    [JSON.stringify({ ...least, expected_sha: "x" }), /not known: expected_sha$/],
    [JSON.stringify({ ...least, old_string: 1 }), /old_string is not text/],
    [JSON.stringify({ ...least, old_string: null }), /old_string is not text/],
    [JSON.stringify({ ...least, replace_all: "yes" }), /replace_all is not true or false/],
    [JSON.stringify({ ...least, line_endings: "crlf" }), /neither match-file nor exact/],
    [JSON.stringify({ ...least, wait_ms: -1 }), /wait_ms is not a whole number/],
    [JSON.stringify({ ...least, edits: [] }), /both edits and old_string/],
    [JSON.stringify({ file_path: "f", edits: {} }), /edits is not a list/],
    [JSON.stringify({ file_path: "f", edits: [1] }), /edits\[0\] is not an object/],
    [JSON.stringify({ file_path: "f", edits: [least] }), /not known: edits\[0\].file_path/],
    ['{"file_path":"f","old_string":"a","new_string":"b","__proto__":{}}', /not known: __proto__/],
  ])("Q5 refuses %s", (text, message) => {
    expect(() => parseRequest(text)).toThrow(UsageError);
    expect(() => parseRequest(text)).toThrow(message);
  });
});

describe("fe edit --request", () => {
  const settled = async (argv: readonly string[], text: string) => {
    const parsed = parseArguments(argv);
    if (parsed.kind !== "run") throw new Error(`parsed as ${parsed.kind}`);
    return settle(parsed.raw, {
      cwd: () => "/",
      readInput: async () => new TextEncoder().encode(text),
    });
  };

  it("stands in place of the file and of all that it can say", async () => {
    const text = JSON.stringify(least);
    expect(await settled(["edit", "--request", "-", "--dry-run", "--diff"], text)).toMatchObject({
      request: { path: "f" },
      dryRun: true,
      diff: true,
      waitMs: 0,
    });
    for (const extra of [["g"], ["--old-string", "x"], ["--wait", "1s"], ["--encoding", "gbk"]]) {
      const attempt = settled(["edit", "--request", "-", ...extra], text);
      await expect(attempt).rejects.toThrow(/Both --request and/);
    }
  });

  it("drops a byte order mark before it, and none in a text", async () => {
    const marked = `\ufeff${JSON.stringify({ ...least, old_string: "\ufeffa" })}`;
    expect(await settled(["edit", "--request", "-"], marked)).toMatchObject({
      request: { path: "f", edits: [{ oldString: "\ufeffa" }] },
    });
  });

  it("Q5 wants a file or a request, and a request that can be read", async () => {
    await expect(settled(["edit", "--old-string", "a"], "")).rejects.toThrow(/No file is named/);
    await expect(settled(["edit", "--request", "-"], "\ufeff{")).rejects.toThrow(/not JSON/);
  });
});
