// The threats of SECURITY.md: each names a test, by file and title, and that test is there.

const heading = "## Threats, and the test of each";

/**
 * @param {string} page SECURITY.md
 * @returns {{ threat: string, tests: string[] }[]} each test as `file`: title
 */
export function readThreats(page) {
  const start = page.indexOf(`\n${heading}\n`);
  if (start === -1) return [];
  const section = page.slice(start + 1 + heading.length).split("\n## ")[0] ?? "";
  return section
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (?:---|From )/u.test(line))
    .map((line) => {
      const cells = line.slice(2, -2).split(" | ");
      return { threat: cells.slice(0, 2).join(": "), tests: (cells.at(-1) ?? "").split("<br>") };
    });
}

/**
 * @param {string} page
 * @param {ReadonlySet<string>} titles every test as `file`: title, as pages show it
 * @returns {string[]} what is wrong
 */
export function checkThreats(page, titles) {
  const threats = readThreats(page);
  if (threats.length === 0) return [`SECURITY.md: there is no table below "${heading}"`];
  return threats.flatMap(({ threat, tests }) =>
    tests
      .filter((test) => !titles.has(test))
      .map((test) => `SECURITY.md: ${threat}: there is no test ${test}`),
  );
}
