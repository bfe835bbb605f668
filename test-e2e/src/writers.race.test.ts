// Many processes and one file: every edit that said `applied` is there at the end (S9, S15).
import { spawn } from "node:child_process";
import { once } from "node:events";
import { link, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommandFolder, replace } from "./harness/command.ts";
import { stoppedEdit } from "./harness/stopped-edit.ts";

const editLines = fileURLToPath(new URL("./harness/edit-lines.mjs", import.meta.url));

let folder: CommandFolder;

beforeEach(async () => {
  folder = await CommandFolder.create();
});

afterEach(async () => {
  await folder[Symbol.asyncDispose]();
});

/** A process that edits its own lines, one after the other; resolves with what went wrong. */
async function editOwnLines(
  name: string,
  from: number,
  to: number,
  exclusive = "prefer",
): Promise<string> {
  const parameters = { path: folder.file(name), userData: folder.dataPath, from, to, exclusive };
  const child = spawn(process.execPath, [editLines, JSON.stringify(parameters)]);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  await once(child, "close");
  return output;
}

describe("several processes", () => {
  it("S9 S15 2 × 100 edits through two hard links: all 200 are there", async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index} is old`);
    await folder.write("a", `${lines.join("\n")}\n`);
    await link(folder.file("a"), folder.file("b"));
    const output = await Promise.all([editOwnLines("a", 0, 100), editOwnLines("b", 100, 200)]);
    expect(output).toEqual(["", ""]);
    const text = await readFile(folder.file("a"), "utf8");
    expect(text.match(/ is new/gu)).toHaveLength(200);
    expect(text).not.toContain("old");
    expect(await folder.storeFiles()).toEqual([]);
  }, 60_000);

  it("B2 4 × 40 edits with exclusion required never stand in each other's way", async () => {
    const lines = Array.from({ length: 160 }, (_, index) => `line ${index} is old`);
    await folder.write("a", `${lines.join("\n")}\n`);
    const writers = [0, 40, 80, 120].map((from) => editOwnLines("a", from, from + 40, "require"));
    expect(await Promise.all(writers)).toEqual(["", "", "", ""]);
    expect((await readFile(folder.file("a"), "utf8")).match(/ is new/gu)).toHaveLength(160);
  }, 60_000);

  it("S15 fe edit is refused while another process is at work, and waits with --wait", async () => {
    const path = await folder.write("f", "one two\n");
    const stopped = await stoppedEdit({
      path,
      userData: folder.dataPath,
      edit: { oldString: "one", newString: "1" },
      at: "target.overwrite",
    });
    const refused = await folder.fe(replace("f", "two", "2", "--json"));
    expect(refused.exit).toBe(75);
    expect(JSON.parse(refused.out)).toMatchObject({
      status: "conflict",
      error: { code: "FE_BUSY", effect: "none", retryable: true },
    });
    const waiting = folder.fe(replace("f", "two", "2", "--wait", "10s"));
    expect(await stopped.goOn()).toBe("applied");
    expect((await waiting).exit).toBe(0);
    expect(await readFile(path, "utf8")).toBe("1 2\n");
  });
});
