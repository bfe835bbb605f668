// A program that reads in a tight loop while the engine edits: it never finds the file empty, nor
// shorter than the shorter of both versions, since the length is set last.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openEngine } from "@fe/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommandFolder } from "./harness/command.ts";

const readSizes = fileURLToPath(new URL("./harness/read-sizes.mjs", import.meta.url));

let folder: CommandFolder;

beforeEach(async () => {
  folder = await CommandFolder.create();
});

afterEach(async () => {
  await folder[Symbol.asyncDispose]();
});

describe("a reader in a tight loop", () => {
  it("B2 never finds a file shorter than the shorter version, over 1000 edits", async () => {
    const short = "short";
    const long = "a much longer text than before";
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index}`);
    lines[20] = short;
    const content = `${lines.join("\n")}\n`;
    const path = await folder.write("f", content);
    const child = spawn(process.execPath, [readSizes, path], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    await answers.next();
    const engine = await openEngine({ userDataDirectory: folder.dataPath });
    for (let count = 0; count < 1000; count++) {
      const [oldString, newString] = count % 2 === 0 ? [short, long] : [long, short];
      // The reader has the file open at times, so others are kept out where they can be.
      await engine.edit({ path, oldString, newString });
    }
    await engine.close();
    child.stdin.end();
    const [reads = 0, fewest = 0] = String((await answers.next()).value)
      .split(" ")
      .map(Number);
    await once(child, "close");
    expect(reads).toBeGreaterThan(100);
    expect(fewest).toBe(content.length);
  });
});
