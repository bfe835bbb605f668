/** The built command in an installation from which something is missing. */
import { cpSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { expect, it } from "vitest";
import { CommandFolder, replace } from "./harness/command.ts";

const require = createRequire(import.meta.url);
const packageFolder = path.dirname(require.resolve("@fe/cli/package.json"));

it("Q5 fe without @fe/native says what it did not find, and changes nothing", async () => {
  await using folder = await CommandFolder.create();
  const home = path.join(path.dirname(folder.dataPath), "cli");
  for (const name of ["bin", "dist", "package.json"]) {
    cpSync(path.join(packageFolder, name), path.join(home, name), { recursive: true });
  }
  const file = await folder.write("f", "one\n");
  const program = path.join(home, "bin", "fe.js");
  const { exit, out, err } = await folder.fe(replace(file, "one", "two"), { program });
  expect({ exit, out }).toEqual({ exit: 1, out: "" });
  expect(err).toMatch(/^error INTERNAL: .*Cannot find module '@fe\/native\/binding\.cjs'/u);
  expect(await readFile(file, "utf8")).toBe("one\n");
});
