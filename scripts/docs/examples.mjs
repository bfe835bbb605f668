// Runs the examples of a Markdown page that are marked ```console and compares what they print.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** @typedef {{ command: string, output: string }} Example */

/**
 * A line that begins with `$ ` is a command; what follows, up to the next one, is what it prints.
 *
 * @param {string} page
 * @returns {Example[]}
 */
export function examplesOf(page) {
  /** @type {Example[]} */
  const examples = [];
  for (const [, block = ""] of page.matchAll(/^```console\n([\s\S]*?)^```$/gmu)) {
    for (const line of block.split("\n").slice(0, -1)) {
      const last = examples.at(-1);
      if (line.startsWith("$ ")) examples.push({ command: line.slice(2), output: "" });
      else if (last) last.output += `${line}\n`;
    }
  }
  return examples;
}

/**
 * @param {string} expected in which `…` stands for any text
 * @param {string} actual
 */
export function isSameOutput(expected, actual) {
  const pattern = expected
    .trimEnd()
    .split("…")
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/gu, "\\$&"))
    .join("[\\s\\S]*");
  return new RegExp(`^${pattern}$`, "u").test(actual.trimEnd());
}

/**
 * Runs a page's examples one after the other in an empty folder, with `fe` on PATH and a home of
 * their own.
 *
 * @param {string} name
 * @param {string} page
 * @param {string} command the file that `fe` stands for
 * @returns {string[]} what is wrong
 */
export function checkExamples(name, page, command) {
  const examples = examplesOf(page);
  if (examples.length === 0) return [];
  const folder = mkdtempSync(path.join(tmpdir(), "fe-examples-"));
  try {
    const [bin, home, work] = ["bin", "home", "work"].map((part) => {
      mkdirSync(path.join(folder, part));
      return path.join(folder, part);
    });
    symlinkSync(command, path.join(String(bin), "fe"));
    const env = { PATH: `${bin}:${process.env.PATH}`, HOME: home, LC_ALL: "C.UTF-8" };
    return examples.flatMap(({ command: line, output }) => {
      // Both streams in the order in which a terminal shows them.
      const script = ["-c", `exec 2>&1\n${line}`];
      const result = spawnSync("sh", script, { cwd: work, env, encoding: "utf8", timeout: 20_000 });
      if (isSameOutput(output, result.stdout)) return [];
      return [`${name}: \`${line}\` prints\n${result.stdout}instead of\n${output}`];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
