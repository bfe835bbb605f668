// What an open engine says of itself.
import { mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { parse, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { needs } from "../../../native/test/abilities.ts";
import { failureOf, Place } from "../test/place.ts";

describe("Engine.roots", () => {
  it("has real paths, in the order in which the roots were given", async (context) => {
    needs(context, "symlinks");
    const place = new Place();
    for (const name of ["one", "two"]) mkdirSync(place.path(name));
    symlinkSync(place.path("one"), place.path("link"));
    const engine = await place.engine({ roots: [place.path("two"), place.path("link")] });
    expect(engine.roots).toEqual([place.path("two"), place.path("one")]);
  });

  it("stays when the link that led to a root is turned elsewhere", async (context) => {
    needs(context, "symlinks");
    const place = new Place();
    for (const name of ["one", "two"]) {
      mkdirSync(place.path(name));
      writeFileSync(place.path(`${name}/f`), "a\n");
    }
    const link = place.path("link");
    symlinkSync(place.path("one"), link);
    const engine = await place.engine({ roots: [link] });
    rmSync(link);
    symlinkSync(place.path("two"), link);
    expect(engine.roots).toEqual([place.path("one")]);
    const edit = engine.edit({ path: `${link}/f`, oldString: "a", newString: "b" });
    expect((await failureOf(edit)).code).toBe("FE_OUTSIDE_ROOT");
  });

  it("refuses a root that is no directory, by each name that it has", async (context) => {
    const place = new Place();
    writeFileSync(place.path("file"), "a\n");
    const refused = await failureOf(place.engine({ roots: [place.work, place.path("file")] }));
    expect(refused).toMatchObject({ code: "FE_INVALID_REQUEST", path: place.path("file") });
    expect(refused.message).toMatch(/^Cannot use as a root ".*file": it is no directory$/u);
    expect(refused.hint).toBe("Name the directory that holds the files");
    needs(context, "symlinks");
    symlinkSync(place.path("file"), place.path("link"));
    const byLink = await failureOf(place.engine({ roots: [place.path("link")] }));
    expect(byLink.code).toBe("FE_INVALID_REQUEST");
  });

  it("refuses a root that is not there, is empty, or no text", async () => {
    const place = new Place();
    const cases: readonly [unknown, string, RegExp][] = [
      [[place.path("missing")], "FE_NOT_FOUND", /missing": there is no such file$/u],
      [[""], "FE_INVALID_REQUEST", /root "": the path is not valid$/u],
      [["a\0b"], "FE_INVALID_REQUEST", /the path is not valid$/u],
      [[7], "FE_INVALID_REQUEST", /a root must be text, not 7$/u],
      [[null], "FE_INVALID_REQUEST", /a root must be text, not null$/u],
      [place.work, "FE_INVALID_REQUEST", /roots must be a list of directories, not the text /u],
    ];
    for (const [roots, code, message] of cases) {
      const refused = await failureOf(place.engine({ roots: roots as string[] }));
      expect(refused.code).toBe(code);
      expect(refused.message).toMatch(message);
      expect(refused.hint).toBeTruthy();
    }
  });

  it("takes one that is relative from the working directory, and the top of a tree", async () => {
    const place = new Place();
    const engine = await place.engine({ roots: [relative(process.cwd(), place.work)] });
    expect(engine.roots).toEqual([place.work]);
    const top = parse(place.work).root;
    expect((await place.engine({ roots: [top] })).roots).toEqual([top]);
  });

  it("is undefined without a limit", async () => {
    const place = new Place();
    expect((await place.engine()).roots).toBeUndefined();
  });
});

describe("Engine.close()", () => {
  const edit = { oldString: "a", newString: "b" };

  it("B15 waits for running edits, is harmless twice, and closes everything", async () => {
    const place = new Place();
    const path = place.path("f");
    writeFileSync(path, "a\n");
    const engine = await place.engine();
    const running = engine.edit({ path, ...edit });
    await Promise.all([engine.close(), engine.close()]);
    expect((await running).status).toBe("applied");
    for (const late of [
      engine.edit({ path, ...edit }),
      engine.preview({ path, ...edit }),
      engine.recovery.list(),
      engine.identify(path),
    ]) {
      expect((await failureOf(late)).code).toBe("FE_CLOSED");
    }
  });

  it("B15 is what the end of an `await using` block does", async () => {
    const place = new Place();
    const path = place.path("f");
    writeFileSync(path, "a\n");
    const engine = await place.engine();
    {
      await using inBlock = engine;
      expect((await inBlock.edit({ path, ...edit })).status).toBe("applied");
    }
    expect((await failureOf(engine.recovery.list())).code).toBe("FE_CLOSED");
  });
});

describe("the signal of an edit", () => {
  it("B15 stops an edit and a preview that have not begun, and leaves no trace", async () => {
    const place = new Place();
    const path = place.path("f");
    writeFileSync(path, "a\n");
    const before = statSync(path, { bigint: true });
    const engine = await place.engine();
    const request = { path, oldString: "a", newString: "b" };
    const signal = AbortSignal.abort(new Error("the caller's reason"));
    for (const attempt of [engine.edit(request, { signal }), engine.preview(request, { signal })]) {
      const failure = await failureOf(attempt);
      expect(failure).toMatchObject({ code: "FE_ABORTED", effect: "none", retryable: true });
      expect(failure.message).toBe(`Stopped editing "${path}": the caller's reason`);
    }
    const wordless = await failureOf(engine.edit(request, { signal: AbortSignal.abort() }));
    expect(wordless.message).toBe(`Stopped editing "${path}": the caller aborted it`);
    expect(statSync(path, { bigint: true })).toMatchObject({
      ino: before.ino,
      mtimeNs: before.mtimeNs,
    });
    expect(place.storeNames()).toEqual([]);
  });
});
