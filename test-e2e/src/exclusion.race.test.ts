// A program that does not cooperate writes in tight bursts while the engine edits: with exclusion
// required, every line and every edit is there at the end; without, lines go missing or edits end
// in doubt, which shows that it is the exclusion that helps (B2).
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type EditOptions, FeError, openEngine } from "@fe/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommandFolder } from "./harness/command.ts";

const appendLines = fileURLToPath(new URL("./harness/append-lines.mjs", import.meta.url));

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

/** Lets both write until the engine has made its edits, or one ended in doubt. */
async function race(edits: number, exclusive: "require" | "off"): Promise<RaceResult> {
  const path = await folder.write("f", "value 0 end\n");
  const child = spawn(process.execPath, [appendLines, path], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  const engine = await openEngine({ userDataDirectory: folder.dataPath });
  const options: EditOptions = { exclusive, waitMs: 10_000 };
  const failures = new Map<string, number>();
  let applied = 0;
  for (let attempt = 0; attempt < 20 * edits && applied < edits; attempt++) {
    // Longer and shorter in turns, so that the bytes behind it move.
    const value = (count: number): string => `value ${count}${count % 2 ? " odd" : ""} end\n`;
    const edit = { oldString: value(applied), newString: value(applied + 1) };
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
  return text.match(/^appended \d+$/gmu)?.length ?? 0;
}

describe("a program that appends in bursts", () => {
  it("B2 loses no line to 1000 edits with exclusion required, and no edit is lost", async () => {
    const result = await race(1000, "require");
    // Another program's line between matching and exclusion is an honest conflict.
    expect([...result.failures.keys()].filter((code) => code !== "FE_CONTENT_CHANGED")).toEqual([]);
    expect(result.applied).toBe(1000);
    expect(linesOf(result)).toBe(result.appended);
    expect(result.text.startsWith(`value ${result.applied} `)).toBe(true);
  }, 120_000);

  it("B2 loses lines, or leaves an edit in doubt, without exclusion", async () => {
    const result = await race(1000, "off");
    const isInDoubt = result.failures.has("FE_OUTCOME_UNKNOWN");
    expect(isInDoubt || linesOf(result) < result.appended).toBe(true);
  }, 120_000);
});
