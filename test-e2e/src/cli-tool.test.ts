/**
 * `fe recovery diff --tool` with the built command: the program is a script that says what it was
 * given, and does to it what a person could do with an editor.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { needs } from "../../native/test/abilities.ts";
import { CommandFolder } from "./harness/command.ts";
import { killedEdit } from "./harness/stopped-edit.ts";

const require = createRequire(import.meta.url);
const command = path.join(path.dirname(require.resolve("@fe/cli/package.json")), "bin", "fe.js");

let folder: CommandFolder;
/** Where copies are made. */
let copies: string;
let id: string;
let environment: { TMPDIR: string };

beforeEach(async (context) => {
  needs(context, "shell");
  folder = await CommandFolder.create();
  copies = folder.file("tmp");
  await mkdir(copies);
  environment = { TMPDIR: copies };
  const file = await folder.write("no tes.md", "Title: draft\nBody\n");
  await killedEdit({
    ...{ path: file, userData: folder.dataPath, at: "target.overwrite", partBytes: 6 },
    edit: { oldString: "draft\nBody", newString: "final version\nBody text" },
  });
  const { out } = await folder.fe(["recovery", "list", "--json"]);
  id = JSON.parse(out).records[0].id;
});

afterEach(async () => {
  await folder?.[Symbol.asyncDispose]();
});

/** A program of this body, which has the copies as `$1` and `$2`. */
async function tool(body: string, name = "tool"): Promise<string> {
  const file = await folder.write(name, `#!/bin/sh\n${body}\n`);
  await chmod(file, 0o755);
  return file;
}

const diff = (words: string, ...more: string[]) =>
  folder.fe(["recovery", "diff", id, "--tool", words, ...more], { environment });

const describeCopies = `for f in "$1" "$2"; do
  stat -c %a "$f" "$(dirname "$f")" "$(dirname "$(dirname "$f")")"; basename "$f"; cat "$f"
done`;

describe("fe recovery diff --tool", () => {
  it("B10 gives a program private copies of both versions, and removes them", async () => {
    const result = await diff(await tool(describeCopies));
    const privately = "600\n700\n700\nno_tes.md\n";
    expect(result).toMatchObject({
      exit: 0,
      err: "",
      out: `${privately}Title: draft\nBody\n${privately}Title: final Body\n`,
    });
    expect(await readdir(copies)).toEqual([]);
    const other = await diff(await tool(describeCopies), "--from", "after", "--to", "after");
    expect(other.out.split("Title: final version\nBody text\n")).toHaveLength(3);
    expect(await readFile(folder.file("no tes.md"), "utf8")).toBe("Title: final Body\n");
  });

  it("B10 splits the command at blanks, which quotes keep, and asks no shell", async () => {
    await tool('printf "%s|" "$@"', "my tool");
    const { out, exit } = await diff(`'${folder.file("my tool")}' -x "a b" '$HOME' * ";"`);
    expect(exit).toBe(0);
    const [whole = ""] = /^-x\|a b\|\$HOME\|\*\|;\|(?:[^|]+\|){2}$/u.exec(out) ?? [];
    expect(whole).not.toBe("");
  });

  it("Q5 says what cannot be run, and what ended badly, and leaves nothing", async () => {
    const missing = await diff("no-such-tool -x");
    expect(missing.exit).toBe(2);
    expect(missing.err).toMatch(/FE_INVALID_REQUEST: Cannot run "no-such-tool": there is no such/u);
    const forbidden = await diff(folder.path);
    expect(forbidden).toMatchObject({ exit: 2 });
    expect((await diff(await tool("exit 1"))).exit).toBe(0);
    const failed = await diff(await tool("exit 2"));
    expect(failed.exit).toBe(1);
    expect(failed.err).toMatch(/^error FE_IO: The tool .*ended with exit code 2\nhint: /u);
    expect((await diff(await tool("kill -9 $$"))).err).toMatch(/ended by SIGKILL/u);
    for (const words of ["", "  ", "'a", 'a "b']) expect((await diff(words)).exit).toBe(2);
    expect((await diff("true", "--json")).exit).toBe(2);
    const nowhere = { environment: { TMPDIR: folder.file("nowhere") } };
    const unplaced = await folder.fe(["recovery", "diff", id, "--tool", "true"], nowhere);
    expect(unplaced).toMatchObject({
      exit: 1,
      err: expect.stringMatching(/^error FE_IO: .*TMPDIR/su),
    });
    expect(await readdir(copies)).toEqual([]);
  });

  it("B10 keeps what the program wrote, and says how to resolve with it", async () => {
    const merge = await tool('echo merged > "$2"; echo other > "$(dirname "$1")/x.orig"');
    const { exit, err } = await diff(merge);
    expect(exit).toBe(0);
    const kept = [...err.matchAll(/^note: the tool wrote this, and it is kept: (.*)$/gmu)];
    expect(kept).toHaveLength(2);
    expect(err).toContain("which a restart may empty\n");
    const [, line = ""] =
      /: fe (recovery resolve [0-9a-f]+ --with \S*no_tes\.md)$/mu.exec(err) ?? [];
    expect(await folder.fe(line.split(" "))).toMatchObject({
      exit: 0,
      err: expect.stringContaining("undo"),
    });
    expect(await readFile(folder.file("no tes.md"), "utf8")).toBe("merged\n");
    const [made = ""] = await readdir(copies);
    const names = await readdir(path.join(copies, made), { recursive: true });
    const files = names.map((name) => path.basename(name)).filter((name) => name.includes("."));
    expect(files.sort()).toEqual(["no_tes.md", "x.orig"]);
  });

  /** The command while its program runs; the program says so by a file, and then waits. */
  async function running(trap: string) {
    const started = folder.file("started");
    const waiting = await tool(`${trap}\n: > '${started}'\nwhile :; do sleep 0.05; done`);
    const child = spawn(process.execPath, [command, "recovery", "diff", id, "--tool", waiting], {
      cwd: folder.path,
      env: { ...environment, PATH: process.env.PATH, FE_USER_DATA_DIR: folder.dataPath },
      // A group of its own, as a terminal has it, so that a signal reaches both.
      detached: true,
    });
    const ended = once(child, "close") as Promise<[number | null, string | null]>;
    while (!existsSync(started)) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await readdir(copies)).toHaveLength(1);
    return { pid: child.pid ?? 0, ended };
  }

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 143],
  ] as const)("B10 removes the copies at %s from the terminal", async (signal, exit) => {
    const { pid, ended } = await running("");
    process.kill(-pid, signal);
    expect((await ended)[0]).toBe(exit);
    expect(await readdir(copies)).toEqual([]);
  });

  it("B10 is ended by a signal that reaches the program before it", async () => {
    // Without a pause between the two it is the same, now and then.
    const waiting = await tool("(sleep 0.05; kill -TERM $PPID) & kill -TERM $$");
    expect(await diff(waiting)).toMatchObject({
      exit: 143,
      err: expect.not.stringMatching(/tool/u),
    });
    const alone = await diff(await tool("kill -TERM $$"));
    expect(alone).toMatchObject({ exit: 1, err: expect.stringMatching(/ended by SIGTERM/u) });
    expect(await readdir(copies)).toEqual([]);
  });

  it("B10 ends the program with it, if only the command is told to end", async () => {
    const { pid, ended } = await running(`trap 'echo bye > "${folder.file("bye")}"; exit 3' TERM`);
    process.kill(pid, "SIGTERM");
    expect((await ended)[0]).toBe(143);
    expect(await readFile(folder.file("bye"), "utf8")).toBe("bye\n");
    expect(await readdir(copies)).toEqual([]);
  });

  it("B10 leaves SIGINT to a program that means something else by it", async () => {
    const done = folder.file("done");
    const seen = folder.file("seen");
    const { pid, ended } = await running(
      `trap 'test -e "${done}" && exit 0; echo >> "${seen}"' INT`,
    );
    for (const count of [1, 2]) {
      process.kill(-pid, "SIGINT");
      // Else the program may end at this one, and the next reach the command alone.
      await vi.waitFor(async () => expect(await readFile(seen, "utf8")).toHaveLength(count), {
        timeout: 10_000,
      });
    }
    await writeFile(done, "");
    process.kill(-pid, "SIGINT");
    expect((await ended)[0]).toBe(0);
    expect(await readdir(copies)).toEqual([]);
  });
});
