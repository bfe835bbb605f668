import { expect, it } from "vitest";
import { readRequirements, render, testsById } from "./traceability.mjs";

const requirements = ["## S. The edit", "", "| id | line |", "| S1 | One |", "| S2 | Two |"];
const groups = readRequirements(requirements.join("\n"));
const tests = testsById(
  new Map([
    ["b.test.ts", `it(\`S1 S2 for \${x} of two\`); it.each([1])('S2: once', f);`],
    ["a.test.ts", "describe.skipIf(no)('S1 group', f); it('not S2', f); expect('S2 no')"],
    ["a.ts", "it('S2 not a test', f)"],
  ]),
);

it("lists the tests whose titles begin with an id, by file", () => {
  expect(render(groups, tests, {})).toContain(
    [
      "**S1** One",
      "",
      "- `a.test.ts`: S1 group",
      "- `b.test.ts`: S1 S2 for … of two",
      "",
      "**S2** Two",
      "",
      "- `b.test.ts`: S1 S2 for … of two",
      "- `b.test.ts`: S2: once",
    ].join("\n"),
  );
});

it("says what is not proven, and why", () => {
  const page = render(groups, new Map(), { S1: "needs a Mac" });
  expect(page).toContain("**S1** One\n\n- not proven here: needs a Mac\n");
  expect(page).toContain("**S2** Two\n\n- not proven here: no test names it yet\n");
  expect(render(groups, tests, { S2: "macOS" })).toContain(
    "- not proven here, beyond these: macOS",
  );
});
