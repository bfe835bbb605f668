/**
 * Fuzz target: the command line, from its words to settings. Input: words with a NUL between them,
 * as the kernel gives them. Every line is a command, a help text, a version, or one usage error.
 */
import path from "node:path";
import { attempt, type FuzzTarget, must } from "../../../../scripts/fuzz/target.mjs";
import { parseArguments } from "../../src/arguments.ts";
import type { EditOptionTexts } from "../../src/definition/raw-arguments.ts";
import { type EditSettings, settle } from "../../src/settings.ts";
import { UsageError } from "../../src/usage-error.ts";

function isUsageError(error: unknown): boolean {
  if (!(error instanceof UsageError)) return false;
  must(error.message !== "" && error.hint !== "", "says nothing, or no way out");
  return true;
}

/** A file that holds its own name, so that what was read shows where it went. */
const reader = {
  cwd: () => "/here",
  readInput: async (file: string) => new TextEncoder().encode(`<${file}>`),
};

async function check(input: Buffer): Promise<boolean> {
  const argv = input.length === 0 ? [] : input.toString("utf8").split("\0");
  const parsed = parseArguments(argv);
  if (parsed.kind !== "run") {
    if (parsed.kind === "usage") must(isUsageError(parsed.error), "an error that is none");
    if (parsed.kind === "help") must(parsed.text.length > 0, "an empty help text");
    return false;
  }
  const { raw } = parsed;
  const result = await attempt(() => settle(raw, reader), isUsageError);
  if ("refusal" in result) return false;
  const settings = result.value;
  must(settings.command === raw.command, "settles another command");
  const { userDataDirectory, maxFileBytes } = settings.engine;
  must(userDataDirectory === undefined || path.isAbsolute(userDataDirectory), "a relative store");
  must(maxFileBytes === undefined || maxFileBytes >= 0, "a size below nothing");
  if (settings.command === "edit" && raw.command === "edit") checkEdit(settings, raw.options);
  return true;
}

function checkEdit(settings: EditSettings, options: EditOptionTexts): void {
  const { request, waitMs } = settings;
  must(Number.isInteger(waitMs) && waitMs >= 0 && waitMs <= 2 ** 31 - 1, "a wait that is none");
  if (options.request !== undefined || !("oldString" in request)) return;
  const { oldString, oldFile, newString, newFile } = options;
  must(request.oldString === (oldString ?? `<${oldFile}>`), "another old text than was given");
  must(request.newString === (newString ?? `<${newFile}>`), "another new text than was given");
  const isDry = options.dryRun === true;
  must(settings.dryRun === isDry, "a dry run that nobody asked for, or none although asked");
}

const lines = [
  ["edit", "notes.md", "--old-string", "a", "--new-string", "--json"],
  ["edit", "-", "--old-file", "x", "--new-file", "-", "--replace-all", "--wait", "2s", "--dry-run"],
  ["edit", "f", "--old-string=", "--new-string=b", "--expected-replacements", "2", "--json"],
  ["--profile", "p", "edit", "f", "--old-string", "a", "--new-string", "b", "--encoding", "gbk"],
  ["edit", "--request", "r.json", "--diff", "--exclusive", "require", "--max-file-size", "64KiB"],
  ["edit", "f", "--old-string", "a", "--new-string", "b", "--max-file-size", "64"],
  ["recovery", "list", "--user-data-dir", "data"],
  ["recovery", "resolve", "0123abcd", "--keep", "before", "--expect-sha256", "0".repeat(64)],
  ["recovery", "resolve", "0123abcd", "--with", "f"],
  ["recovery", "show", "0123abcd", "--version", "after"],
  ["recovery", "diff", "0123abcd", "--from", "before", "--to", "current"],
  ["recovery", "merge", "0123abcd"],
  ["recovery", "undo", "0123abcd"],
  ["identity", "f"],
  ["doctor"],
  ["completion", "bash"],
  ["--help"],
  ["--", "edit"],
];

export const target: FuzzTarget = {
  name: "command-line",
  form: "text",
  words: [...new Set(lines.flat()), "--quiet", "--line-endings", "--no-follow-symlinks", "\0"],
  maxBytes: 1000,
  seeds: () => lines.map((words) => Buffer.from(words.join("\0"))),
  change: (input, random) => {
    const words = input.toString("utf8").split("\0");
    const at = random.below(words.length + 1);
    const other = random.pick([...random.pick(lines), "", "-", "--", "--json", "9".repeat(20)]);
    const here = words[at] ?? other;
    const near = [`-${here}`, `${here}0`, here.slice(1), here.slice(0, -1), `${here}=${other}`];
    const word = random.chance(0.5) ? other : random.pick(near);
    words.splice(at, random.below(2), ...(random.chance(0.8) ? [word] : []));
    return Buffer.from(words.join("\0")).subarray(0, 1000);
  },
  check,
};
