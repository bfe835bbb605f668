import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { record } from "../../../engine/test/samples.ts";
import { fe } from "../../test/fake-world.ts";
import { commandShape } from "../arguments.ts";
import { resolvedText } from "../output/resolved.ts";
import { createColors, listText } from "../output/text.ts";
import { completionScript } from "./scripts.ts";
import { allCommands } from "./shape.ts";
import { type Shell, shells } from "./shells.ts";

const script = (shell: Shell): string => completionScript(shell, commandShape());
const isThere = (shell: Shell): boolean => spawnSync(shell, ["-c", "exit 0"]).status === 0;

/** What bash offers for the last of these words. */
function bashOffers(...words: string[]): string[] {
  const quoted = words.map((word) => `'${word}'`).join(" ");
  const ask = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _fe`;
  const line = `${ask}; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const ran = spawnSync("bash", ["-c", `${script("bash")}\n${line}`]);
  expect(ran.stderr.toString()).toBe("");
  return ran.stdout.toString().split("\n").filter(Boolean);
}

function fishOffers(line: string): string[] {
  const ask = `complete -C ${JSON.stringify(line)}`;
  const ran = spawnSync("fish", ["--no-config", "-c", `${script("fish")}\n${ask}`]);
  expect(ran.stderr.toString()).toBe("");
  return ran.stdout
    .toString()
    .split("\n")
    .map((each) => each.split("\t")[0] ?? "")
    .filter(Boolean);
}

/** What `fe recovery list` prints, by its own code. */
function listOf(ids: readonly string[], resolvedIds: readonly string[] = []): string {
  const records = ids.map((id) => ({ ...record, id: id.padEnd(64, "0") }));
  const resolved = resolvedIds.map((id) => ({
    ...{ id: id.padEnd(64, "0"), path: "/home/a/f", savedMs: 0 },
    ...{ savedPath: "/store/saved/f", savedBytes: 1 },
  }));
  const colors = createColors(false);
  return `${listText(records, "/store", colors)}${resolvedText(resolved, [], colors)}`;
}

/** Puts a command `fe` on PATH that prints this. */
async function withCommand(prints: string, use: () => void): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "fe-completion-"));
  const before = process.env.PATH;
  try {
    writeFileSync(path.join(folder, "list"), prints);
    writeFileSync(path.join(folder, "fe"), `#!/bin/sh\ncat "${folder}/list"\n`, { mode: 0o755 });
    process.env.PATH = `${folder}${path.delimiter}${before}`;
    use();
  } finally {
    process.env.PATH = before;
    rmSync(folder, { recursive: true });
  }
}

describe("completionScript()", () => {
  it("knows every command and every option, from their one definition", () => {
    const names = allCommands(commandShape()).map(({ words }) => words);
    expect(names).toContain("fe recovery undo");
    for (const shell of shells) {
      const text = script(shell);
      for (const { words, options } of allCommands(commandShape())) {
        expect(text).toContain(words);
        for (const { flag } of options) expect(text).toContain(flag.slice(2));
      }
    }
  });

  it.skipIf(!isThere("bash"))("completes commands, options and values in bash", () => {
    expect(bashOffers("fe", "")).toEqual(expect.arrayContaining(["edit", "recovery", "doctor"]));
    expect(bashOffers("fe", "rec")).toEqual(["recovery"]);
    expect(bashOffers("fe", "recovery", "re")).toEqual(["resolve"]);
    expect(bashOffers("fe", "edit", "f", "--old")).toEqual(["--old-string", "--old-file"]);
    expect(bashOffers("fe", "edit", "--line-endings", "")).toEqual(["match-file", "exact"]);
    expect(bashOffers("fe", "recovery", "resolve", "--keep", "b")).toEqual(["before"]);
    expect(bashOffers("fe", "recovery", "undo", "--keep", "")).toEqual(["before", "after"]);
    expect(bashOffers("fe", "edit", "--line-endings", "=", "m")).toEqual(["match-file"]);
    expect(bashOffers("fe", "edit", "--exclusive", "=")).toEqual(["prefer", "require", "off"]);
    expect(bashOffers("fe", "completion", "")).toEqual(["bash", "zsh", "fish"]);
    expect(bashOffers("fe", "edit", "--encoding", "utf-16")).toEqual([
      ...["utf-16", "utf-16le", "utf-16be"],
    ]);
    expect(bashOffers("fe", "edit", "--old-string", "--n")).toEqual([]);
    expect(bashOffers("fe", "--json", "recovery", "show", "--version", "a")).toEqual(["after"]);
  });

  it.skipIf(!isThere("fish"))("completes commands, options and values in fish", () => {
    expect(fishOffers("fe rec")).toEqual(["recovery"]);
    expect(fishOffers("fe recovery re")).toEqual(["resolve"]);
    expect(fishOffers("fe edit f --old-").sort()).toEqual(["--old-file", "--old-string"]);
    expect(fishOffers("fe recovery resolve --keep b")).toEqual(["before"]);
  });

  it.skipIf(!isThere("bash"))("asks fe for the ids of records, in bash", async () => {
    const ids = ["0123456789ab", "fedcba987654"];
    await withCommand(listOf(ids, ["aaaabbbbcccc"]), () => {
      for (const command of ["merge", "resolve"]) {
        expect(bashOffers("fe", "recovery", command, "")).toEqual(ids);
      }
      for (const command of ["show", "diff"]) {
        expect(bashOffers("fe", "recovery", command, "")).toEqual([...ids, "aaaabbbbcccc"]);
      }
      expect(bashOffers("fe", "recovery", "resolve", "f")).toEqual(["fedcba987654"]);
      expect(bashOffers("fe", "recovery", "undo", "")).toEqual(["aaaabbbbcccc"]);
    });
    await withCommand("No recovery records in /home/a/.config/fe/edit-recovery\n", () => {
      expect(bashOffers("fe", "recovery", "show", "")).toEqual([]);
    });
  });

  it.skipIf(!isThere("fish"))("asks fe for the ids of records, in fish", async () => {
    await withCommand(listOf(["0123456789ab"], ["aaaabbbbcccc"]), () => {
      expect(fishOffers("fe recovery show ").sort()).toEqual(["0123456789ab", "aaaabbbbcccc"]);
      expect(fishOffers("fe recovery resolve ")).toEqual(["0123456789ab"]);
      expect(fishOffers("fe recovery undo ")).toEqual(["aaaabbbbcccc"]);
      expect(fishOffers("fe recovery undo --keep ").sort()).toEqual(["after", "before"]);
    });
  });

  it.skipIf(!isThere("zsh"))("asks fe for the ids of records, in zsh", async () => {
    const idsFor = (command: string): string => {
      const names = new RegExp(`"fe recovery ${command}"\\) .* names="(.*)" ;;`, "u");
      const ask = `print -r -- "${names.exec(script("zsh"))?.[1]}"`;
      const load = `autoload -Uz compinit && compinit -D -u\n${script("zsh")}\n${ask}`;
      return String(spawnSync("zsh", ["-f", "-c", load]).stdout);
    };
    await withCommand(listOf(["0123456789ab"], ["aaaabbbbcccc"]), () => {
      expect(idsFor("show")).toBe("0123456789ab\naaaabbbbcccc\n");
      expect(idsFor("resolve")).toBe("0123456789ab\n");
      expect(idsFor("undo")).toBe("aaaabbbbcccc\n");
    });
  });

  it.skipIf(!isThere("zsh"))("is a script that zsh can read and load", () => {
    const load = `autoload -Uz compinit && compinit -D -u\n${script("zsh")}\nprint $_comps[fe]`;
    const ran = spawnSync("zsh", ["-f", "-c", load]);
    expect(ran.stderr.toString()).toBe("");
    expect(ran.stdout.toString()).toBe("_fe\n");
    expect(script("zsh")).toMatch(/"fe completion"\) flags="[^"]*" names="bash zsh fish"/);
  });
});

describe("run() with completion", () => {
  it("prints a script, and refuses a shell that it does not know", async () => {
    expect((await fe(["completion", "bash"])).out).toBe(script("bash"));
    expect(JSON.parse((await fe(["completion", "fish", "--json"])).out)).toMatchObject({
      shell: "fish",
      script: script("fish"),
    });
    const unknown = await fe(["completion", "tcsh"]);
    expect(unknown.exit).toBe(2);
    expect(unknown.err).toMatch(/bash, zsh, fish/u);
  });
});
