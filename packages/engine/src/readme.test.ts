// The examples of README.md run as they stand there; only the place of files is another.
import { createHash } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { afterEach, describe, expect, it } from "vitest";
import { strandEdit } from "../test/orphans.ts";
import { Place } from "../test/place.ts";
import * as engineModule from "./index.ts";

const readme = readFileSync(path.resolve(import.meta.dirname, "..", "README.md"), "utf8");
const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gmsu)].map(([, code]) => code ?? "");

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

type Scope = Readonly<Record<string, unknown>>;

/** Runs an example in a scope of its own; what it imports is this package. */
async function run(code: string, scope: Scope): Promise<void> {
  const compiled = ts.transpile(code, { target: ts.ScriptTarget.ES2022 });
  const body = compiled.replace(
    /^import (\{.*?\}) from "(@fe\/engine|node:[a-z_]+)";$/gmu,
    (_, names: string, module: string) => `const ${names} = await load(${JSON.stringify(module)});`,
  );
  const names = Object.keys(scope);
  // biome-ignore lint/complexity/noBannedTypes: what makes functions of text has no other name
  const AsyncFunction = (async () => {}).constructor as new (...texts: string[]) => Function;
  // A block, so that an example may declare what the scope has as well.
  await new AsyncFunction(...names, `{ ${body} }`)(...Object.values(scope));
}

const subscribed: Parameters<typeof subscribe>[] = [];

/** What an example imports. What it subscribes to ends with the test: others share this process. */
async function load(name: string, place: Place): Promise<unknown> {
  if (name === "@fe/engine") {
    return { ...engineModule, openEngine: (options: object) => place.engine(options) };
  }
  if (name !== "node:diagnostics_channel") return import(name);
  return {
    subscribe: (...parameters: Parameters<typeof subscribe>) => {
      subscribe(...parameters);
      subscribed.push(parameters);
    },
  };
}

afterEach(() => {
  for (const parameters of subscribed.splice(0)) unsubscribe(...parameters);
});

/** Members of the interfaces with which a program says what it wants. */
function optionNames(): string[] {
  const wanted =
    /^(?:(?:SingleEdit|SeveralEdits)Request|Keep\w+|\w+Base|(?:Edit|Engine|Undo)Options)$/u;
  const source = readFileSync(path.join(import.meta.dirname, "options.ts"), "utf8");
  const tree = ts.createSourceFile("options.ts", source, ts.ScriptTarget.ESNext, true);
  return tree.statements
    .filter(ts.isInterfaceDeclaration)
    .filter(({ name }) => wanted.test(name.text))
    .flatMap(({ members }) => members.map(({ name }) => name?.getText() ?? ""));
}

describe("README.md of @fe/engine", () => {
  it("Q4 every option of an engine, an edit, a resolution and an undo stands there", () => {
    const names = optionNames();
    expect(names.length).toBeGreaterThan(20);
    expect(names).toContain("lineEndings");
    expect(names).toContain("content");
    expect(names).toContain("followSymlinks");
    for (const name of names) expect(readme).toMatch(new RegExp(`\\b${name}\\b`, "u"));
  });

  it("Q4 every example runs", async () => {
    expect(examples.length).toBe(6);
    for (const code of examples) {
      const place = new Place();
      const file = place.path("notes.md");
      const text = 'a draft, "version": "1.0.0", "private": true';
      writeFileSync(file, text);
      const id = await strandEdit(place, file, { oldString: "draft", newString: "x" }, "torn");
      if (!code.includes("recovery.")) {
        const settling = await place.engine();
        await settling.recovery.resolve(id, { keep: "before" });
      }
      writeFileSync(place.path("package.json"), text);
      const shown: unknown[] = [];
      const engine = await place.engine();
      await run(code.replaceAll("/home/ada/project", place.work.replaceAll("\\", "\\\\")), {
        load: (name: string) => load(name, place),
        engine: {
          edit: (request: engineModule.EditRequest, ...more: []) =>
            engine.edit({ ...request, path: place.path(path.basename(request.path)) }, ...more),
          recovery: engine.recovery,
        },
        request: { path: "notes.md", oldString: "nowhere", newString: "x" },
        id,
        hashOfWhatWasRead: sha256(text),
        hashOfTheCurrentBytes: sha256("torn"),
        process: { stdout: { write: (chunk: unknown) => shown.push(chunk) } },
        console: {
          log: (...words: unknown[]) => shown.push(words),
          error: () => shown.push("error"),
        },
      });
      expect(code.includes("console") ? shown.length : 1, code).toBeGreaterThan(0);
    }
  });
});
