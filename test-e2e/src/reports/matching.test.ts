// Reports of texts that were replaced in the wrong place, in the wrong form, or too often.
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { failureOf, Place } from "../../../packages/engine/test/place.ts";
import { CommandFolder, fileState, replace } from "../harness/command.ts";
import { startMcp } from "../harness/mcp.ts";

describe("the new text", () => {
  it("3A-12 is inserted literally, with every dollar sequence, once and everywhere", async () => {
    await using folder = await CommandFolder.create();
    const path = await folder.write("f", "one two one\n");
    const dollars = "$& $$ $1 $` $' $<name> $0 \\1 \\n %s";
    expect((await folder.fe(replace("f", "two", dollars))).exit).toBe(0);
    expect(readFileSync(path, "utf8")).toBe(`one ${dollars} one\n`);
    expect((await folder.fe(replace("f", "one", dollars, "--replace-all"))).exit).toBe(0);
    expect(readFileSync(path, "utf8")).toBe(`${dollars} ${dollars} ${dollars}\n`);
    await using server = await startMcp(folder, folder.path);
    writeFileSync(path, "a.b a+b\n");
    // The old text is no pattern either.
    const input = { file_path: path, old_string: "a.b", new_string: "$&" };
    expect((await server.call("edit_file", input)).isError).toBe(false);
    expect(readFileSync(path, "utf8")).toBe("$& a+b\n");
  });

  it("3A-33 changes nothing else: blanks, special spaces and quotes far away stay", async () => {
    await using folder = await CommandFolder.create();
    const far =
      "trailing \t \nno\u00a0break\u2003wide\n\u201cquoted\u201d \u2018so\u2019 \u2013\u2014\n";
    const other = "\u00e9 e\u0301 \u200b \ufb01 tab\there\r\n\n\n";
    const path = await folder.write("f", `${far}needle\n${other}`);
    expect((await folder.fe(replace("f", "needle", "pin"))).exit).toBe(0);
    expect(readFileSync(path)).toEqual(Buffer.from(`${far}pin\n${other}`));
    // A text that only looks like one of them is refused, not taken for it.
    const missed = await folder.fe(replace("f", '"quoted"', "x", "--json"));
    expect([missed.exit, JSON.parse(missed.out).error.code]).toEqual([3, "FE_NO_MATCH"]);
  });
});

describe("the old text", () => {
  it("3A-34 that overlaps itself is ambiguous, with both lines", async () => {
    await using folder = await CommandFolder.create();
    await folder.write("f", "foo\nfoo\nfoo\n");
    const state = await fileState(folder.file("f"));
    const refused = await folder.fe(replace("f", "foo\nfoo\n", "x", "--json"));
    expect(refused.exit).toBe(4);
    const answer = JSON.parse(refused.out);
    expect(answer.error).toMatchObject({ code: "FE_AMBIGUOUS_MATCH", count: 2 });
    expect(answer.matches.map(({ line }: { line: number }) => line)).toEqual([1, 2]);
    expect(await fileState(folder.file("f"))).toEqual(state);
  });

  it("3A-35 that is empty is refused before the file is opened, on every way", async () => {
    const place = new Place();
    const path = place.path("f");
    writeFileSync(path, "one\n");
    const calls: string[] = [];
    const engine = await place.watched((call) => {
      calls.push(call.name);
      return call.proceed();
    });
    calls.length = 0;
    for (const more of [{}, { replaceAll: true }, { expectedReplacements: 4 }]) {
      const failure = await failureOf(
        engine.edit({ path, oldString: "", newString: "x", ...more }),
      );
      expect(failure.code).toBe("FE_INVALID_REQUEST");
    }
    const edits = [
      { oldString: "one", newString: "1" },
      { oldString: "", newString: "x" },
    ];
    expect((await failureOf(engine.edit({ path, edits }))).message).toMatch(/edit 2 of 2/u);
    expect(calls.filter((name) => /openTarget|resolveRealPath/u.test(name))).toEqual([]);
    await using folder = await CommandFolder.create();
    const missing = folder.file("not-there");
    const told = await folder.fe(replace(missing, "", "x", "--replace-all", "--json"));
    expect([told.exit, JSON.parse(told.out).error.code]).toEqual([2, "FE_INVALID_REQUEST"]);
    await using server = await startMcp(folder, folder.path);
    const input = { file_path: missing, old_string: "", new_string: "x", replace_all: true };
    expect((await server.call("edit_file", input)).code).toBe("FE_INVALID_REQUEST");
  });
});

describe("several replacements in one call", () => {
  it("3A-36 find their places as the text grows and shrinks; a bad one stops all", async () => {
    await using folder = await CommandFolder.create();
    const before = "alpha beta gamma delta epsilon zeta\n";
    const path = await folder.write("f", before);
    const edits = [
      { old_string: "alpha", new_string: "a" },
      { old_string: "gamma", new_string: "a much longer gamma" },
      { old_string: "beta", new_string: "" },
      { old_string: "epsilon zeta", new_string: "e z" },
      { old_string: "delta e", new_string: "DELTA and e" },
    ];
    const call = (list: readonly object[]): string =>
      JSON.stringify({ file_path: "f", edits: list });
    const state = await fileState(path);
    const bad = edits.with(2, { old_string: "not there", new_string: "x" });
    const refused = await folder.fe(["edit", "--request", "-", "--json"], { input: call(bad) });
    expect([refused.exit, JSON.parse(refused.out).error.edit_index]).toEqual([3, 2]);
    expect(await fileState(path)).toEqual(state);
    const done = await folder.fe(["edit", "--request", "-", "--json"], { input: call(edits) });
    expect([done.exit, JSON.parse(done.out).replacements]).toEqual([0, 5]);
    expect(readFileSync(path, "utf8")).toBe("a  a much longer gamma DELTA and e z\n");
  });
});
