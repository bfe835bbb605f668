// The workflows, as GitHub's own parser reads them: keys, types, needs, expressions. It does not
// know which runners there are, nor whether a command works; nothing here has run a workflow.
import { readdirSync, readFileSync } from "node:fs";
import { register } from "node:module";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { targets } from "./prebuilt/targets.mjs";

// The parser imports JSON in a form that Node does not take without a word more.
const hooks = `export const load = (url, context, next) =>
  next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await import(
  "@actions/workflow-parser"
);

const root = path.resolve(import.meta.dirname, "..");
const folder = path.join(root, ".github", "workflows");
const read = (name: string): string => readFileSync(path.join(folder, name), "utf8");

async function problemsOf(name: string, content: string): Promise<string[]> {
  const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
  if (value !== undefined) await convertWorkflowTemplate(context, value);
  return context.errors.getErrors().map(({ message }) => message);
}

const names = readdirSync(folder);

describe("the workflows", () => {
  test.each(names)("%s has no fault that GitHub's parser finds", async (name) => {
    expect(await problemsOf(name, read(name))).toEqual([]);
  });

  test.each([
    ["an unknown key", (text: string) => text.replace("timeout-minutes", "timeout-minute")],
    ["an unknown name", (text: string) => text.replaceAll("github.ref", "github_ref")],
    ["a wrong type", (text: string) => text.replace("fail-fast: false", "fail-fast: []")],
    [
      "a job that waits for none",
      (text: string) => text.replace("runs-on", "needs: x\n    runs-on"),
    ],
  ])("the parser finds %s", async (_, spoil) => {
    const text = read("check.yml");
    expect(spoil(text)).not.toBe(text);
    expect(await problemsOf("check.yml", spoil(text))).not.toEqual([]);
  });

  test("Q2 `npm test` is run on every system with every line of Node", () => {
    const text = read("check.yml");
    expect(text).toContain("os: [ubuntu-24.04, macos-15, windows-2025]");
    expect(text).toContain('node: ["20.19", "22", "24"]');
    expect(text).toContain("run: npm test");
  });

  test("B13 the release makes the files of macOS on a Mac, and all others by name", () => {
    const text = read("release.yml");
    const lines = text.split("\n").filter((line) => line.includes("linux-x64-glibc"));
    const named = lines.join(" ").trim().split(" ");
    expect(named).toEqual(targets.filter(({ system }) => system !== "mac").map(({ name }) => name));
    expect(text).toMatch(/os: \[macos-15, macos-15-intel\]/u);
  });

  test("B13 the release waits for a test of its files on every system", () => {
    const text = read("release.yml");
    const needs = /^ {2}release:\n {4}needs: \[(?<jobs>.+)\]$/mu.exec(text)?.groups?.jobs;
    const [, jobs = ""] = text.split(/^jobs:$/mu);
    const all = [...jobs.matchAll(/^ {2}([\w-]+):$/gmu)].map(([, name = ""]) => name);
    expect(needs?.split(", ").sort()).toEqual(all.filter((name) => name !== "release").sort());
    for (const system of ["macos-15", "windows-2025", "ubuntu-24.04-arm", "alpine-edit.sh"]) {
      expect(text).toContain(system);
    }
  });

  test("only the job that publishes may write, and it alone gets the token", () => {
    for (const name of names) {
      const [beforeRelease = "", release = ""] = read(name).split(/^ {2}release:$/mu);
      expect(beforeRelease).not.toMatch(/: write$/mu);
      expect(beforeRelease).not.toContain("secrets.");
      if (release !== "") expect(release).toContain("id-token: write");
    }
  });
});
