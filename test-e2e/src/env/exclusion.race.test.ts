// A program that does not cooperate appends in an endless tight loop while the engine edits: with
// exclusion required, every line and every edit is there at the end; without, hardly an edit comes
// to its end, or lines go missing, which shows that it is the exclusion that helps (B2).
//
// Method: real processes, without any pause in the program. What happened is told by the test.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type EditOptions, FeError, openEngine } from "@fe/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommandFolder, fileState, replace } from "../harness/command.ts";

const appendLines = fileURLToPath(new URL("../harness/append-lines.mjs", import.meta.url));

let folder: CommandFolder;

beforeEach(async () => {
  folder = await CommandFolder.create();
});

afterEach(async () => {
  await folder[Symbol.asyncDispose]();
});

interface RaceResult {
  readonly text: string;
  readonly appended: number;
  /** Edits that said `applied`. */
  readonly applied: number;
  /** Errors, by code. */
  readonly failures: ReadonlyMap<string, number>;
}

/** The line that every edit changes; each tenth is longer, so that all bytes behind it move. */
function lineOf(count: number): string {
  return `value ${String(count).padStart(4, "0")}${count % 10 === 0 ? " and more" : ""} end\n`;
}

/** Lets both write until the engine has tried so often, or an edit ended in doubt. */
async function race(tries: number, options: EditOptions): Promise<RaceResult> {
  const path = await folder.write("f", lineOf(0));
  const child = spawn(process.execPath, [appendLines, path], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  const engine = await openEngine({ userDataDirectory: folder.dataPath });
  const failures = new Map<string, number>();
  let applied = 0;
  for (let attempt = 0; attempt < tries; attempt++) {
    const edit = { oldString: lineOf(applied), newString: lineOf(applied + 1) };
    try {
      await engine.edit({ path, ...edit }, options);
      applied += 1;
    } catch (error) {
      if (!(error instanceof FeError)) throw error;
      failures.set(error.code, (failures.get(error.code) ?? 0) + 1);
      if (error.code === "FE_OUTCOME_UNKNOWN") break;
    }
  }
  await engine.close();
  child.stdin.end();
  const appended = Number((await lines.next()).value);
  await once(child, "close");
  return { text: await readFile(path, "utf8"), appended, applied, failures };
}

function linesOf({ text }: RaceResult): number {
  return text.match(/^\+[0-9a-z]+$/gmu)?.length ?? 0;
}

function told(result: RaceResult): string {
  const { applied, appended, failures } = result;
  const failed = [...failures].map(([code, count]) => `, ${count} × ${code}`).join("");
  return `${applied} edits applied${failed}; ${appended} lines appended, ${linesOf(result)} there`;
}

describe("a program that appends in an endless tight loop", () => {
  it("B2 loses no line to 1000 edits with exclusion required, and no edit is lost", async ({
    annotate,
  }) => {
    const result = await race(1000, { exclusive: "require", waitMs: 60_000 });
    await annotate(told(result));
    expect([...result.failures]).toEqual([]);
    expect(result.applied).toBe(1000);
    expect(result.appended).toBeGreaterThan(1000);
    expect(linesOf(result)).toBe(result.appended);
    expect(result.text.startsWith(lineOf(1000))).toBe(true);
  }, 600_000);

  it("B2 makes edits fail, or loses lines, without exclusion", async ({ annotate }) => {
    const result = await race(100, { exclusive: "off" });
    await annotate(told(result));
    const lost = result.appended - linesOf(result);
    const failed = [...result.failures.values()].reduce((sum, count) => sum + count, 0);
    expect(lost + failed).toBeGreaterThan(0);
  }, 120_000);
});

describe("an editor that holds the file open", () => {
  it("B2 makes require exit with 75, nothing changed; prefer goes on and says so", async () => {
    const path = await folder.write("f", "one two\n");
    const held = openSync(path, "r+");
    try {
      const before = await fileState(path);
      const required = await folder.fe(
        replace("f", "one", "1", "--exclusive", "require", "--json"),
      );
      expect(required.exit).toBe(75);
      const { error } = JSON.parse(required.out);
      expect(error).toMatchObject({ code: "FE_EXCLUSION_UNAVAILABLE", effect: "none" });
      expect(await fileState(path)).toEqual(before);
      expect(await folder.storeFiles()).toEqual([]);
      const preferred = await folder.fe(replace("f", "one", "1", "--json"));
      expect(preferred.exit).toBe(0);
      expect(JSON.parse(preferred.out)).toMatchObject({
        status: "applied",
        exclusion: "cooperative",
        exclusion_reason: "the file is open elsewhere, perhaps in this program",
      });
    } finally {
      closeSync(held);
    }
  });
});
