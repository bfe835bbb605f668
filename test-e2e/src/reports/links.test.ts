// Reports of edits that broke links, met mounts, or reached another file than was named.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { FeError } from "@fe/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { needs } from "../../../native/test/abilities.ts";
import { failureOf, Place } from "../../../packages/engine/test/place.ts";
import { CommandFolder, replace } from "../harness/command.ts";
import { startMcp } from "../harness/mcp.ts";
import { mountFor, mountMemory, unmountAll } from "../harness/mounts.ts";

const swapDirectory = fileURLToPath(new URL("../harness/swap-directory.mjs", import.meta.url));

let folder: CommandFolder;

beforeEach(async () => {
  folder = await CommandFolder.create();
});

afterEach(async () => {
  unmountAll();
  await folder[Symbol.asyncDispose]();
});

describe("mounts", () => {
  it("3A-18 edits a file that is itself a mount, in place, nothing beside it", async (c) => {
    const source = await folder.write("source", "one two\n");
    mkdirSync(folder.file("d"));
    const at = await folder.write("d/f", "");
    mountFor(c, at, "--bind", source);
    const { ino } = statSync(at);
    expect((await folder.fe(replace("d/f", "two", "2, and longer"))).exit).toBe(0);
    expect(readFileSync(source, "utf8")).toBe("one 2, and longer\n");
    expect(statSync(at).ino).toBe(ino);
    expect(readdirSync(folder.file("d"))).toEqual(["f"]);
  });

  it("3A-19 edits by a link from one filesystem to another, the store on a third", async (c) => {
    const [first, second, data] = ["first", "second", "data"].map((name) => {
      mkdirSync(folder.file(name), { mode: 0o700 });
      return mountMemory(c, folder.file(name), 1024);
    });
    mkdirSync(`${data}/store`, { mode: 0o700 });
    writeFileSync(`${second}/f`, "one two\n");
    symlinkSync(`${second}/f`, `${first}/link`);
    const options = ["--user-data-dir", `${data}/store`, "--json"];
    const result = await folder.fe(replace(`${first}/link`, "two", "2", ...options));
    expect(JSON.parse(result.out)).toMatchObject({ status: "applied", durability: "synced" });
    expect(readFileSync(`${second}/f`, "utf8")).toBe("one 2\n");
    expect(lstatSync(`${first}/link`).isSymbolicLink()).toBe(true);
  });

  it("3C-10 takes the identity after the copy that overlayfs makes at the open", async (c) => {
    for (const name of ["lower", "upper", "work", "merged"]) mkdirSync(folder.file(name));
    writeFileSync(folder.file("lower/f"), "one two\n");
    const layers = ["lower", "upper", "work"].map((name) => `${name}dir=${folder.file(name)}`);
    mountFor(c, folder.file("merged"), "-t", "overlay", "-o", layers.join(","), "overlay");
    const first = await folder.fe(replace("merged/f", "one", "1", "--json"));
    const answer = JSON.parse(first.out);
    expect(answer.status).toBe("applied");
    expect(answer.identity.file).toBe(String(statSync(folder.file("merged/f")).ino));
    expect((await folder.fe(replace("merged/f", "two", "2"))).exit).toBe(0);
    expect(readFileSync(folder.file("merged/f"), "utf8")).toBe("1 2\n");
    expect(readFileSync(folder.file("lower/f"), "utf8")).toBe("one two\n");
    expect(await folder.storeFiles()).toEqual([]);
  });
});

describe("links", () => {
  it("3A-20 keeps a hard link: one inode, two names, the new text by both", async () => {
    await folder.write("a", "one two\n");
    linkSync(folder.file("a"), folder.file("b"));
    const { ino } = statSync(folder.file("a"));
    await using server = await startMcp(folder, folder.path);
    const texts = { old_string: "two", new_string: "2" };
    const answer = await server.call("edit_file", { file_path: folder.file("a"), ...texts });
    expect(answer.isError).toBe(false);
    for (const name of ["a", "b"]) {
      expect(statSync(folder.file(name))).toMatchObject({ ino, nlink: 2 });
      expect(readFileSync(folder.file(name), "utf8")).toBe("one 2\n");
    }
  });

  it("3A-21 keeps a symbolic link and edits its file, or refuses it if told to", async (c) => {
    needs(c, "symlinks");
    await folder.write("target", "one two\n");
    symlinkSync("target", folder.file("link"));
    symlinkSync("link", folder.file("second"));
    const refused = await folder.fe(replace("second", "two", "2", "--no-follow-symlinks"));
    expect([refused.exit, refused.err.includes("FE_LINK_REFUSED")]).toEqual([6, true]);
    expect(refused.err).toContain("`--no-follow-symlinks`");
    expect((await folder.fe(replace("second", "two", "2"))).exit).toBe(0);
    expect(readFileSync(folder.file("target"), "utf8")).toBe("one 2\n");
    for (const name of ["link", "second"]) {
      expect(lstatSync(folder.file(name)).isSymbolicLink(), name).toBe(true);
    }
  });

  it("3A-22 changes nothing outside by a swapped directory, and says what it did", async (c) => {
    needs(c, "symlinks");
    const place = new Place();
    const outside = `${place.root}/outside`;
    for (const directory of [outside, place.path("d")]) {
      mkdirSync(directory);
      writeFileSync(`${directory}/f`, "value 0\n");
    }
    // A name of the file that nobody swaps.
    linkSync(place.path("d/f"), `${place.root}/same-file`);
    const child = spawn(process.execPath, [swapDirectory, place.path("d"), outside], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    await lines.next();
    const engine = await place.engine({ roots: [place.work] });
    const path = place.path("d/f");
    const codes = new Set<string>();
    const inside = openSync(`${place.root}/same-file`, "r");
    let applied = 0;
    for (let attempt = 0; attempt < 20_000 && (applied < 20 || codes.size < 2); attempt++) {
      const texts = { oldString: `value ${applied}`, newString: `value ${applied + 1}` };
      try {
        await engine.edit({ path, ...texts });
        applied += 1;
      } catch (error) {
        if (!(error instanceof FeError)) throw error;
        codes.add(error.code);
        const text = Buffer.alloc(100);
        const length = readSync(inside, text, 0, text.length, 0);
        const isWritten = text.toString("utf8", 0, length) === `${texts.newString}\n`;
        // Swapped after the first byte: whoever looks at the file knows what became of it.
        if (isWritten) {
          expect(error.code).toBe("FE_OUTCOME_UNKNOWN");
          expect(error.message).toContain("holds all of the new bytes, synced and read back");
        }
        if (isWritten) applied += 1;
      }
    }
    closeSync(inside);
    child.stdin.end();
    const swaps = Number((await lines.next()).value);
    await once(child, "close");
    expect(readFileSync(`${outside}/f`, "utf8")).toBe("value 0\n");
    expect(readFileSync(path, "utf8")).toBe(`value ${applied}\n`);
    expect(swaps).toBeGreaterThan(10);
    expect(applied).toBeGreaterThanOrEqual(20);
    const honest = /^FE_(NOT_FOUND|OUTSIDE_ROOT|TARGET_REPLACED|PARENT_REPLACED|OUTCOME_UNKNOWN)$/u;
    expect([...codes].filter((code) => !honest.test(code))).toEqual([]);
    expect(codes.size).toBeGreaterThan(1);
  });
});

describe("names that look alike", () => {
  const composed = "caf\u00e9.txt";
  const decomposed = "cafe\u0301.txt";

  it("3C-4 edits only the very name, of two that differ in their Unicode form", async () => {
    await folder.write(composed, "one\n");
    await folder.write(decomposed, "one\n");
    expect(readdirSync(folder.path)).toHaveLength(2);
    expect((await folder.fe(replace(decomposed, "one", "1"))).exit).toBe(0);
    expect(readFileSync(folder.file(composed), "utf8")).toBe("one\n");
    expect(readFileSync(folder.file(decomposed), "utf8")).toBe("1\n");
  });

  it.for([
    ["a no-break space", "Screenshot 10.00\u202fPM.txt", "Screenshot 10.00 PM.txt", "U+202F"],
    ["another Unicode form", decomposed, composed, "U+0065 U+0301"],
    ["another case", "ReadMe.txt", "README.txt", '"ReadMe.txt"'],
    ["an invisible character", "a\u200bb.txt", "ab.txt", "U+200B"],
  ] as const)("3C-3 is not found by %s, told, and not guessed", async (row, context) => {
    const [what, there, asked, told] = row;
    if (what === "another case") needs(context, "caseSensitiveNames");
    const file = await folder.write(there, "one\n");
    const refused = await folder.fe(replace(asked, "one", "1", "--json"));
    expect(refused.exit).toBe(6);
    const { error } = JSON.parse(refused.out);
    expect(error.code).toBe("FE_NOT_FOUND");
    expect(error.hint).toContain(told);
    expect(readFileSync(file, "utf8")).toBe("one\n");
    expect(readdirSync(folder.path)).toEqual([there]);
  });

  it("3C-3 tells of a directory too, and of nothing outside the roots", async () => {
    const place = new Place();
    mkdirSync(place.path("my\u00a0project"));
    writeFileSync(place.path("my\u00a0project/f"), "one\n");
    writeFileSync(`${place.root}/secret\u00a0f`, "one\n");
    const engine = await place.engine({ roots: [place.work] });
    const edit = (path: string) =>
      failureOf(engine.edit({ path, oldString: "one", newString: "1" }));
    const found = await edit(place.path("my project/f"));
    expect([found.code, found.hint?.includes("U+00A0")]).toEqual(["FE_NOT_FOUND", true]);
    const outside = await edit(`${place.root}/secret f`);
    expect([outside.code, outside.hint?.includes("secret")]).toEqual(["FE_OUTSIDE_ROOT", false]);
    const plain = await edit(place.path("nothing like it"));
    expect(plain.hint).not.toContain("U+");
  });
});
