import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PathRefusedError } from "../os-error.ts";
import { checkWindowsPath, type RefusalKind, refusalOf } from "./path-refusal.ts";

const refusedPaths: readonly [RefusalKind, readonly string[]][] = [
  [
    "stream",
    [
      ...["a.txt:s", "a.txt::$DATA", "a.txt:s:$DATA", "C:\\dir\\a.txt:s", "C:/dir/a.txt:s"],
      ...["dir:s\\a.txt", "dir::$INDEX_ALLOCATION\\a.txt", "C:\\a:b\\c", "ab:c", "1:\\a", ":s"],
      ...["\\\\?\\C:\\a.txt:s", ".\\a.txt:s", "..:s"],
    ],
  ],
  [
    "device",
    [
      ...["con", "CON", "Con", "prn", "aux", "nul", "NUL", "conin$", "CONOUT$"],
      ...["com1", "COM9", "com0", "lpt1", "LPT9", "com\u00b9", "LPT\u00b2", "com\u00b3"],
      ...["nul.txt", "NUL.tar.gz", "con.", "con .txt", "con  ", "nul:", "nul:s", "com1:"],
      ...["C:\\nul", "C:\\dir\\con.log", "dir/aux/a.txt", "..\\con", "\\\\?\\C:\\nul", "C:/lpt1.x"],
    ],
  ],
  [
    "namespace",
    [
      ...["\\\\.\\C:\\a.txt", "\\\\.\\pipe\\x", "\\\\.\\PhysicalDrive0", "//./C:/a", "\\/.\\x"],
      ...["\\\\?\\GLOBALROOT\\Device\\HarddiskVolume1\\a", "\\\\?\\Volume{1}\\a", "\\\\?\\a"],
      ...[
        "\\\\?\\",
        "\\\\?\\C:",
        "\\\\?\\C:a",
        "\\\\?\\C:/a",
        "//?/C:/a",
        "\\\\?/C:\\a",
        "\\/?\\a",
      ],
      ...["\\\\?\\pipe\\x", "\\\\?", "\\\\."],
    ],
  ],
  [
    "share",
    ["\\\\host\\share\\a", "//host/share/a", "\\/host/x", "/\\host\\x", "\\\\?\\UNC\\h\\s\\a"],
  ],
  ["drive-relative", ["C:a.txt", "C:", "c:..\\a", "Z:a\\b", "C:nul"]],
  ["root-relative", ["\\a.txt", "/a.txt", "\\", "/", "\\??\\C:\\a.txt"]],
  [
    "ending",
    [
      ...["a.txt.", "a.txt ", "a.txt. .", "dir.\\a.txt", "dir \\a", "C:\\a.", "...", "C:/a /b"],
      ...["\\\\?\\C:\\a.", "a\\.. \\b", ". \\a"],
    ],
  ],
  [
    "character",
    [
      ...['a"b', "a<b", "a>b", "a|b", "a?b", "a*", "C:\\*.txt", "a\u0001b", "a\u0000b", "a\nb"],
      ...["a\ud800b", "caf\udce9", "\\\\?\\C:\\a\\..\\b", "\\\\?\\C:\\.\\a", "\\\\?\\C:\\a/b"],
    ],
  ],
];

const allowedPaths = [
  ...["a.txt", ".", "..", "..\\a.txt", "./a.txt", "dir/a.txt", "dir\\sub/a.txt", "dir\\\\a.txt"],
  ...["C:\\", "C:/", "C:\\a.txt", "c:/dir\\a.txt", "C:\\dir\\..\\a.txt", "C:\\dir\\"],
  ...["\\\\?\\C:\\a.txt", "\\\\?\\c:\\dir\\a.txt", "\\\\?\\C:\\"],
  ...[
    ".gitignore",
    "..a",
    " a",
    "a.b.c",
    "PROGRA~1\\a",
    "~$a.docx",
    "$MFTx",
    "caf\u00e9",
    "\u{1f600}",
  ],
  ...["cone", "icon", "con1", "com", "com10", "lpt", "nul_", "console.log", "a.con", "a.nul.txt"],
  ...["conin", "com\u00b4", "aux-1", "C:\\users\\a b\\c.txt", ""],
];

describe("refusalOf()", () => {
  const cases = refusedPaths.flatMap(([kind, paths]) => paths.map((path) => [kind, path] as const));

  test.each(cases)("Q5 refuses as %s: %j", (kind, path) => {
    expect(refusalOf(path)?.kind).toBe(kind);
  });

  test.each(allowedPaths)("lets the system be asked for %j", (path) => {
    expect(refusalOf(path)).toBeUndefined();
  });

  test("says what and what to do in half sentences, without control characters", () => {
    for (const [, path] of cases) {
      const { reason, hint } = refusalOf(path) ?? { reason: "", hint: "" };
      expect(reason).toMatch(/^[ -~\u00a1-\u{1ffff}]{10,}[^.]$/u);
      expect(hint).toMatch(/^[A-Z].*[^.]$/u);
    }
  });

  test("refuses a bad name wherever it stands, and before whatever", () => {
    const good = fc.constantFrom("a", "dir.x", "..", "C1", "~1", "");
    const bad = fc.constantFrom("nul", "COM1.txt", "a:b", "a.", "a ", "a*", "lpt9 .x");
    const separator = fc.constantFrom("\\", "/");
    fc.assert(
      fc.property(
        fc.array(good, { maxLength: 4 }),
        bad,
        fc.array(good, { maxLength: 4 }),
        separator,
        (before, name, after, slash) => {
          const names = [...before, name, ...after].join(slash);
          expect(refusalOf(`C:${slash}${names}`)).toBeDefined();
          expect(refusalOf(`.${slash}${names}`)).toBeDefined();
        },
      ),
    );
  });

  test("throws for no text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void refusalOf(text)));
  });
});

test("Q5 checkWindowsPath() is the error of the port", () => {
  expect(() => checkWindowsPath("resolveRealPath", "a.txt")).not.toThrow();
  try {
    checkWindowsPath("resolveRealPath", "NUL");
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(PathRefusedError);
    expect(error).toMatchObject({ code: "EINVAL", path: "NUL", nativeCode: undefined });
    expect(String(error)).toContain('"NUL" stands for a device');
  }
});
