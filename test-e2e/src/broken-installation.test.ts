/** Command and server in an installation from which something is missing. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { describe, expect, it } from "vitest";
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

describe("bin", () => {
  const fe = path.join(packageFolder, "bin");
  const mcp = path.join(path.dirname(require.resolve("@fe/mcp/package.json")), "bin");

  /** Runs `bin/NAME` of a package that is not built, in a clone or alone. */
  async function runBin(
    [bin, name, ...rest]: readonly [string, string, ...string[]],
    where: "clone" | "alone",
  ): Promise<{ home: string; exit: number | null; out: string; err: string }> {
    await using folder = await CommandFolder.create();
    const clone = path.join(path.dirname(folder.dataPath), "clone");
    const home = path.join(clone, "packages", "one");
    mkdirSync(home, { recursive: true });
    cpSync(bin, path.join(home, "bin"), { recursive: true });
    if (where === "clone") writeFileSync(path.join(clone, "pnpm-workspace.yaml"), "");
    const ran = spawnSync(process.execPath, [path.join(home, "bin", name), ...rest]);
    return { home, exit: ran.status, out: String(ran.stdout), err: String(ran.stderr) };
  }

  it("Q5 says in one line that nothing is built, and how to build it", async () => {
    for (const [program, how] of [
      [[fe, "fe.js", "edit", "f"], /Build it: npm --prefix ".*clone" start -- --help$/u],
      [[mcp, "fe-mcp.js"], /Build it: node ".*clone\/scripts\/pnpm\.mjs" build$/u],
    ] as const) {
      const { exit, out, err } = await runBin(program, "clone");
      expect({ exit, out }).toEqual({ exit: 1, out: "" });
      expect(err).toMatch(/^error FE_NATIVE_UNAVAILABLE: The \w+ is not built: .*\n$/u);
      expect(err.trimEnd()).toMatch(how);
      expect((await runBin(program, "alone")).err).toMatch(/\. Install the package anew\n$/u);
    }
  });

  it("Q5 answers --json with one object, unless it is no option any more", async () => {
    const { home, exit, out, err } = await runBin([fe, "fe.js", "edit", "--json"], "clone");
    expect({ exit, err }).toEqual({ exit: 1, err: "" });
    const message: unknown = expect.stringContaining(home);
    expect(JSON.parse(out)).toMatchObject({
      status: "failed",
      error: { code: "FE_NATIVE_UNAVAILABLE", effect: "none", retryable: false, message },
    });
    expect((await runBin([fe, "fe.js", "edit", "--", "--json"], "clone")).out).toBe("");
  });
});
