// A program that reads in a tight loop while the engine edits: it never finds the file empty, nor
// shorter than the shorter of both versions, since the length is set last.
import { openEngine } from "@fe/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommandFolder } from "./harness/command.ts";
import { readSizes } from "./harness/read-sizes.ts";

let folder: CommandFolder;

beforeEach(async () => {
  folder = await CommandFolder.create();
});

afterEach(async () => {
  await folder[Symbol.asyncDispose]();
});

describe("a reader in a tight loop", () => {
  it("B2 3A-6 never finds a file shorter than the shorter version, over 1000 edits", async () => {
    const short = "short";
    const long = "a much longer text than before";
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index}`);
    lines[20] = short;
    const content = `${lines.join("\n")}\n`;
    const path = await folder.write("f", content);
    const reader = await readSizes(path, "loop");
    const engine = await openEngine({ userDataDirectory: folder.dataPath });
    for (let count = 0; count < 1000; count++) {
      const [oldString, newString] = count % 2 === 0 ? [short, long] : [long, short];
      // The reader has the file open at times, so others are kept out where they can be.
      await engine.edit({ path, oldString, newString });
    }
    await engine.close();
    const { reads, fewest } = await reader.stop();
    expect(reads).toBeGreaterThan(100);
    expect(fewest).toBe(content.length);
  });
});
