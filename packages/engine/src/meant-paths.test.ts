import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { relative } from "node:path";
import { describe, expect, it } from "vitest";
import { failureOf, placeWithFile } from "../test/place.ts";
import { spellingsOf } from "./meant-paths.ts";

const edit = { oldString: "x", newString: "y" };

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
    expect(spellingsOf(path, "/home/u")).toContain(meant);
  });

  it("have an end, and nothing for a plain or broken path", () => {
    expect(spellingsOf("/a/b.ts", "/home/u")).toEqual([]);
    expect(spellingsOf("file:///a%ff", "/home/u")).toEqual([]);
    expect(spellingsOf("/@".repeat(2000), "/home/u").length).toBeLessThan(30);
  });
});

describe("an edit of a path in another form", () => {
  it.each([
    ["a URI", (path: string) => `file://${path}`],
    ["a line number", (path: string) => `${path}:12`],
    ["quotes", (path: string) => path.replace(/a$/, '"a"')],
    ["a mention", (path: string) => path.replace(/a$/, "@a")],
    ["a backslash", (path: string) => path.replace(/\/a$/, "\\a")],
  ])("names the file that is there: %s", async (_what, other) => {
    const { place, path } = placeWithFile("x\n");
    const engine = await place.engine({ roots: [place.root] });
    const asked = other(path).startsWith("/") ? other(path) : `${place.work}/${other(path)}`;
    const failure = await failureOf(engine.edit({ path: asked, ...edit }));
    expect(failure).toMatchObject({ code: "FE_NOT_FOUND", hint: `"${path}" is there; name it so` });
  });

  it("tells nothing of what lies outside of the roots, nor of a directory", async () => {
    const { place } = placeWithFile("x\n");
    const inside = `${place.root}/inside`;
    mkdirSync(inside);
    mkdirSync(`${inside}/folder`);
    writeFileSync(`${place.root}/secret`, "x");
    const engine = await place.engine({ roots: [inside] });
    for (const asked of [
      `${inside}/file://${place.root}/secret`,
      `${inside}/file://${place.root}/absent`,
      `${inside}/~/${relative(realpathSync(homedir()), `${place.root}/secret`)}`,
      `${inside}/@folder`,
    ]) {
      const failure = await failureOf(engine.edit({ path: asked, ...edit }));
      expect(failure.code).toBe("FE_NOT_FOUND");
      expect(failure.hint).toMatch(/^Check the spelling/);
    }
    const open = await place.engine({ roots: [place.root] });
    const told = await failureOf(
      open.edit({ path: `${inside}/file://${place.root}/secret`, ...edit }),
    );
    expect(told.hint).toBe(`"${place.root}/secret" is there; name it so`);
  });
});
