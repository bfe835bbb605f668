import path from "node:path";
import { describe, expect, it } from "vitest";
import { parseArguments } from "./arguments.ts";
import { parseDuration, parseSize } from "./settings/values.ts";
import { type Settings, settle } from "./settings.ts";
import { UsageError } from "./usage-error.ts";

function settled(
  argv: readonly string[],
  files: Record<string, Uint8Array> = {},
): Promise<Settings> {
  const parsed = parseArguments(argv);
  if (parsed.kind !== "run") throw new Error(`parsed as ${parsed.kind}`);
  return settle(parsed.raw, {
    cwd: () => "/home/someone",
    readInput: async (file) => {
      const bytes = files[file];
      if (bytes === undefined) throw new Error(`ENOENT: no such file or directory, open '${file}'`);
      return bytes;
    },
  });
}

const edit = ["edit", "f", "--old-string", "a", "--new-string", "b"];
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("parseSize()", () => {
  it.each([
    ["0", 0],
    ["1048576", 1_048_576],
    ["64KiB", 65_536],
    ["16MiB", 16_777_216],
    ["1GiB", 1_073_741_824],
    ["off", Number.POSITIVE_INFINITY],
  ])("reads %s", (text, expected) => {
    expect(parseSize(text, "--max-file-size")).toBe(expected);
  });

  it.each(["", "-1", "1.5MiB", "1MB", "1 MiB", "1mib", "1e3", "0x10", "OFF", "99999999999GiB"])(
    "refuses %j",
    (text) => {
      expect(() => parseSize(text, "--max-file-size")).toThrow(UsageError);
    },
  );
});

describe("parseDuration()", () => {
  it.each([
    ["0ms", 0],
    ["250ms", 250],
    ["2s", 2000],
    ["1m", 60_000],
  ])("reads %s", (text, expected) => {
    expect(parseDuration(text, "--wait")).toBe(expected);
  });

  it.each(["", "2", "0", "-2s", "1.5s", "2 s", "2S", "1h", "s", "100000000s"])(
    "refuses %j",
    (text) => {
      expect(() => parseDuration(text, "--wait")).toThrow(UsageError);
    },
  );
});

describe("settle()", () => {
  it("B2 takes what is to be done about other programs, also beside a request", async () => {
    expect(await settled([...edit, "--exclusive", "require"])).toMatchObject({
      exclusive: "require",
    });
    await expect(settled([...edit, "--exclusive", "always"])).rejects.toThrow(/--exclusive/);
    const request = bytes('{"file_path":"f","old_string":"a","new_string":"b"}');
    const argv = ["edit", "--request", "r", "--exclusive", "off"];
    expect(await settled(argv, { r: request })).toMatchObject({ exclusive: "off" });
  });

  it("passes on only what was asked for, so that the engine's defaults hold", async () => {
    expect(await settled(edit)).toEqual({
      command: "edit",
      engine: {},
      storeOptions: [],
      request: { path: "f", oldString: "a", newString: "b" },
      waitMs: 0,
      dryRun: false,
      diff: false,
      exclusive: undefined,
      isRequestFile: false,
    });
  });

  it("passes on everything that was asked for", async () => {
    const options =
      "--replace-all --expected-replacements 2 --expected-sha256 ff --line-endings exact " +
      "--dry-run --wait 2s --root r --max-file-size 1KiB --no-follow-symlinks " +
      "--user-data-dir data --app my-app --profile work";
    const userDataDirectory = path.resolve("/home/someone/data");
    expect(await settled([...edit, ...options.split(" ")])).toEqual({
      command: "edit",
      engine: {
        roots: ["r"],
        maxFileBytes: 1024,
        followSymlinks: false,
        userDataDirectory,
        appName: "my-app",
        profile: "work",
      },
      storeOptions: [
        ...["--user-data-dir", userDataDirectory],
        ...["--app", "my-app"],
        ...["--profile", "work"],
      ],
      request: {
        path: "f",
        oldString: "a",
        newString: "b",
        replaceAll: true,
        expectedReplacements: 2,
        expectedSha256: "ff",
        lineEndings: "exact",
      },
      waitMs: 2000,
      dryRun: true,
      diff: false,
      exclusive: undefined,
      isRequestFile: false,
    });
  });

  it("takes the exact bytes of files, with byte order mark and last line break", async () => {
    const files = { old: bytes("\uFEFFa\r\n"), "-": bytes("b\n\n") };
    const argv = ["edit", "f", "--old-file", "old", "--new-file", "-"];
    expect(await settled(argv, files)).toMatchObject({
      request: { oldString: "\uFEFFa\r\n", newString: "b\n\n" },
    });
  });

  it("does not ask for a working directory that may be gone", async () => {
    const parsed = parseArguments([...edit, "--user-data-dir", `${path.resolve("/a")}/../data`]);
    if (parsed.kind !== "run") throw new Error(parsed.kind);
    const reader = {
      cwd: () => {
        throw new Error("ENOENT: uv_cwd");
      },
      readInput: async () => new Uint8Array(),
    };
    expect((await settle(parsed.raw, reader)).engine.userDataDirectory).toBe(path.resolve("/data"));
    const relative = { ...parsed.raw.common, userDataDir: "data" };
    const settled = settle({ ...parsed.raw, common: relative }, reader);
    await expect(settled).rejects.toThrow("the working directory is gone");
  });

  it("leaves an empty old text to the engine", async () => {
    const argv = ["edit", "f", "--old-string=", "--new-string=b"];
    expect(await settled(argv)).toMatchObject({ request: { oldString: "" } });
  });

  it.each<[string, readonly string[]]>([
    ["Nothing says what the old text is", ["--new-string", "b"]],
    ["Nothing says what the new text is", ["--old-string", "a"]],
    ["Both --old-string and --old-file", ["--old-string=", "--old-file", "x", "--new-string=b"]],
    ["Both --new-string and --new-file", ["--old-string=a", "--new-file", "x", "--new-string="]],
    ["are standard input", ["--old-file", "-", "--new-file", "-"]],
    [
      `Cannot read "gone" for --old-file: no such file or directory`,
      ["--old-file", "gone", "--new-string=b"],
    ],
    ["are not UTF-8", ["--old-file", "latin1", "--new-string=b"]],
    ["holds U+FFFD", ["--old-string=a", "--new-string=caf\uFFFD"]],
    ['--wait is not a duration: "2"', ["--old-string=a", "--new-string=b", "--wait", "2"]],
    ["--expected-replacements is not", [...edit.slice(2), "--expected-replacements", "-1"]],
    ['--line-endings cannot be "crlf"', [...edit.slice(2), "--line-endings", "crlf"]],
    ["--user-data-dir is empty", [...edit.slice(2), "--user-data-dir="]],
  ])("refuses: %s", async (message, argv) => {
    const files = { latin1: Uint8Array.of(0x63, 0xe9) };
    const error = await settled(["edit", "f", ...argv], files).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).message).toContain(message);
    expect((error as UsageError).hint).not.toBe("");
  });

  it("B10 takes a file to resolve with, and leaves it to the engine if it is empty", async () => {
    const resolve = ["recovery", "resolve", "01234567", "--with", "merged"];
    for (const merged of [bytes("\n"), bytes("")]) {
      await expect(settled(resolve, { merged })).resolves.toMatchObject({
        choice: { content: merged },
      });
    }
  });

  it("needs to be told which version", async () => {
    await expect(settled(["recovery", "show", "0123abcd"])).rejects.toThrow("--version is missing");
    await expect(settled(["recovery", "resolve", "0123abcd", "--keep", "old"])).rejects.toThrow(
      '--keep cannot be "old"',
    );
  });
});
