import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { abilities, needs } from "../../../native/test/abilities.ts";
import { failureOf, type Place, placeWithFile } from "../test/place.ts";
import { spellingsOf } from "./meant-paths.ts";

const edit = { oldString: "x", newString: "y" };
const habits = { homeDirectory: "/home/u", hasDrives: false };
const habitsWithDrives = { homeDirectory: "C:\\Users\\u", hasDrives: true };

describe("spellingsOf()", () => {
  it.each([
    ["file:///a/b%20c.ts", "/a/b c.ts"],
    ["/root/file://localhost/a/b.ts", "/a/b.ts"],
    ["file:///C:/a.ts", "C:/a.ts"],
    ["~/a.ts", "/home/u/a.ts"],
    ["/root/~/a.ts", "/home/u/a.ts"],
    ["@src/app.ts", "src/app.ts"],
    ["/root/@src/app.ts:12:3", "/root/src/app.ts"],
    ["app.ts#L4-L9", "app.ts"],
    ['/root/"notes.md"', "/root/notes.md"],
    ["`@src\\app.ts:7`", "src/app.ts"],
  ])("of %j have %j", (path, meant) => {
    expect(spellingsOf(path, habits)).toContain(meant);
    expect(spellingsOf(path, habitsWithDrives)).toContain(meant.replace("/home/u", "C:\\Users\\u"));
  });

  it.each([
    ["file:///C:/src/a.ts", "C:/src/a.ts"],
    ["file:///c%3A/src/a.ts", "c:/src/a.ts"],
    ["C:\\root\\file:///D:/a.ts", "D:/a.ts"],
    ["/C:/src/a.ts", "C:/src/a.ts"],
    ["/c/src/a.ts", "c:/src/a.ts"],
    ["/mnt/c/src/a.ts", "c:/src/a.ts"],
    ["/cygdrive/c/src/a.ts", "c:/src/a.ts"],
    ["~\\a.ts", "C:\\Users\\u/a.ts"],
    ["C:\\root\\~\\a.ts", "C:\\Users\\u/a.ts"],
    ["C:\\root\\@a.ts:12:3", "C:\\root\\a.ts"],
    ["C:\\root\\a.ts#L4", "C:\\root\\a.ts"],
    ['C:\\root\\"a.ts"', "C:\\root\\a.ts"],
  ])("of %j have %j where drives have letters", (path, meant) => {
    expect(spellingsOf(path, habitsWithDrives)).toContain(meant);
  });

  it("take no directory for a drive where there are none, and no drive for a line number", () => {
    expect(spellingsOf("/c/src/a.ts", habits)).toEqual([]);
    expect(spellingsOf("/mnt/c/src/a.ts", habits)).toEqual([]);
    expect(spellingsOf("C:/a.ts", habitsWithDrives)).toEqual([]);
    expect(spellingsOf("C:\\a.ts", habitsWithDrives)).toEqual(["C:/a.ts"]);
  });

  it("have an end, and nothing for a plain or broken path", () => {
    expect(spellingsOf("/a/b.ts", habits)).toEqual([]);
    expect(spellingsOf("file:///a%ff", habits)).toEqual([]);
    expect(spellingsOf("/@".repeat(2000), habits).length).toBeLessThan(30);
  });
});

/** Windows refuses a name with a colon or quotes by its text. */
const codeOfOddName = abilities.anyName ? "FE_NOT_FOUND" : "FE_INVALID_REQUEST";
const uriOf = (path: string): string => pathToFileURL(path).href;

/** Where both separate, a hint has the one or the other. */
function withSlashes(hint: string | undefined): string | undefined {
  return abilities.anyName ? hint : hint?.replaceAll("\\", "/");
}

async function expectTold(place: Place, asked: string, file: string, code: string): Promise<void> {
  const engine = await place.engine({ roots: [place.root] });
  const failure = await failureOf(engine.edit({ path: asked, ...edit }));
  expect(failure.code).toBe(code);
  expect(withSlashes(failure.hint)).toBe(withSlashes(`"${file}" is there; name it so`));
}

describe("an edit of a path in another form", () => {
  it.each([
    ["a URI", codeOfOddName, (path: string) => `${dirname(path)}/${uriOf(path)}`],
    ["a line number", codeOfOddName, (path: string) => `${path}:12`],
    ["quotes", codeOfOddName, (path: string) => path.replace(/a$/, '"a"')],
    ["a mention", "FE_NOT_FOUND", (path: string) => path.replace(/a$/, "@a")],
  ])("names the file that is there: %s", async (_what, code, other) => {
    const { place, path } = placeWithFile("x\n");
    await expectTold(place, other(path), path, code);
  });

  it("names the file that is there: a backslash", async (context) => {
    needs(context, "anyName");
    const { place, path } = placeWithFile("x\n");
    await expectTold(place, path.replace(/\/a$/, "\\a"), path, "FE_NOT_FOUND");
  });

  it("tells nothing of what lies outside of the roots, nor of a directory", async () => {
    const { place } = placeWithFile("x\n");
    const inside = join(place.root, "inside");
    const secret = join(place.root, "secret");
    mkdirSync(join(inside, "folder"), { recursive: true });
    writeFileSync(secret, "x");
    const engine = await place.engine({ roots: [inside] });
    for (const [asked, code] of [
      [`${inside}/${uriOf(secret)}`, codeOfOddName],
      [`${inside}/${uriOf(join(place.root, "absent"))}`, codeOfOddName],
      [`${inside}/~/${relative(realpathSync(homedir()), secret)}`, "FE_NOT_FOUND"],
      [`${inside}/@folder`, "FE_NOT_FOUND"],
    ] as const) {
      const failure = await failureOf(engine.edit({ path: asked, ...edit }));
      expect(failure.code).toBe(code);
      expect(failure.hint).toMatch(/^(?:Check the spelling|Name the file without the colon)/);
    }
    await expectTold(place, `${inside}/${uriOf(secret)}`, secret, codeOfOddName);
  });
});
