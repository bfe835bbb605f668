import path from "node:path";
import { describe, expect, it } from "vitest";
import { parseArguments } from "./arguments.ts";
import { help } from "./help.ts";

function settings(...argv: string[]) {
  const parsed = parseArguments(argv, "/home/someone");
  if (parsed.kind !== "serve") throw new Error(`It is ${JSON.stringify(parsed)}`);
  return parsed.settings;
}

describe("parseArguments()", () => {
  it("takes every option", () => {
    const userDataDirectory = path.resolve("/home/someone/data");
    expect(
      settings(
        ...["--root", "/a", "--root=b", "--allow-resolve", "--user-data-dir", "data"],
        ...["--app", "editor", "--profile", "work", "--max-file-size", "16MiB"],
        "--no-follow-symlinks",
      ),
    ).toEqual({
      roots: ["/a", "b"],
      allowResolve: true,
      engine: {
        userDataDirectory,
        appName: "editor",
        profile: "work",
        maxFileBytes: 16 * 1024 * 1024,
        followSymlinks: false,
      },
      storeOptions: [
        ...["--user-data-dir", userDataDirectory],
        ...["--app", "editor", "--profile", "work"],
      ],
    });
  });

  it("leaves the engine its defaults", () => {
    expect(settings("--root", "/a")).toEqual({
      roots: ["/a"],
      allowResolve: false,
      engine: {},
      storeOptions: [],
    });
  });

  it.each([
    [[], "No --root is given, so there is nothing that this server may touch"],
    [["--allow-resolve"], "No --root is given, so there is nothing that this server may touch"],
    [["--root"], "Option '--root <value>' argument missing"],
    [["--root="], "Option --root is empty"],
    [["--root", "/a", "--profile="], "Option --profile is empty"],
    [["--rooot", "/a"], "Unknown option '--rooot'"],
    [["/a"], "Unexpected argument '/a'"],
    [["--root", "/a", "--max-file-size", "1MB"], 'Option --max-file-size is not a size: "1MB"'],
    [["--root", "/a", "--max-file-size", "1\nx"], 'Option --max-file-size is not a size: "1\\nx"'],
    [["--root", "/a", "--allow-resolve=yes"], "Option '--allow-resolve' does not take an argument"],
  ])("refuses %j", (argv, message) => {
    expect(parseArguments(argv, "/")).toMatchObject({ kind: "usage", message });
  });

  it.each([
    ["0", 0],
    ["64KiB", 65_536],
    ["1GiB", 1024 ** 3],
    ["off", Number.POSITIVE_INFINITY],
  ])("takes the size %s", (text, bytes) => {
    expect(settings("--root", "/a", "--max-file-size", text).engine.maxFileBytes).toBe(bytes);
  });

  it("answers help and version before it looks at the rest", () => {
    expect(parseArguments(["--help"], "/").kind).toBe("help");
    expect(parseArguments(["-V"], "/").kind).toBe("version");
  });

  it("is described by the help, option by option", () => {
    for (const option of [
      ...["root", "allow-resolve", "user-data-dir", "app", "profile", "max-file-size"],
      ...["no-follow-symlinks", "help", "version"],
    ]) {
      expect(help).toContain(`--${option}`);
    }
  });
});
