// Method: an edit is killed in mid-mutation; then a person types, in a shell, only what messages
// name. The sessions are those of docs/recovery.md and README.md, replayed word for word: what
// differs between two runs (ids, hashes, times, process, place) is compared by its form.
import { spawnSync } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { needs } from "../../native/test/abilities.ts";
import { CommandFolder } from "./harness/command.ts";
import { killedEdit } from "./harness/stopped-edit.ts";

const require = createRequire(import.meta.url);
const command = path.join(path.dirname(require.resolve("@fe/cli/package.json")), "bin", "fe.js");
const root = path.resolve(import.meta.dirname, "..", "..");

let folder: CommandFolder;

beforeEach(async (context) => {
  needs(context, "shell");
  folder = await CommandFolder.create();
  await mkdir(path.join(folder.dataPath, "bin"));
  const shim = path.join(folder.dataPath, "bin", "fe");
  await writeFile(shim, `#!/bin/sh\nexec "${process.execPath}" "${command}" "$@"\n`);
  await chmod(shim, 0o755);
});

afterEach(async () => {
  await folder?.[Symbol.asyncDispose]();
});

/** What a terminal shows: both streams, in order. */
function type(line: string): string {
  const ran = spawnSync("sh", ["-c", `{ ${line}\n} 2>&1`], {
    cwd: folder.path,
    env: {
      PATH: `${path.join(folder.dataPath, "bin")}:${process.env.PATH}`,
      HOME: folder.path,
      FE_USER_DATA_DIR: folder.dataPath,
    },
  });
  return ran.stdout.toString();
}

const anEdit = "fe edit notes.md --old-string a --new-string b";

/** What differs between two runs, by its form. */
function formOf(text: string): string {
  return text
    .replaceAll(folder.path, "/home/ada/project")
    .replaceAll(folder.dataPath, "/home/ada/.config/fe")
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/gu, "TIME")
    .replace(/\b[0-9a-f]{64}\b/gu, "HASH")
    .replace(/(HASH)\.[-\w.]+\.(bytes|fer)/gu, "$1.SAVED.$2")
    .replace(/\b[0-9a-f]{12}\b/gu, "ID")
    .replace(/\bpid \d+/gu, "pid N")
    .replace(/^( {2}owner +pid N, gone: ).*$/gmu, "$1WHY")
    .replace(/(a person must decide); [^\n;]*$/gmu, "$1; WHY")
    .replace(/^( {2}identity ).*$/gmu, "$1IDENTITY");
}

/** The commands of the page's session, each with what it printed. */
async function session(page: string): Promise<{ line: string; output: string }[]> {
  const text = await readFile(path.join(root, page), "utf8");
  const block = /<!-- replayed by test-e2e -->\n+```text\n(.*?)```/su.exec(text)?.[1] ?? "";
  return block
    .split(/^\$ /mu)
    .slice(1)
    .map((part) => {
      const [line = "", ...rest] = part.split("\n");
      return { line, output: rest.join("\n") };
    });
}

describe.each(["docs/recovery.md", "README.md"])("the session of %s", (page) => {
  it("S18 B10 leads from a killed edit to a whole file by what messages name", async () => {
    await folder.write("notes.md", "Title: draft\nBody\n");
    await killedEdit({
      path: folder.file("notes.md"),
      userData: folder.dataPath,
      edit: { oldString: "draft\nBody", newString: "final version\nBody text" },
      at: "target.overwrite",
      partBytes: 6,
    });
    const steps = await session(page);
    expect(steps.length).toBeGreaterThan(6);
    const [, id] = /record ([0-9a-f]{12}) of/u.exec(type(anEdit)) ?? [];
    expect(id).toBeDefined();
    let told = "";
    const wrong: string[] = [];
    let transcript = "";
    for (const { line, output } of steps) {
      const typed = line.replace(/\b[0-9a-f]{12}\b/gu, id ?? "");
      if (typed.startsWith("fe recovery")) expect(told).toContain(typed);
      const shown = type(typed);
      told += shown;
      transcript += `$ ${typed}\n${shown}`;
      if (formOf(shown) !== formOf(output)) wrong.push(typed);
    }
    const printed = transcript
      .replaceAll(folder.path, "/home/ada/project")
      .replaceAll(folder.dataPath, "/home/ada/.config/fe");
    expect(wrong, `${page} should have:\n${printed}`).toEqual([]);
  });
});

describe("a record of which the mode was changed", () => {
  it("S18 is made usable by the command shown, unless others could write it", async () => {
    await folder.write("notes.md", "Title: draft\nBody\n");
    await killedEdit({
      path: folder.file("notes.md"),
      userData: folder.dataPath,
      edit: { oldString: "draft", newString: "final" },
      at: "target.overwrite",
      partBytes: 2,
    });
    const [, record = ""] = /^ {2}record {2}(.*)$/mu.exec(type(anEdit)) ?? [];
    await chmod(record, 0o666);
    expect(type(anEdit)).toMatch(/^error FE_RECORD_UNSAFE: .*can be written by others/u);
    expect(type(anEdit)).not.toContain("chmod");
    await chmod(record, 0o644);
    const told = type(anEdit);
    expect(told).toMatch(/^error FE_RECORD_UNSAFE: .*can be read by others/u);
    const [, mend = "false"] = /^ +(chmod 600 .*)$/mu.exec(told) ?? [];
    expect(type(mend)).toBe("");
    expect(type(anEdit)).toMatch(/^error FE_RECOVERY_REQUIRED: /u);
  });
});

describe("fe recovery merge", () => {
  it("B10 proposes what the edit and somebody else made of a file, to be given back", async () => {
    await folder.write("notes.md", "Title: draft\nBody\nEnd\n");
    await killedEdit({
      path: folder.file("notes.md"),
      userData: folder.dataPath,
      edit: { oldString: "draft", newString: "final" },
      at: "target.overwrite",
      partBytes: 2,
    });
    await writeFile(folder.file("notes.md"), "Title: draft\nBody\nEnd, by somebody else\n");
    const [, id] = /record ([0-9a-f]{12}) of/u.exec(type(anEdit)) ?? [];
    expect(type(`: > empty; fe recovery resolve ${id} --with empty`)).toMatch(
      /^error FE_INVALID_REQUEST: .*what is given is empty.*\nhint: .*--keep current/u,
    );
    expect(type(`fe recovery merge ${id} > merged`)).toBe("");
    expect(type(`fe recovery resolve ${id} --with merged`)).toContain("now holds what was given");
    const text = await readFile(folder.file("notes.md"), "utf8");
    expect(text).toBe("Title: final\nBody\nEnd, by somebody else\n");
    const list = type("fe recovery list");
    expect(list).toMatch(
      /^No recovery records in .*edit-recovery\n\nResolved; each can be taken back while/u,
    );
    const [, undo = ""] = /^ {2}or +(fe recovery undo .* --keep before.*)$/mu.exec(list) ?? [];
    expect(type(undo)).toContain("now holds the version before the edit");
    expect(await readFile(folder.file("notes.md"), "utf8")).toBe("Title: draft\nBody\nEnd\n");
  });
});
