// The example of an edit in README.md runs as it stands there; only the places are others.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as native from "@fe/native";
import { expect, it } from "vitest";
import { scratch } from "../test/scratch.ts";
import * as journalModule from "./index.ts";

const readme = readFileSync(path.resolve(import.meta.dirname, "..", "README.md"), "utf8");
const example = /^## One edit$.*?^```js$(.*?)^```$/msu.exec(readme)?.[1] ?? "";

it("the example of README.md leaves the edited file, on its inode, and no record", async () => {
  const { root, userData, store } = scratch();
  const file = path.join(root, "notes.md");
  writeFileSync(file, "a draft\n");
  const { ino } = statSync(file);
  const imports = /^import (\{.*?\}) from "(@fe\/\w+)";$/gmu;
  const body = example
    .replace(
      imports,
      (_, names: string, module: string) => `const ${names} = modules["${module}"];`,
    )
    .replace('"notes.md"', JSON.stringify(file));
  const journal = { ...journalModule, resolveUserDataDirectory: () => userData };
  // biome-ignore lint/complexity/noBannedTypes: what makes functions of text has no other name
  const AsyncFunction = (async () => {}).constructor as new (...texts: string[]) => Function;
  await new AsyncFunction("modules", body)({ "@fe/journal": journal, "@fe/native": native });
  expect(readFileSync(file, "utf8")).toBe("A draft\n");
  expect(statSync(file).ino).toBe(ino);
  const place = await journalModule.openJournal(native.createNodeOs(), {
    userDataDirectory: userData,
    engineVersion: "1.0.0",
  });
  expect(place.directoryPath).toBe(store);
  expect(await place.list()).toEqual([]);
  await place.close();
});
