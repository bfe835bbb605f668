import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { hintNames } from "@fe/engine/display";
import { describe, expect, it } from "vitest";
import { commandShape } from "../arguments.ts";
import { allCommands } from "../completion/shape.ts";
import type { RawArguments } from "../definition/raw-arguments.ts";
import { hintOptions, tellerFor, toldOfName } from "./words.ts";

const packages = path.resolve(import.meta.dirname, "..", "..", "..");

const commands = allCommands(commandShape()).filter((shape) => shape.commands.length === 0);
const flagsOf = new Map(
  commands.map(({ words, options }) => [words, new Set(options.map(({ flag }) => flag))]),
);

function commandName(words: string): RawArguments["command"] {
  return words.replace("fe ", "") as RawArguments["command"];
}

/** Every text of engine and journal that names something of the library in backticks. */
function hints(): string[] {
  const named = new RegExp(`\`(?:${hintNames.join("|").replaceAll(".", "\\.")})\\b`, "u");
  return ["engine", "journal"].flatMap((name) => {
    const folder = path.join(packages, name, "src");
    return readdirSync(folder, { recursive: true })
      .map(String)
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
      .flatMap((file) => {
        const text = readFileSync(path.join(folder, file), "utf8");
        const code = text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gmu, "");
        return [...code.matchAll(/"[^"\n]*"|'[^'\n]*'/gu)].map(([literal]) => literal.slice(1, -1));
      })
      .filter((text) => named.test(text));
  });
}

/** The options that `text`, told by the command `words`, names though nobody there has them. */
function lacking(words: string, text: string): string[] {
  const named = [...text.matchAll(/`fe ((?:recovery )?[a-z]+)(?: (--[a-z0-9-]+)[^`]*)?`/gu)];
  const ofOthers = named.flatMap(([whole, other, flag]) =>
    flag === undefined || flagsOf.get(`fe ${other}`)?.has(flag) === true ? [] : [whole],
  );
  const near = [words, ...named.filter(([, , flag]) => !flag).map(([, other]) => `fe ${other}`)];
  const alone = [...text.matchAll(/`(--[a-z0-9-]+)[^`]*`/gu)].filter(
    ([, flag = ""]) => !near.some((other) => flagsOf.get(other)?.has(flag)),
  );
  return [...ofOthers, ...alone.map(([whole]) => whole)];
}

describe("toldOfName()", () => {
  it("says of a name that came without its bytes why no file is found by it", () => {
    const told = (code: "FE_NOT_FOUND" | "FE_BUSY", path?: string): string =>
      toldOfName({ code, path }, tellerFor("edit"))("Look");
    expect(told("FE_NOT_FOUND", "f\u{FFFD}")).toMatch(/^A name that is not UTF-8 .*\. Look$/u);
    expect(told("FE_NOT_FOUND", "f")).toBe("Look");
    expect(told("FE_NOT_FOUND")).toBe("Look");
    expect(told("FE_BUSY", "f\u{FFFD}")).toBe("Look");
  });
});

describe("tellerFor()", () => {
  it("Q5 names in no hint an option that its command lacks", () => {
    const found = hints();
    expect(found.length).toBeGreaterThan(20);
    for (const { words } of commands) {
      const tell = tellerFor(commandName(words));
      for (const hint of found) expect(lacking(words, tell(hint)), `${words}: ${hint}`).toEqual([]);
    }
    expect(lacking("fe doctor", "Wait (`--wait`), or `fe recovery show --keep before`")).toEqual([
      "`fe recovery show --keep before`",
      "`--wait`",
    ]);
  });

  it("Q5 knows of each option every command that has it", () => {
    for (const { flag, of, bareOf } of Object.values(hintOptions)) {
      const having = commands
        .filter(({ words }) => flagsOf.get(words)?.has(flag))
        .map(({ words }) => commandName(words));
      const known = bareOf === undefined ? of : [...of, bareOf];
      expect(having.sort(), flag).toEqual([...known].sort());
    }
  });

  it("tells of an option alone only where the command has it, or the hint names one", () => {
    expect(tellerFor("edit")("Or wait (`waitMs`)")).toBe("Or wait (`--wait`)");
    expect(tellerFor("doctor")("Or wait (`waitMs`)")).toBe("Or wait (`fe edit --wait`)");
    const keep = 'Give `keep: "current"`';
    expect(tellerFor("recovery resolve")(keep)).toBe("Give `--keep current`");
    expect(tellerFor("recovery show")(keep)).toBe("Give `fe recovery resolve --keep current`");
    expect(tellerFor("recovery show")(`${keep} (\`recovery.resolve\`)`)).toBe(
      "Give `--keep current` (`fe recovery resolve`)",
    );
    expect(tellerFor("recovery undo")(keep)).toBe("Give `fe recovery resolve --keep current`");
    const takeBack = "`recovery.undo` with `keep`";
    expect(tellerFor("recovery resolve")(takeBack)).toBe("`fe recovery undo` with `--keep`");
    expect(tellerFor("recovery undo")(takeBack)).toBe("`fe recovery undo` with `--keep`");
  });

  it("B10 names commands with the record and the store that were given", () => {
    const asked = { id: "0123abcd", storeOptions: ["--app", "x y"] };
    const tell = tellerFor("recovery merge", asked);
    expect(tell("See `recovery.list`")).toBe("See `fe recovery list --app 'x y'`");
    expect(tell("(`recovery.show`, `recovery.resolve`)")).toBe(
      "(`fe recovery show 0123abcd --version VERSION --app 'x y'`, " +
        "`fe recovery resolve 0123abcd --keep VERSION --app 'x y'`)",
    );
    expect(tell('Give `keep: "current"`')).toBe(
      "Give `fe recovery resolve 0123abcd --keep current --app 'x y'`",
    );
    expect(tell("Or wait (`waitMs`)")).toBe("Or wait (`fe edit --wait`)");
  });
});
