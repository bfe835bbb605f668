/**
 * The whole protocol on Windows, with real processes: an edit, several at once, and one that is
 * killed before it writes and before it syncs.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

// Bundled by scripts/windows-test.mjs.
const editor = fileURLToPath(new URL("./harness/windows-editor.mjs", import.meta.url));

let folder = "";
beforeEach(() => {
  folder = fs.realpathSync.native(fs.mkdtempSync(path.join(tmpdir(), "fe-edit-")));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const file = (): string => path.join(folder, "a.txt");
const content = (): string => fs.readFileSync(file(), "utf8");
/** What is left in the store beside the directory of saved bytes. */
const records = (): string[] =>
  fs.readdirSync(path.join(folder, "data", "edit-recovery")).filter((name) => name !== "saved");

/** What the editor said. */
async function edit(...parameters: string[]): Promise<string> {
  const stdio = ["ignore", "pipe", "ignore"] as const;
  const child = spawn(process.execPath, [editor, folder, ...parameters], { stdio: [...stdio] });
  let said = "";
  child.stdout.on("data", (data: Buffer) => {
    said += data.toString();
  });
  await once(child, "close");
  return said.trim();
}

test("S34 B2 an edit keeps writers out, keeps the file, and leaves no record", async () => {
  fs.writeFileSync(file(), "size = 1\n");
  const before = fs.statSync(file(), { bigint: true }).ino;
  expect(await edit("1", "2")).toBe("applied kernel");
  expect(content()).toBe("size = 2\n");
  expect(fs.statSync(file(), { bigint: true }).ino).toBe(before);
  expect(records()).toEqual([]);
});

test("S34 S9 of processes that edit at once each applies all of its, or is busy", async () => {
  const lines = Array.from({ length: 6 }, (_, i) => `line ${i}.`);
  fs.writeFileSync(file(), lines.join("\n"));
  const answers = await Promise.all(lines.map((line, i) => edit(line, `LINE ${i}!`)));
  const wanted = lines.map((line, i) => (answers[i] === "FE_BUSY" ? line : `LINE ${i}!`));
  expect(content()).toBe(wanted.join("\n"));
  for (const answer of answers) expect(answer).toMatch(/^(?:applied \w+|FE_BUSY)$/);
  expect(answers.filter((answer) => answer.startsWith("applied")).length).toBeGreaterThan(0);
  expect(records()).toEqual([]);
});

test.each([
  ["target.overwrite", "one\ntwo\n", "one\nTWO\n"],
  ["target.sync", "ONE\ntwo\n", "ONE\nTWO\n"],
])(
  "S34 S16 after a kill before %s the next edit discards the record",
  async (call, killed, next) => {
    fs.writeFileSync(file(), "one\ntwo\n");
    expect(await edit("one", "ONE", call)).toBe("");
    expect(content()).toBe(killed);
    expect(records().map(path.extname).sort()).toEqual([".fer", ".lock"]);
    expect(await edit("two", "TWO")).toMatch(/^applied/);
    expect(content()).toBe(next);
    expect(records()).toEqual([]);
  },
);
