/** The packed packages, installed outside of the workspace without compiler and install scripts. */
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Results } from "../harness/results.ts";
import { buildTools, type Cache, Consumer, type Installer } from "./consumer.ts";
import {
  bundledProgram,
  cjsProgram,
  electronProgram,
  esmProgram,
  typedProgram,
  unavailableProgram,
  whichAddonProgram,
  workerProgram,
} from "./programs.ts";
import { readPackages } from "./tarballs.ts";

const packages = readPackages();
const native = packages.filter(({ name }) => name === "@fe/native");
const require = createRequire(import.meta.url);
const folderOf = (name: string): string => path.dirname(require.resolve(`${name}/package.json`));

/** The esbuild of tsup, which consumers may use as well. */
const tsup = createRequire(require.resolve("tsup"));
const bundler = path.join(path.dirname(tsup.resolve("esbuild/package.json")), "bin", "esbuild");

const results = new Results("packages");

/** How long it took is told, and not asserted, since other work on the machine counts too. */
function installAll(consumer: Consumer, by: Installer, cache: Cache): void {
  const install = consumer.install(by, packages, cache);
  results.add(`install by ${by}, ${cache} cache`, { by, cache, ...install });
  const { seconds, processorSeconds, count } = install;
  const processor = processorSeconds?.toFixed(1) ?? "unknown";
  const took = `${seconds.toFixed(1)} s, ${processor} s of processor time`;
  console.log(`installed by ${by}, ${cache} cache, ${count} packages: ${took}`);
}

function expectEdit(consumer: Consumer): void {
  const file = consumer.write("bin.txt", "a draft");
  const words = ["edit", file, "--old-string", "draft", "--new-string", "final", "--json"];
  const { exit, out, err } = consumer.run(consumer.file("node_modules/.bin/fe"), words);
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  expect(JSON.parse(out)).toMatchObject({ status: "applied", replacements: 1 });
  expect(readFileSync(file, "utf8")).toBe("a final");
}

describe.each<Installer>(["npm", "pnpm"])("by %s", (installer) => {
  let consumer: Consumer;

  beforeAll(() => {
    consumer = new Consumer();
    installAll(consumer, installer, "warm");
  });

  afterAll(() => consumer[Symbol.dispose]());

  test("D5 no compiler is on PATH", () => {
    for (const tool of buildTools) {
      expect(consumer.run("sh", ["-c", `command -v ${tool}`]).exit, tool).not.toBe(0);
    }
    expect(consumer.run("sh", ["-c", "command -v node"]).exit).toBe(0);
  });

  test("B13 D2 the loader takes the prebuilt file, and nothing was built", () => {
    const found = consumer.runText("which.cjs", whichAddonProgram);
    const folder = `${process.platform}-${process.arch}`;
    expect(found).toMatch(new RegExp(`^prebuilds/${folder}/@fe\\+native.*\\.node$`));
  });

  test("D5 an ES module edits a file", () => {
    const file = consumer.write("esm.txt", "a draft");
    expect(consumer.runText("esm.mjs", esmProgram, [file])).toBe("applied a final");
  });

  test("D5 a CommonJS module edits a file", () => {
    const file = consumer.write("cjs.txt", "a draft");
    expect(consumer.runText("cjs.cjs", cjsProgram, [file])).toBe("applied a final");
  });

  test("D5 both kinds of module share one addon", () => {
    const program = `
      import { createRequire } from "node:module";
      import "@fe/native";
      const require = createRequire(import.meta.url);
      const native = require.resolve("@fe/native");
      const before = Object.keys(require.cache).filter((name) => name.endsWith("binding.cjs"));
      require("@fe/native");
      const after = Object.keys(require.cache).filter((name) => name.endsWith("binding.cjs"));
      console.log(before.length, after.length);`;
    expect(consumer.runText("shared.mjs", program)).toBe("1 1");
  });

  test.each(["esm", "cjs"])(
    "D5 Q5 bundled as %s, it is imported, and says what to do",
    (format) => {
      const bundle = consumer.file(`bundle.${format === "esm" ? "mjs" : "cjs"}`);
      const build = (...flags: readonly string[]): string[] => {
        const names = [consumer.write("bundled.mjs", bundledProgram), `--outfile=${bundle}`];
        const fixed = ["--bundle", "--platform=node", "--log-level=error", `--format=${format}`];
        expect(consumer.run(process.execPath, [bundler, ...names, ...fixed, ...flags]).err).toBe(
          "",
        );
        return consumer.run(process.execPath, [bundle]).out.trim().split("\n");
      };
      const [first, ...failure] = build();
      expect(first).toBe("imported");
      expect(failure.join("\n")).toMatch(/^FE_NATIVE_UNAVAILABLE .*--external:@fe\/native/su);
      // pnpm links into the program's folder only what the program asks for, which here is all.
      expect(build("--external:@fe/native")).toEqual(["imported", "opened"]);
    },
  );

  test("D5 the types are right for a module and for a script", () => {
    consumer.write("typed.mts", typedProgram);
    consumer.write("typed.cts", typedProgram);
    const types = path.dirname(folderOf("@types/node"));
    const flags = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022"];
    const lib = ["--lib", "es2023,esnext.disposable", "--typeRoots", types, "--types", "node"];
    const tsc = path.join(folderOf("typescript"), "bin", "tsc");
    const files = ["typed.mts", "typed.cts"];
    const { exit, out } = consumer.run(process.execPath, [tsc, ...flags, ...lib, ...files]);
    expect(out).toBe("");
    expect(exit).toBe(0);
  });

  test("D5 the command fe edits a file", () => {
    expectEdit(consumer);
    expect(consumer.run(consumer.file("node_modules/.bin/fe"), ["--version"]).out.trim()).toBe(
      native[0]?.manifest.version,
    );
  });

  test("D5 the command fe-mcp starts", () => {
    const { exit, out } = consumer.run(consumer.file("node_modules/.bin/fe-mcp"), ["--help"]);
    expect(exit).toBe(0);
    expect(out).toContain("--root");
  });

  test("B13 D5 the addon is loaded by four worker threads at once", () => {
    const file = consumer.write("worker.txt", "");
    expect(consumer.runText("worker.cjs", workerProgram, [file])).toBe("ok");
  });

  test("B13 D5 the addon is loaded by a program of another name that says it is Electron", () => {
    const program = consumer.write("electron.cjs", electronProgram);
    const host = consumer.file("editor");
    copyFileSync(process.execPath, host);
    chmodSync(host, 0o755);
    const environment = { ELECTRON_RUN_AS_NODE: "1" };
    const { exit, out, err } = consumer.run(host, [program], environment);
    rmSync(host);
    expect({ exit, out: out.trim(), err }).toEqual({ exit: 0, out: "ok editor", err: "" });
  });
});

test("D5 npm installs with an empty cache, and the command fe edits a file", () => {
  using consumer = new Consumer();
  installAll(consumer, "npm", "empty");
  expectEdit(consumer);
});

describe("@fe/native alone", () => {
  let consumer: Consumer;

  beforeAll(() => {
    consumer = new Consumer();
    consumer.install("npm", native, "warm");
  });

  afterAll(() => consumer[Symbol.dispose]());

  test("D2 D5 the example of its page tells that a file is still the same", () => {
    const page = native[0]?.files.get("README.md")?.toString() ?? "";
    const example = /^```js\n(?<code>[\s\S]*?)^```$/mu.exec(page)?.groups?.code ?? "";
    expect(example).toContain("sameFile");
    consumer.write("notes.md", "");
    expect(consumer.runText("example.mjs", example)).toBe("true");
  });

  test("D2 D5 another file under the same name is told from it", () => {
    const program = `
      import { renameSync, writeFileSync } from "node:fs";
      import { createNodeOs, sameFile } from "@fe/native";
      const os = createNodeOs();
      const look = async () => (await os.inspectTarget(path)).targetStatus.identity;
      const path = await os.resolveRealPath("notes.md", { followLast: true });
      const before = await look();
      writeFileSync("other", "");
      renameSync("other", "notes.md");
      console.log(sameFile(before, await look(), { sameBoot: true }));`;
    consumer.write("notes.md", "");
    expect(consumer.runText("replaced.mjs", program)).toBe("false");
  });

  test("D5 Q5 without a file for the system, the error says what was tried and what to do", () => {
    const folder = consumer.file("node_modules/@fe/native/prebuilds");
    execFileSync("rm", ["-r", folder]);
    execFileSync("mkdir", [folder]);
    const [isUnavailable, ...lines] = consumer
      .runText("unavailable.cjs", unavailableProgram)
      .split("\n");
    expect(isUnavailable).toBe("true");
    const text = lines.join("\n");
    expect(text).toContain(`${process.platform}-${process.arch}, Node ${process.versions.node}`);
    expect(text).toContain(`${folder}/${process.platform}-${process.arch} (not there)`);
    expect(text).toContain("npx node-gyp rebuild");
  });
});
