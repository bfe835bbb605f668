import { describe, expect, it } from "vitest";
import { checkErrors, codesOf } from "./check-errors.mjs";
import { checkCitations } from "./docs/citations.mjs";
import { checkExamples, isSameOutput } from "./docs/examples.mjs";
import { checkLinks } from "./docs/links.mjs";
import { pagesNamed, withoutDeadLinks } from "./docs/package-pages.mjs";
import { checkThreats } from "./docs/threats.mjs";

describe("checkLinks()", () => {
  const check = (page: string): string[] =>
    checkLinks(
      new Map([
        ["docs/a.md", page],
        ["docs/b.md", "# The `b` page\n"],
      ]),
      (name) => ["docs/a.md", "docs/b.md", "README.md"].includes(name),
    );

  it("accepts files, headings, addresses and code that looks like a link", () => {
    const page =
      "[b](b.md#the-b-page) [r](../README.md) [w](https://x.y) `[a](c.md)`\n# X\n[x](#x)";
    expect(check(page)).toEqual([]);
  });

  it("reports a file or a heading that is not there", () => {
    expect(check("[c](c.md)")).toEqual(["docs/a.md: c.md leads nowhere"]);
    expect(check("[b](b.md#c)")).toEqual(["docs/a.md: b.md#c names a heading that is not there"]);
  });
});

describe("pagesNamed()", () => {
  it("tells the pages for users of a package that a text names", () => {
    expect(pagesNamed("see ../../docs/errors.md#io and docs/style.md")).toEqual(["errors.md"]);
  });
});

describe("withoutDeadLinks()", () => {
  it("keeps links within the page, to pages beside it and to addresses", () => {
    const page = "[here](#x) [there](b.md#y) [out](https://x.y)";
    expect(withoutDeadLinks(page, ["b.md"])).toBe(page);
  });

  it("leaves the text of a link to what is not packed", () => {
    const page = "([a.ts](../native/a.ts)), [two\nlines](c.md#z)";
    expect(withoutDeadLinks(page, ["b.md"])).toBe("(a.ts), two\nlines");
  });
});

describe("checkCitations()", () => {
  it("reports a number that no code cites", () => {
    const page = "## 6 invariants\n- **I1** one\n| I2 | two |\n\n**A1** three, see I7\n";
    const code = new Map([["a.ts", "// I1 holds here."]]);
    expect(checkCitations(page, code)).toEqual([
      "docs/protocol.md: no code cites I2",
      "docs/protocol.md: no code cites A1",
    ]);
  });
});

describe("checkThreats()", () => {
  const page = [
    ...[
      "# Security",
      "",
      "## Threats, and the test of each",
      "",
      "| From | Test |",
      "| --- | --- |",
    ],
    "| somebody | reads it | it is private | `a.test.ts`: is private<br>`b.test.ts`: stays so |",
    ...["", "## Other", "", "| x | y | z | no test |"],
  ].join("\n");

  it("accepts threats whose tests are there", () => {
    expect(
      checkThreats(page, new Set(["`a.test.ts`: is private", "`b.test.ts`: stays so"])),
    ).toEqual([]);
  });

  it("reports a test that was renamed, and a table that is gone", () => {
    expect(
      checkThreats(page, new Set(["`a.test.ts`: is private", "`c.test.ts`: stays so"])),
    ).toEqual(["SECURITY.md: somebody: reads it: there is no test `b.test.ts`: stays so"]);
    expect(checkThreats("# Security\n", new Set())).toHaveLength(1);
  });
});

describe("checkErrors()", () => {
  it("reports codes without section or test, and sections without code", () => {
    const codes = codesOf(`// FE_COMMENT\nconst codes = { FE_BUSY: 1 }; type T = "FE_IO";`);
    expect(checkErrors(codes, "## FE_BUSY\n## `FE_OLD`\n", `"FE_IO"`)).toEqual([
      "FE_IO has no section",
      "FE_BUSY is in no test",
      "FE_OLD has a section, but there is no such code",
    ]);
  });
});

describe.skipIf(process.platform === "win32")("checkExamples() (needs sh)", () => {
  it("runs the commands of a page in one folder and compares what they print", () => {
    const page = "```console\n$ echo one > f\n$ cat f; fe\none\n```\n```sh\n$ false\n```\n";
    expect(checkExamples("a.md", page, "/bin/true")).toEqual([]);
    expect(checkExamples("a.md", page.replace("\none\n", "\ntwo\n"), "/bin/true")).toEqual([
      "a.md: `cat f; fe` prints\none\ninstead of\ntwo\n",
    ]);
  });

  it("lets … stand for any text", () => {
    expect(isSameOutput("a … (b)\n", "a 1\n2 (b)\n")).toBe(true);
    expect(isSameOutput("a … (b)\n", "a 1 b\n")).toBe(false);
  });
});
