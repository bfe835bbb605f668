/** The built command where its addon cannot be loaded, as on a system without a prebuilt one. */
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { expect, it } from "vitest";
import { CommandFolder, fileState } from "./harness/command.ts";

const require = createRequire(import.meta.url);
const command = path.join(path.dirname(require.resolve("@fe/cli/package.json")), "bin", "fe.js");

/** Loaded first: there is no addon for anybody. */
const shim = `const { Module } = require("node:module");
const load = Module._load;
Module._load = (name, ...more) => {
  if (name === "node-gyp-build") return () => { throw new Error("No native build was found"); };
  return load(name, ...more);
};
`;

it("Q5 says that the addon is missing, where it was looked for, and what to do", async () => {
  await using folder = await CommandFolder.create();
  const file = await folder.write("f", "a\n");
  const state = await fileState(file);
  const preload = await folder.write("preload.cjs", shim);
  const run = (...more: string[]) =>
    spawnSync(
      process.execPath,
      ["-r", preload, command, "edit", "f", "--old-string=a", "--new-string=b", ...more],
      { cwd: folder.path, env: { PATH: process.env.PATH, FE_USER_DATA_DIR: folder.dataPath } },
    );
  const told = run();
  expect(told.status).toBe(1);
  expect(told.stderr.toString()).toMatch(/^error FE_NATIVE_UNAVAILABLE: .*addon.*\n {2}Tried:/u);
  const { error } = JSON.parse(run("--json").stdout.toString());
  expect(error).toMatchObject({ code: "FE_NATIVE_UNAVAILABLE", effect: "none", retryable: false });
  expect(await fileState(file)).toEqual(state);
  expect(await folder.storeFiles()).toEqual([]);
});
