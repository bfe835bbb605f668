// The recovery tools of the built MCP server, with records of edits that were really killed.
import { link, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { edit, mcpSuite } from "./harness/mcp-suite.ts";
import { killedEdit } from "./harness/stopped-edit.ts";

const suite = mcpSuite();
const { start } = suite;

describe("recovery tools", () => {
  const before = "first line\nthe old text\nlast line\n";
  const oldString = "the old text\nlast";
  const newString = "a new text, longer\nfinal";

  /** A file whose edit was killed in the middle of its write. */
  async function tear(name: string): Promise<{ file: string; torn: string }> {
    await mkdir(path.dirname(suite.folder.file(name)), { recursive: true });
    const file = await suite.folder.write(name, before);
    await killedEdit({
      ...{ path: file, userData: suite.folder.dataPath, edit: { oldString, newString } },
      ...{ at: "target.overwrite", partBytes: 5 },
    });
    return { file, torn: await readFile(file, "utf8") };
  }

  it("S18 lead from a refused edit to a whole file", async () => {
    const { file, torn } = await tear("in/f");
    const { call } = await start(suite.folder.file("in"), { parameters: ["--allow-resolve"] });
    const refused = await call("edit_file", edit(file, "first", "1st"));
    expect(refused).toMatchObject({ isError: true, code: "FE_RECOVERY_REQUIRED" });
    const { id } = refused.structured.record as { id: string };
    const first = `1. Save the file as it is now: recovery_show with id ${id.slice(0, 12)} and`;
    expect(refused.text).toContain(first);
    expect((refused.structured.error as { hint: string }).hint).toContain(first);
    const list = await call("recovery_list");
    expect(list.structured.records).toMatchObject([{ id, path: file, phase: "prepared" }]);
    const shown = (version: string) => call("recovery_show", { id, version });
    expect((await shown("before")).structured).toMatchObject({ content: before });
    expect((await shown("after")).structured).toMatchObject({
      content: before.replace(oldString, newString),
    });
    const current = await shown("current");
    expect(current.structured).toMatchObject({ content: torn, encoding: "utf-8" });
    const resolve = (expected_sha256: unknown) =>
      call("recovery_resolve", { id, keep: "after", expected_sha256 });
    expect((await resolve("0".repeat(64))).code).toBe("FE_CONTENT_CHANGED");
    const resolved = await resolve(current.structured.sha256);
    expect(resolved.structured).toMatchObject({ status: "applied", kept: "after" });
    expect(await readFile(String(resolved.structured.saved_path), "utf8")).toBe(torn);
    expect(await readFile(file, "utf8")).toBe(before.replace(oldString, newString));
    expect((await call("edit_file", edit(file, "first", "1st"))).isError).toBe(false);
    const after = (await call("recovery_list")).structured;
    expect(after).toMatchObject({ records: [], resolved: [{ id, path: file }] });
  });

  it("B10 put a merge into the file, and take that back", async () => {
    const { file, torn } = await tear("in/f");
    const { call } = await start(suite.folder.file("in"), { parameters: ["--allow-resolve"] });
    const { records } = (await call("recovery_list")).structured as { records: { id: string }[] };
    const id = records[0]?.id;
    const current = await call("recovery_show", { id, version: "current" });
    const empty = { id, content: "", expected_sha256: current.structured.sha256 };
    const refused = await call("recovery_resolve", empty);
    expect(refused).toMatchObject({ isError: true, code: "FE_INVALID_REQUEST" });
    expect(refused.text).toMatch(/what is given is empty.*give `keep: "current"`/su);
    expect(await readFile(file, "utf8")).toBe(torn);
    const content = "first line\na merge of both\nlast line\n";
    const merged = await call("recovery_resolve", {
      ...{ id, content, expected_sha256: current.structured.sha256 },
    });
    expect(merged.structured).toMatchObject({ status: "applied", kept: "given" });
    expect(await readFile(file, "utf8")).toBe(content);
    const undo = (expected_sha256: unknown) => call("recovery_undo", { id, expected_sha256 });
    expect((await undo(current.structured.sha256)).code).toBe("FE_CONTENT_CHANGED");
    const undone = await undo(merged.structured.after_sha256);
    expect(undone.structured).toMatchObject({ status: "applied", record_id: id });
    expect(await readFile(file, "utf8")).toBe(torn);
    expect((await undo(undone.structured.after_sha256)).isError).toBe(false);
    expect(await readFile(file, "utf8")).toBe(content);
  });

  it("tell nothing of a resolution outside of the roots", async () => {
    const { file } = await tear("secret/f");
    await mkdir(suite.folder.file("in"));
    const all = await start(suite.folder.path, { parameters: ["--allow-resolve"] });
    const { records } = (await all.call("recovery_list")).structured as {
      records: { id: string }[];
    };
    const id = records[0]?.id ?? "";
    const { sha256 } = (await all.call("recovery_show", { id, version: "current" })).structured;
    const given = { id, keep: "before", expected_sha256: sha256 };
    const { after_sha256 } = (await all.call("recovery_resolve", given)).structured;
    const inside = await start(suite.folder.file("in"), { parameters: ["--allow-resolve"] });
    const unknown = "0".repeat(64);
    const [refused, none] = [
      await inside.call("recovery_undo", { id, expected_sha256: after_sha256 }),
      await inside.call("recovery_undo", { id: unknown, expected_sha256: after_sha256 }),
    ];
    expect(refused.code).toBe("FE_NOT_FOUND");
    expect(refused.all.replaceAll(id, "ID")).toBe(none.all.replaceAll(unknown, "ID"));
    expect(await readFile(file, "utf8")).toBe(before);
  });

  it("S9 tell of a record by another name outside that there is one, not the name", async () => {
    const { file } = await tear("secret/f");
    await mkdir(suite.folder.file("in"));
    await link(file, suite.folder.file("in/g"));
    const { call } = await start(suite.folder.file("in"));
    const refused = await call("edit_file", edit("g", "first", "1st"));
    expect(refused).toMatchObject({ isError: true, code: "FE_RECOVERY_REQUIRED" });
    expect(refused.all).not.toContain("secret");
    expect(refused.text).toContain("The tools of this server do not reach this record.");
  });

  it("resolve nothing unless the server was started so", async () => {
    const { file, torn } = await tear("in/f");
    const { call } = await start(suite.folder.file("in"));
    const { records } = (await call("recovery_list")).structured as { records: { id: string }[] };
    const current = await call("recovery_show", { id: records[0]?.id, version: "current" });
    const refused = await call("recovery_resolve", {
      ...{ id: records[0]?.id, keep: "before", expected_sha256: current.structured.sha256 },
    });
    expect(refused).toMatchObject({ isError: true, code: "FE_POLICY_DENIED" });
    expect(await readFile(file, "utf8")).toBe(torn);
  });

  it("tell nothing of a record outside of the roots", async () => {
    const { file, torn } = await tear("secret/f");
    await mkdir(suite.folder.file("in"));
    const all = await start(suite.folder.path);
    const { records } = (await all.call("recovery_list")).structured as {
      records: { id: string; transaction_id: string }[];
    };
    const [record] = records;
    if (record === undefined) throw new Error("There is no record");
    const { call } = await start(suite.folder.file("in"), { parameters: ["--allow-resolve"] });
    const id = record.id.slice(0, 12);
    const expected_sha256 = String(
      (await all.call("recovery_show", { id, version: "current" })).structured.sha256,
    );
    const answers = [
      await call("recovery_list"),
      await call("recovery_show", { id, version: "before" }),
      await call("recovery_show", { id, version: "current" }),
      await call("recovery_resolve", { id, keep: "before", expected_sha256 }),
      await call("edit_file", edit(file, "first", "1st")),
    ];
    expect(answers.map(({ code }) => code)).toEqual([
      ...[undefined, "FE_NOT_FOUND", "FE_NOT_FOUND", "FE_NOT_FOUND", "FE_OUTSIDE_ROOT"],
    ]);
    expect(answers[0]?.structured).toEqual({ records: [], resolved: [] });
    for (const { all: sent } of answers) {
      for (const secret of [record.id, record.transaction_id, "old text", "edit-recovery"]) {
        expect(sent).not.toContain(secret);
      }
    }
    // The same as for an id that there is not.
    const unknown = await call("recovery_show", { id: "0".repeat(12), version: "before" });
    expect(answers[1]?.all.replaceAll(id, "ID")).toBe(unknown.all.replaceAll("0".repeat(12), "ID"));
    expect(await readFile(file, "utf8")).toBe(torn);
  });
});
