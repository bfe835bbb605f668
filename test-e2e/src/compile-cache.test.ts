/** What the built command keeps of V8's work, in a copy of its package. */
import { cpSync, existsSync } from "node:fs";
import { chown, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { Script } from "node:vm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { needs } from "../../native/test/abilities.ts";
import { CommandFolder, type CommandResult, type RunOptions, replace } from "./harness/command.ts";
import { needsOtherUser, otherUser } from "./harness/other-user.ts";

const require = createRequire(import.meta.url);
const packageFolder = path.dirname(require.resolve("@fe/cli/package.json"));

let folder: CommandFolder;
let home: string;
let cache: string;

beforeEach(async (context) => {
  needs(context, "symlinks");
  folder = await CommandFolder.create();
  // Beside the folder for files.
  home = path.join(path.dirname(folder.dataPath), "cli");
  for (const name of ["bin", "dist", "package.json"]) {
    cpSync(path.join(packageFolder, name), path.join(home, name), { recursive: true });
  }
  await symlink(path.join(packageFolder, "node_modules"), path.join(home, "node_modules"));
  cache = path.join(home, "compile-cache");
});

afterEach(async () => {
  await folder?.[Symbol.asyncDispose]();
});

function fe(parameters: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  return folder.fe(parameters, { program: path.join(home, "bin", "fe.js"), ...options });
}

/** Edits a file; fails if that does. Returns what was printed. */
async function edit(options: RunOptions = {}): Promise<string> {
  const file = await folder.write("f", "one\n");
  if (options.uid !== undefined) await folder.giveTo(options.uid);
  const { exit, out, err } = await fe(replace(file, "one", "two"), options);
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  expect(await readFile(file, "utf8")).toBe("two\n");
  return out;
}

async function theFile(): Promise<string> {
  const names = await readdir(cache);
  expect(names).toEqual([`${process.version}-${process.platform}-${process.arch}`]);
  return path.join(cache, names[0] ?? "");
}

/** Changes when the file is written, even with the same bytes. */
async function stateOf(file: string): Promise<bigint> {
  return (await stat(file, { bigint: true })).ctimeNs;
}

describe("fe, from what V8 compiled before", () => {
  it("keeps it at the first edit that is made, and uses it at the next", async () => {
    expect((await fe(["--version"])).exit).toBe(0);
    const file = await folder.write("g", "one\n");
    expect((await fe(replace(file, "one", "two", "--dry-run"))).exit).toBe(0);
    expect((await fe(replace(file, "not there", "two"))).exit).toBe(3);
    expect(existsSync(cache)).toBe(false);
    await edit();
    const kept = await theFile();
    const before = await stateOf(kept);
    await edit();
    // It is written by every edit that cannot use it; see the next test.
    expect(await stateOf(kept)).toBe(before);
    expect((await fe(["--version"])).out).toMatch(/^\d+\.\d+\.\d+\n$/u);
  });

  it.each<[string, (bytes: Buffer) => Uint8Array]>([
    ["empty", () => Buffer.alloc(0)],
    ["shorter than its digest", (bytes) => bytes.subarray(0, 20)],
    ["cut short", (bytes) => bytes.subarray(0, bytes.length / 2)],
    ["zeros in its second half, as after a power loss", (bytes) => bytes.fill(0, bytes.length / 2)],
    ["another in one bit", (bytes) => bytes.fill((bytes[9000] ?? 0) ^ 1, 9000, 9001)],
    ["longer", (bytes) => Buffer.concat([bytes, Buffer.from("x")])],
  ])("does not use a file that is %s, and writes it anew", async (_, damage) => {
    await edit();
    const kept = await theFile();
    const good = await readFile(kept);
    const bad = damage(Buffer.from(good));
    await writeFile(kept, bad);
    await edit();
    const mended = await readFile(kept);
    expect(mended.equals(bad)).toBe(false);
    const before = await stateOf(kept);
    await edit();
    expect(await stateOf(kept)).toBe(before);
  });

  it("is not used for other code of the same length, which V8 would do", async () => {
    const cachedData = new Script("'one'").createCachedData();
    const other = new Script("'two'", { cachedData });
    expect([other.cachedDataRejected, other.runInThisContext()]).toEqual([false, "one"]);
    expect(await edit()).toContain("Replaced 1 place");
    const code = path.join(home, "dist", "main.cjs");
    const text = await readFile(code, "utf8");
    expect(text.split("Replaced ")).toHaveLength(2);
    await writeFile(code, text.replace("Replaced ", "Exchange "));
    expect(await edit()).toContain("Exchange 1 place");
  });

  it.each<[string, RunOptions]>([
    ["NODE_DISABLE_COMPILE_CACHE", { environment: { NODE_DISABLE_COMPILE_CACHE: "1" } }],
    ["NODE_OPTIONS", { environment: { NODE_OPTIONS: "--no-warnings" } }],
  ])("keeps and uses nothing with %s", async (_, options) => {
    await edit(options);
    expect(existsSync(cache)).toBe(false);
    await edit();
    const kept = await theFile();
    await writeFile(kept, "");
    await edit(options);
    expect(await readFile(kept, "utf8")).toBe("");
  });

  it("edits all the same where nothing can be kept", async () => {
    await writeFile(cache, "not a folder");
    await edit();
    expect(await readFile(cache, "utf8")).toBe("not a folder");
  });

  it("keeps nothing in a package of another user, root or not", async (context) => {
    needsOtherUser(context);
    await chown(home, otherUser, otherUser);
    await edit();
    expect(existsSync(cache)).toBe(false);
    await edit({ uid: otherUser });
    expect(await readdir(cache)).toHaveLength(1);
  });

  it.skipIf(process.platform === "win32")("is nobody else's to write", async () => {
    await edit({ through: ["sh", "-c", 'umask 0; exec "$@"', "sh"] });
    const modes = [cache, await theFile()].map(async (name) => (await stat(name)).mode & 0o777);
    expect(await Promise.all(modes)).toEqual([0o755, 0o644]);
  });
});
