// Nothing can be given that is not documented and tested: tools, their arguments, options of the
// command line, exit codes.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { tools } from "./answers.ts";
import { options } from "./arguments.ts";
import { help } from "./help.ts";
import { callAliases } from "./tools/aliases.ts";

const folder = path.resolve(import.meta.dirname, "..");
const project = path.resolve(folder, "..", "..");
const read = (...parts: string[]): string => readFileSync(path.join(...parts), "utf8");
const readme = read(folder, "README.md");

/** The text of all tests of the server, those with the built one as well; but not this one. */
const tests: string = [path.join(folder, "src"), path.join(project, "test-e2e", "src")]
  .flatMap((each) => readdirSync(each, { recursive: true }).map((name) => [each, String(name)]))
  .filter(([, name]) => name?.endsWith(".test.ts") && name !== "documented.test.ts")
  .map(([each = "", name = ""]) => read(each, name))
  .join("\n");

interface Property {
  readonly description?: string;
  readonly items?: { readonly properties?: Readonly<Record<string, Property>> };
}

/** The row of README.md about a tool. */
function rowOf(tool: string): string {
  return readme.split("\n").find((line) => line.startsWith(`| \`${tool}\` |`)) ?? "";
}

/** Whether a test gives the argument: as a member, or short for one. */
function isGiven(name: string): boolean {
  return new RegExp(`\\b${name}\\b"?[:,]|[{,] ${name} [,}]`, "u").test(tests);
}

describe("the tools", () => {
  for (const { definition } of tools) {
    const { name, inputSchema, outputSchema, annotations } = definition;

    it(`Q5 ${name} and each argument of it stand in README.md and in a test`, () => {
      expect(tests, name).toContain(`"${name}"`);
      expect(rowOf(name), name).not.toBe("");
      const properties = Object.entries(inputSchema.properties ?? {}) as [string, Property][];
      for (const [argument, { description = "", items }] of properties) {
        expect(rowOf(name), `${name} ${argument}`).toContain(`\`${argument}\``);
        expect(isGiven(argument), `${name} ${argument} is in no test`).toBe(true);
        // One that is clear by its name has no words of its own, but then it names its values.
        const values = "enum" in (inputSchema.properties?.[argument] ?? {});
        expect(description !== "" || values, `${name} ${argument}`).toBe(true);
        for (const inner of Object.keys(items?.properties ?? {})) {
          expect(rowOf(name), `${name} ${argument} ${inner}`).toContain(`\`${inner}\``);
        }
      }
      expect(outputSchema?.properties).toHaveProperty("error");
      expect(Object.keys(annotations ?? {})).toEqual(
        expect.arrayContaining(["readOnlyHint", "destructiveHint", "idempotentHint"]),
      );
    });
  }

  it("Q5 every other name of an argument stands in README.md", () => {
    for (const [name, others] of Object.entries(callAliases)) {
      const row = readme.split("\n").find((line) => line.startsWith(`| \`${name}\` | \``)) ?? "";
      for (const other of others) expect(row, `${name}: ${other}`).toContain(`\`${other}\``);
    }
  });

  it("Q5 would miss an argument that is nowhere", () => {
    expect(rowOf("edit_file")).not.toContain("`expected_md5`");
    expect(isGiven("expected_md5")).toBe(false);
    expect(rowOf("recovery_forget")).toBe("");
  });
});

describe("the command line", () => {
  it("Q5 every option stands in help, README.md and a test", () => {
    for (const option of Object.keys(options)) {
      const flag = new RegExp(`--${option}(?![\\w-])`, "u");
      expect(help).toMatch(flag);
      expect(readme).toMatch(flag);
      expect(tests, `${option} is in no test`).toMatch(flag);
    }
  });

  it("Q5 every exit code stands in help and README.md", () => {
    for (const exit of [0, 1, 2]) {
      expect(help).toMatch(new RegExp(`^  ${exit}  `, "mu"));
      expect(readme).toMatch(new RegExp(`\\bwith\\s+${exit}\\b`, "u"));
    }
  });
});
