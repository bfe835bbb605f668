// What plain JavaScript can get wrong: a name that is not known, a value of another kind.
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { strandEdit } from "../test/orphans.ts";
import { failureOf, Place, placeWithFile } from "../test/place.ts";
import { nearName } from "./check-members.ts";
import type { EditOptions, EditRequest, EngineOptions, ResolveOptions } from "./options.ts";

const edit = { oldString: "one", newString: "1" };
const text = "one\ntwo\n";

/** As a program without types gives it. */
const untyped = <T>(value: object): T => value as T;

function near(names: readonly string[], pairs: Readonly<Record<string, string | undefined>>): void {
  for (const [name, meant] of Object.entries(pairs))
    expect(nearName(name, names), name).toBe(meant);
}

describe("the options of an engine", () => {
  const opening = (options: object) =>
    failureOf(new Place().engine(untyped<EngineOptions>(options)));

  it("Q5 of a slip in a name that would limit access, the right name is told", async () => {
    for (const [name, meant] of [
      ["root", "roots"],
      ["Roots", "roots"],
      ["authorise", "authorize"],
      ["follow_symlinks", "followSymlinks"],
      ["maxFilesBytes", "maxFileBytes"],
    ] as const) {
      const failure = await opening({ [name]: ["/tmp"] });
      expect(failure).toMatchObject({
        code: "FE_INVALID_REQUEST",
        message: `Cannot open the engine: the options must not have "${name}"`,
        hint: `Did you mean ${meant}?`,
      });
    }
    const other = await opening({ colour: "red" });
    expect(other.hint).toMatch(/^It may have roots, authorize, .*followSymlinks$/u);
  });

  it("Q5 of a wrong value it is told where, what was wanted, what came", async () => {
    for (const [options, message] of [
      [{ roots: "/" }, 'roots must be a list of directories, not the text "/"'],
      [{ roots: [7] }, "a root must be text, not 7"],
      [{ followSymlinks: "no" }, 'followSymlinks must be true or false, not the text "no"'],
      [{ maxFileBytes: "1" }, 'maxFileBytes must be a number of bytes from 0 on, not the text "1"'],
      [{ maxFileBytes: -1 }, "maxFileBytes must be a number of bytes from 0 on, not -1"],
      [{ authorize: true }, "authorize must be a function, not true"],
      [{ profile: null }, "profile must be text, not null"],
    ] as const) {
      const failure = await opening(options);
      expect(failure.message).toBe(`Cannot open the engine: ${message}`);
      expect(failure.hint).toMatch(/^(?:Give|Leave|Infinity)/u);
    }
  });

  it("allow nothing where roots is an empty list, and the hint says so", async () => {
    const { place, path } = placeWithFile(text);
    const engine = await place.engine({ roots: [] });
    expect(await failureOf(engine.edit({ path, ...edit }))).toMatchObject({
      code: "FE_OUTSIDE_ROOT",
      hint: "No directory is allowed: `roots` is an empty list",
    });
  });
});

describe("an edit", () => {
  it("Q5 refuses names that it does not know, in request, edits and options", async () => {
    const { place, path } = placeWithFile(text);
    const engine = await place.engine();
    const message = (what: string, name: string) =>
      `Cannot edit${what === "the options" ? "" : ` "${path}"`}: ${what} must not have "${name}"`;
    for (const [request, options, what, name, meant] of [
      [{ ...edit, replace_all: true }, {}, "the request", "replace_all", "replaceAll"],
      [{ ...edit, expectedSha: "" }, {}, "the request", "expectedSha", "expectedSha256"],
      [{ edits: [edit, { ...edit, all: 1 }] }, {}, "edit 2 of 2", "all", undefined],
      [edit, { wait: 5 }, "the options", "wait", "waitMs"],
      [edit, { exclusiv: "off" }, "the options", "exclusiv", "exclusive"],
    ] as const) {
      for (const attempt of [engine.edit, engine.preview]) {
        const call = attempt.call(engine, untyped({ path, ...request }), untyped(options));
        const failure = await failureOf(call);
        expect(failure.message).toBe(message(what, name));
        expect(failure.hint).toMatch(meant === undefined ? /^It may have / : /^Did you mean /u);
        if (meant !== undefined) expect(failure.hint).toBe(`Did you mean ${meant}?`);
      }
    }
  });

  it("Q5 refuses guards beside edits, which would guard nothing", async () => {
    const { place, path } = placeWithFile(text);
    const engine = await place.engine();
    for (const guard of [
      { expectedReplacements: 7 },
      { replaceAll: true },
      { replaceAll: false },
    ]) {
      const request = untyped<EditRequest>({ path, edits: [edit], ...guard });
      const failure = await failureOf(engine.edit(request));
      const [name] = Object.keys(guard);
      expect(failure).toMatchObject({
        code: "FE_INVALID_REQUEST",
        message: expect.stringContaining(
          `${name} stands beside edits, where it would count for none`,
        ),
        hint: `Give ${name} to each of the edits that it is for`,
      });
    }
    expect((await engine.edit({ path, edits: [edit] })).status).toBe("applied");
  });

  it("Q5 refuses what is no signal, instead of taking it for an abort", async () => {
    const { place, path } = placeWithFile(text);
    const engine = await place.engine();
    for (const signal of [{}, "stop", { aborted: false }]) {
      const options = untyped<EditOptions>({ signal });
      const failure = await failureOf(engine.edit({ path, ...edit }, options));
      expect(failure.code).toBe("FE_INVALID_REQUEST");
      expect(failure.message).toMatch(/^Cannot edit: signal must be an AbortSignal, not /u);
    }
    const { signal } = new AbortController();
    expect((await engine.edit({ path, ...edit }, { signal })).status).toBe("applied");
  });

  it("takes what is undefined for left out, and an object of a class for a request", async () => {
    const { place, path } = placeWithFile(text);
    const engine = await place.engine();
    class Request {
      get path(): string {
        return path;
      }
      readonly oldString = "one";
      readonly newString = "1";
      readonly replaceAll = undefined;
    }
    const options = untyped<EditOptions>({ signal: undefined, waitMs: undefined });
    const request = untyped<EditRequest>(new Request());
    expect((await engine.edit(request, options)).status).toBe("applied");
  });

  it("tells hints in the library's names", async () => {
    const { place, path } = placeWithFile(text);
    const engine = await place.engine();
    const failure = await failureOf(engine.edit({ path, ...edit, expectedSha256: "abc" }));
    expect(failure.message).toBe(
      `Cannot edit "${path}": the expected SHA-256 must be 64 hexadecimal digits, ` +
        'not the text "abc"',
    );
    expect(failure.hint).toBe("Take `beforeSha256` or `afterSha256` of an earlier answer");
  });
});

describe("recovery", () => {
  it("Q5 refuses what it cannot carry out, of a record that is there", async () => {
    const { place, path } = placeWithFile(text);
    const id = await strandEdit(place, path, edit, "torn");
    const engine = await place.engine();
    const { recovery } = engine;
    for (const [attempt, message] of [
      [
        () => recovery.show(id, untyped(Object("foo"))),
        /the version must be "before", "after" or/u,
      ],
      [() => recovery.resolve(id, untyped<ResolveOptions>({})), /nothing is said to be kept/u],
      [() => recovery.resolve(id, untyped({ kepp: "before" })), /must not have "kepp"/u],
      [() => recovery.resolve(id, untyped({ keep: "foo" })), /keep must be "before", "after" or/u],
      [() => recovery.resolve(id, untyped({ content: "x" })), /content must be bytes, not the/u],
      [() => recovery.undo(id, untyped({ expectedSha256: "" })), /not have "expectedSha256"/u],
    ] as const) {
      const failure = await failureOf(attempt());
      expect(failure).toMatchObject({ code: "FE_INVALID_REQUEST", effect: "none" });
      expect(failure.message).toMatch(message);
    }
    expect(place.records()).toHaveLength(1);
    writeFileSync(path, text);
  });
});

describe("nearName()", () => {
  it("finds what was meant: another case, a slip, a part; and nothing that is far", () => {
    near(["path", "oldString", "newString", "replaceAll", "edits"], {
      old_string: "oldString",
      file_path: "path",
      pth: "path",
      OLDSTRING: "oldString",
      replaceall: "replaceAll",
      edit: "edits",
      content: undefined,
      x: undefined,
      ["p".repeat(1_000_000)]: undefined,
    });
  });
});
