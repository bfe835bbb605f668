import { describe, expect, it } from "vitest";
import { parseArguments } from "./arguments.ts";
import type { EditOptionTexts } from "./definition/raw-arguments.ts";

function editOptions(...argv: string[]): EditOptionTexts {
  const parsed = parseArguments(["edit", "f", ...argv]);
  if (parsed.kind !== "run" || parsed.raw.command !== "edit") throw new Error(parsed.kind);
  return parsed.raw.options;
}

function usage(...argv: string[]): string {
  const parsed = parseArguments(argv);
  if (parsed.kind !== "usage") throw new Error(`parsed as ${parsed.kind}`);
  return `${parsed.error.message} | ${parsed.error.hint}`;
}

describe("parseArguments() with edit", () => {
  it.each<[readonly string[], EditOptionTexts]>([
    [["--old-string", "a", "--new-string", "b"], { oldString: "a", newString: "b" }],
    [["--old-string=a", "--new-string="], { oldString: "a", newString: "" }],
    [["--old-string="], { oldString: "" }],
    [["--old-string", ""], { oldString: "" }],
    [["--old-string", "-x"], { oldString: "-x" }],
    [["--old-string=-x"], { oldString: "-x" }],
    [["--old-string", "--new-string"], { oldString: "--new-string" }],
    [["--old-string", "--json"], { oldString: "--json" }],
    [["--old-string", "--"], { oldString: "--" }],
    [["--old-string", "--help"], { oldString: "--help" }],
    [["--old-string=a=b"], { oldString: "a=b" }],
    [["--old-string=\n"], { oldString: "\n" }],
    [["--old-file", "-", "--new-file", "x"], { oldFile: "-", newFile: "x" }],
    [["--replace-all"], { replaceAll: true }],
    [["--expected-replacements", "3"], { expectedReplacements: "3" }],
    [["--expected-sha256", "ab"], { expectedSha256: "ab" }],
    [["--line-endings", "exact"], { lineEndings: "exact" }],
    [["--dry-run"], { dryRun: true }],
    [["--wait", "2s"], { wait: "2s" }],
    [["--max-file-size", "off"], { maxFileSize: "off" }],
    [["--no-follow-symlinks"], { followSymlinks: false }],
  ])("takes %j", (argv, expected) => {
    expect(editOptions(...argv)).toMatchObject(expected);
  });

  it("takes a file that begins with a dash after --", () => {
    const parsed = parseArguments(["edit", "--old-string", "a", "--", "-f"]);
    expect(parsed).toMatchObject({ kind: "run", raw: { file: "-f", options: { oldString: "a" } } });
  });

  it("refuses an option that is given twice, also at two levels", () => {
    expect(usage("edit", "f", "--old-string", "a", "--old-string", "b")).toBe(
      "Option --old-string is given twice | Give it once",
    );
    expect(usage("--app", "a", "edit", "f", "--app", "b")).toContain("Option --app is given twice");
  });

  it("refuses what it does not know", () => {
    expect(usage("edit", "f", "--bogus")).toContain("Unknown option '--bogus'");
    expect(usage("edit", "f", "g")).toContain("Too many arguments");
    expect(usage("edit", "f", "g")).toContain("--old-string and --new-string; if npm");
    expect(usage("edit", "f", "g", "--old-string", "a")).toContain("--new-string. See: fe edit");
    expect(usage("edit", "f", "a", "b")).toMatch(/if npm took these, .*npm start -- edit FILE/u);
    expect(usage("edit", "f", "g", "--old-string", "a")).not.toContain("npm");
    expect(usage("edit", "f", "--new-string")).toBe(
      "Option --new-string has no value | " +
        "An empty text is --new-string= or --new-string ''. See: fe edit --help",
    );
    expect(usage("edit", "f", "--wait")).toBe("Option --wait has no value | See: fe edit --help");
    expect(usage("recovery", "show")).toBe(
      "Missing required argument 'id' | " +
        "fe recovery list shows the ids. See: fe recovery show --help",
    );
    const texts = ["--old-string", "a", "--new-file=b"];
    expect(usage("edit", "f", "g", ...texts)).toContain("| Edit one file at a time. See: ");
    expect(usage("edit", "f", "a", "b", "--diff")).toContain("The texts are given by --old-string");
    expect(usage("recovery", "undo")).toContain("fe recovery list shows the ids. ");
    expect(usage("help", "edti")).toBe("Unknown command 'edti' | See: fe --help");
    expect(usage("edti")).toContain("(Did you mean edit?)");
    expect(usage("list")).toBe(
      "Unknown command 'list' | Did you mean fe recovery list? See: fe --help",
    );
    expect(usage("nothing")).toBe("Unknown command 'nothing' | See: fe --help");
    expect(usage("edit", "f", "--old=a")).toBe(
      "Unknown option '--old=a' | " +
        "Did you mean --old-string or --old-file? See: fe edit --help",
    );
    expect(usage("edit", "f", "-n", "a")).toContain("Did you mean --new-string or --new-file or ");
    expect(usage("-v")).toBe("Unknown option '-v' | Did you mean --version? See: fe --help");
    expect(usage("edit", "f", "-x")).toBe("Unknown option '-x' | See: fe edit --help");
    expect(usage()).toContain("No command is named | Name one: edit, recovery");
    expect(usage("recovery")).toContain("Name one: list, show, diff, merge, resolve or undo");
    expect(usage("recovery", "bogus")).toContain("Unknown command 'bogus'");
  });
});

describe("parseArguments() with recovery", () => {
  it("takes each command", () => {
    expect(parseArguments(["recovery", "list"])).toMatchObject({
      raw: { command: "recovery list" },
    });
    expect(parseArguments(["recovery", "show", "0123abcd", "--version", "after"])).toMatchObject({
      raw: { command: "recovery show", id: "0123abcd", version: "after" },
    });
    expect(parseArguments(["recovery", "diff", "0123abcd", "--to", "after"])).toMatchObject({
      raw: { command: "recovery diff", id: "0123abcd", to: "after" },
    });
    expect(parseArguments(["recovery", "undo", "0123abcd"])).toMatchObject({
      raw: { command: "recovery undo", id: "0123abcd" },
    });
    const resolve = ["recovery", "resolve", "0123abcd", "--keep", "current", "--expect-sha256=ff"];
    expect(parseArguments(resolve)).toMatchObject({
      raw: { command: "recovery resolve", id: "0123abcd", keep: "current", expectSha256: "ff" },
    });
  });
});

describe("parseArguments() with common options", () => {
  const common = (...argv: string[]): unknown => {
    const parsed = parseArguments(argv);
    return parsed.kind === "run" ? parsed.raw.common : parsed;
  };

  it("takes them before and after the command", () => {
    const expected = {
      json: true,
      quiet: true,
      color: false,
      userDataDir: "d",
      app: "a",
      profile: "p",
      roots: ["r", "s"],
    };
    const before = "--json --quiet --no-color --user-data-dir d --app a --profile p";
    const roots = "--root r --root s";
    expect(common(...`${before} ${roots} edit f`.split(" "))).toEqual(expected);
    expect(common(...`edit f ${before} ${roots}`.split(" "))).toEqual(expected);
    expect(common(...`--root r recovery ${before} list --root s`.split(" "))).toEqual(expected);
  });

  it("has defaults", () => {
    expect(common("recovery", "list")).toEqual({
      json: false,
      quiet: false,
      color: true,
      roots: [],
    });
  });

  it("knows of a malformed line whether JSON is asked for", () => {
    const json = (...argv: string[]): boolean => parseArguments(argv).json;
    expect(json("edit", "--bogus", "--json")).toBe(true);
    expect(json("--json")).toBe(true);
    expect(json("edit", "f", "g", "--json")).toBe(true);
    expect(json("edit", "f", "--old-string", "--json", "--bogus")).toBe(false);
    expect(json("edit", "f", "g", "--", "--json")).toBe(false);
  });

  it("answers help and version at every level", () => {
    expect(parseArguments(["--version"]).kind).toBe("version");
    expect(parseArguments(["edit", "--version"]).kind).toBe("version");
    expect(parseArguments(["recovery", "list", "--version"]).kind).toBe("version");
    for (const argv of [["--help"], ["edit", "--help"], ["recovery", "-h"], ["help", "edit"]]) {
      expect(parseArguments(argv)).toMatchObject({
        kind: "help",
        text: expect.stringContaining("Usage: fe"),
      });
    }
  });

  it("says in the help that files give exact bytes", () => {
    const parsed = parseArguments(["edit", "--help"]);
    expect(parsed).toMatchObject({ text: expect.stringContaining("with the last\nline break") });
  });
});

describe("parseArguments() for a narrow terminal", () => {
  const help = (argv: readonly string[], columns?: number): string => {
    const parsed = parseArguments(argv, columns);
    return parsed.kind === "help" ? parsed.text : "";
  };
  const widest = (text: string): number =>
    Math.max(
      ...text
        .split("\n")
        .map((line) => (/^ {2}(?:fe|echo) |^ {4}\{/u.test(line) ? 0 : line.length)),
    );

  it("fills the help anew, but for examples, and says the same", () => {
    const usual = help(["edit", "--help"]);
    const narrow = help(["edit", "--help"], 60);
    expect(widest(usual)).toBeGreaterThan(60);
    expect(widest(narrow)).toBeLessThanOrEqual(60);
    expect(narrow.split(/\s+/u)).toEqual(usual.split(/\s+/u));
    expect(narrow).toContain("  fe edit notes.md --old-string draft --new-string final\n");
  });

  it("is as wide as 80 columns at most, and as 40 at least", () => {
    expect(help(["edit", "--help"], 200)).toBe(help(["edit", "--help"]));
    expect(help(["--help"], 1)).toContain("  edit ");
  });
});
