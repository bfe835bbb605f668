/**
 * The built MCP server and the SDK's own client, on real files and with records of edits that were
 * really killed. The failures of another server that are measured here: six parallel calls on one
 * file lost five of six, a hard link was split, CRLF became LF, bytes of GBK became U+FFFD, and an
 * ambiguous text was replaced at its first place.
 */
import { link, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { needs } from "../../native/test/abilities.ts";
import { fileState } from "./harness/command.ts";
import { mcpFolder } from "./harness/mcp.ts";
import { edit, mcpSuite } from "./harness/mcp-suite.ts";
import { stoppedEdit } from "./harness/stopped-edit.ts";

const suite = mcpSuite();
const { start } = suite;

describe("edit_file", () => {
  it("B9 S10 applies 20 rounds of six parallel calls on six lines of one file", async () => {
    const file = await suite.folder.write("f", "");
    const { call } = await start();
    const counts = { applied: 0, present: 0 };
    for (let round = 0; round < 20; round++) {
      const lines = Array.from({ length: 6 }, (_, line) => `round ${round}, line ${line}: old`);
      await writeFile(file, `${lines.join("\n")}\n`);
      const answers = await Promise.all(
        lines.map((line) => call("edit_file", edit(file, line, line.replace("old", "new")))),
      );
      const text = await readFile(file, "utf8");
      counts.applied += answers.filter(({ structured }) => structured.status === "applied").length;
      counts.present += lines.filter((line) => text.includes(line.replace("old", "new"))).length;
    }
    expect(counts).toEqual({ applied: 120, present: 120 });
    expect(await suite.folder.storeFiles()).toEqual([]);
  });

  it("S9 applies those of two servers, which wait for one another", async () => {
    const lines = Array.from({ length: 12 }, (_, line) => `line ${line}: old`);
    const file = await suite.folder.write("f", `${lines.join("\n")}\n`);
    const servers = [await start(), await start()];
    const answers = await Promise.all(
      lines.map((line, index) =>
        servers[index % 2]?.call("edit_file", edit(file, line, line.replace("old", "new"))),
      ),
    );
    expect(answers.map((answer) => answer?.structured.status)).toEqual(lines.map(() => "applied"));
    expect(await readFile(file, "utf8")).toBe(`${lines.join("\n").replaceAll("old", "new")}\n`);
  });

  it("S8 keeps a hard link", async () => {
    const file = await suite.folder.write("f", "a draft\n");
    await link(file, suite.folder.file("other"));
    const { ino } = await stat(file);
    const { call } = await start();
    expect((await call("edit_file", edit(file, "draft", "final"))).isError).toBe(false);
    expect((await stat(file)).ino).toBe(ino);
    expect(await readFile(suite.folder.file("other"), "utf8")).toBe("a final\n");
  });

  it("B8 keeps CRLF, a byte order mark, and bytes that are not UTF-8", async () => {
    const crlf = await suite.folder.write("crlf", "\ufeffone\r\ntwo\r\nthree\r\n");
    const { call } = await start();
    expect((await call("edit_file", edit(crlf, "one\ntwo", "1\n2"))).isError).toBe(false);
    expect(await readFile(crlf, "utf8")).toBe("\ufeff1\r\n2\r\nthree\r\n");
    const gbk = [0xd6, 0xd0, 0xce, 0xc4, 0x0a];
    const bytes = await suite.folder.write(
      "gbk",
      Buffer.from([...gbk, ...Buffer.from("a draft\n")]),
    );
    expect((await call("edit_file", edit(bytes, "a draft", "a final"))).isError).toBe(false);
    expect([...(await readFile(bytes))]).toEqual([...gbk, ...Buffer.from("a final\n")]);
    const named = { ...edit(bytes, "中文", "文"), encoding: "gbk" };
    expect((await call("edit_file", named)).isError).toBe(false);
    expect([...(await readFile(bytes)).subarray(0, 3)]).toEqual([0xce, 0xc4, 0x0a]);
  });

  it("B7 refuses an ambiguous text, explains a miss, and leaves the file alone", async () => {
    const file = await suite.folder.write("f", "same\nsame\n\tother\n");
    const before = await fileState(file);
    const { call } = await start();
    const ambiguous = await call("edit_file", edit(file, "same", "x"));
    expect(ambiguous).toMatchObject({ isError: true, code: "FE_AMBIGUOUS_MATCH" });
    expect(ambiguous.structured.matches).toMatchObject([{ line: 1 }, { line: 2 }]);
    const miss = await call("edit_file", edit(file, "    other", "x"));
    expect(miss).toMatchObject({ isError: true, code: "FE_NO_MATCH" });
    expect(miss.text).toContain("3 | \tother");
    expect(await fileState(file)).toEqual(before);
  });

  it("S15 waits for another edit, or says that the same call may succeed later", async () => {
    const file = await suite.folder.write("f", "one\ntwo\n");
    const other = await stoppedEdit({
      ...{ path: file, userData: suite.folder.dataPath, at: "target.overwrite" },
      edit: { oldString: "one", newString: "1" },
    });
    const { call } = await start();
    const busy = await call("edit_file", { ...edit(file, "two", "2"), wait_ms: 0 });
    expect(busy).toMatchObject({ isError: true, code: "FE_BUSY" });
    expect(busy.structured).toMatchObject({ status: "conflict", error: { retryable: true } });
    expect(busy.text).toContain("The same call may succeed later.");
    const waiting = call("edit_file", edit(file, "two", "2"));
    expect(await other.goOn()).toBe("applied");
    expect((await waiting).isError).toBe(false);
    expect(await readFile(file, "utf8")).toBe("1\n2\n");
  });

  it("edits nothing outside of the roots, by whatever way", async (context) => {
    needs(context, "symlinks");
    await mkdir(suite.folder.file("in"));
    const outside = await suite.folder.write("outside", "a draft\n");
    await suite.folder.write("in/f", "a draft\n");
    await symlink(outside, suite.folder.file("in/link"));
    const { call } = await start(suite.folder.file("in"));
    for (const name of ["outside", "in/link", "in/../outside", "nowhere"]) {
      const answer = await call("edit_file", edit(`${suite.folder.path}/${name}`, "draft", "x"));
      expect(answer, name).toMatchObject({ isError: true, code: "FE_OUTSIDE_ROOT" });
    }
    expect((await call("edit_file", edit("../outside", "draft", "x"))).code).toBe(
      "FE_OUTSIDE_ROOT",
    );
    expect(await readFile(outside, "utf8")).toBe("a draft\n");
    expect((await call("edit_file", edit("f", "draft", "final"))).isError).toBe(false);
  });

  it("keeps to roots of the client, which only narrow", async () => {
    for (const name of ["in", "in/sub", "out"]) await mkdir(suite.folder.file(name));
    for (const name of ["in/f", "in/sub/f", "out/f"]) await suite.folder.write(name, "a draft\n");
    const roots = [suite.folder.file("in/sub"), suite.folder.file("out")];
    const { call } = await start(suite.folder.file("in"), { roots });
    for (const name of ["in/f", "out/f"]) {
      const answer = await call("edit_file", edit(suite.folder.file(name), "draft", "x"));
      expect(answer.code, name).toBe("FE_OUTSIDE_ROOT");
    }
    expect((await call("edit_file", edit("f", "draft", "final"))).isError).toBe(false);
    expect(await readFile(suite.folder.file("in/sub/f"), "utf8")).toBe("a final\n");
  });

  it("allows nothing by a root of the client that is a file, not that file either", async () => {
    const file = await suite.folder.write("f", "a draft\n");
    const { call } = await start(suite.folder.path, { roots: [file] });
    expect((await call("edit_file", edit(file, "draft", "x"))).code).toBe("FE_OUTSIDE_ROOT");
    expect(await readFile(file, "utf8")).toBe("a draft\n");
    // Its directory allows it: the file alone was the reason.
    const other = await start(suite.folder.path, { roots: [suite.folder.path] });
    expect((await other.call("edit_file", edit(file, "draft", "x"))).isError).toBe(false);
  });
});

describe("the package", () => {
  it("has the licence of all code that is built into it", async () => {
    const map = JSON.parse(await readFile(`${mcpFolder}/dist/server.cjs.map`, "utf8"));
    const names = new Set<string>();
    for (const source of map.sources as string[]) {
      const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source) ?? [];
      if (name !== undefined) names.add(name);
    }
    const licences = await readFile(`${mcpFolder}/THIRD-PARTY.md`, "utf8");
    expect(names.size).toBeGreaterThan(0);
    for (const name of names) expect(licences).toContain(`## ${name} `);
  });
});
