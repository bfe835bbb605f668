// The three recovery tools, mostly with an engine that is not real; test-e2e has real records.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import type { FeError } from "@fe/engine";
import { describe, expect, it } from "vitest";
import {
  record,
  resolvedRecord,
  resolveResult,
  shown,
  undoResult,
} from "../../../engine/test/samples.ts";
import { connect, fakeEngine, Place } from "../../test/connection.ts";
import { maxShownBytes, maxTextLength } from "../limits.ts";

describe("recovery tools", () => {
  const ask = { id: record.id, version: "before" };

  async function withShown(content: Uint8Array, sizeBytes?: number) {
    const openEngine = async () =>
      fakeEngine(["/home"], { recovery: { show: async () => shown(content, sizeBytes) } });
    return connect(new Place().settings(), { openEngine });
  }

  it("list nothing in a store that nobody made, and make none", async () => {
    const place = new Place();
    const { call } = await connect(place.settings());
    expect((await call("recovery_list")).structured).toEqual({ records: [], resolved: [] });
    expect(existsSync(`${place.userData}/edit-recovery`)).toBe(false);
    expect((await call("recovery_show", ask)).code).toBe("FE_NOT_FOUND");
  });

  it("list no more than a model can take, and say how many are left out", async () => {
    const recovery = {
      list: async () => Array.from({ length: 23 }, () => record),
      listResolved: async () => Array.from({ length: 24 }, () => resolvedRecord),
    };
    const openEngine = async () => fakeEngine(["/home"], { recovery });
    const { call } = await connect(new Place().settings(), { openEngine });
    const { structured, text } = await call("recovery_list");
    expect(structured.records).toHaveLength(20);
    expect(structured.records_left_out).toBe(3);
    expect(text).toContain("and 3 more");
    expect(structured.resolved).toHaveLength(20);
    expect(structured.resolved_left_out).toBe(4);
    expect(text).toContain("and 4 older");
  });

  it("B10 list what can be taken back, for whoever lost the id", async () => {
    const recovery = { list: async () => [], listResolved: async () => [resolvedRecord] };
    const openEngine = async () => fakeEngine(["/home"], { recovery });
    const { call } = await connect(new Place().settings(), { openEngine });
    const { structured, text } = await call("recovery_list");
    expect(structured).toMatchObject({ records: [], resolved: [{ id: record.id }] });
    expect(text).toContain(
      `${record.id.slice(0, 12)} resolved /home/someone/notes.md\n` +
        "  kept: what the file held, version before or after",
    );
  });

  it("show UTF-8 as text, byte order mark and all", async () => {
    const { call } = await withShown(new TextEncoder().encode("\ufeffä\r\n"));
    const { structured, text } = await call("recovery_show", ask);
    expect(structured).toMatchObject({ encoding: "utf-8", content: "\ufeffä\r\n", bytes: 7 });
    expect(text.endsWith("\ufeffä\r\n")).toBe(true);
  });

  it("show other bytes in base64", async () => {
    const { call } = await withShown(Uint8Array.of(0xd6, 0xd0));
    const { structured } = await call("recovery_show", ask);
    expect(structured).toMatchObject({ encoding: "base64", content: "1tA=", bytes: 2 });
  });

  it.each([
    ["by what it turns out to have", maxShownBytes + 1, 1],
    ["not if it got shorter", 1, maxShownBytes + 1],
  ])(
    "leave out what is too large %s, tell its hash, and name the command",
    async (_what, length, sizeBytes) => {
      const { call } = await withShown(new Uint8Array(length), sizeBytes);
      const answer = await call("recovery_show", ask);
      const sha256 = createHash("sha256").update(new Uint8Array(length)).digest("hex");
      expect(answer.structured).toMatchObject({ bytes: length, sha256 });
      expect(answer.structured.content_omitted).toBe(length > maxShownBytes ? true : undefined);
      expect("content" in answer.structured).toBe(length <= maxShownBytes);
      if (length <= maxShownBytes) return;
      expect(answer.text).toContain("fe recovery show 0123456789ab --version before > FILE");
    },
  );

  it("resolve only if the server was started so", async () => {
    const openEngine = async () => fakeEngine(["/home"]);
    const input = { id: record.id, keep: "before", expected_sha256: "c".repeat(64) };
    const strict = await connect(new Place().settings(), { openEngine });
    expect((await strict.call("recovery_resolve", input)).code).toBe("FE_POLICY_DENIED");
    const { call } = await connect(new Place().settings({ allowResolve: true }), { openEngine });
    expect((await call("recovery_resolve", input)).structured.status).toBe("applied");
    const { expected_sha256: _, ...without } = input;
    expect((await call("recovery_resolve", without)).code).toBe("FE_INVALID_REQUEST");
  });

  const expected_sha256 = "c".repeat(64);

  /** A server that resolves, and what its engine was asked for. */
  async function resolving(refusal?: FeError) {
    const asked: unknown[] = [];
    const take =
      <T>(answer: T) =>
      async (...parameters: unknown[]) => {
        asked.push(parameters);
        if (refusal !== undefined) throw refusal;
        return answer;
      };
    const recovery = { resolve: take(resolveResult), undo: take(undoResult) };
    const openEngine = async () => fakeEngine(["/home"], { recovery });
    const settings = new Place().settings({ allowResolve: true });
    return { asked, ...(await connect(settings, { openEngine })) };
  }

  it("B10 resolve with bytes of the call, as text or in base64", async () => {
    const { call, asked } = await resolving();
    const resolve = (input: object) =>
      call("recovery_resolve", { id: record.id, expected_sha256, ...input });
    for (const [input, content] of [
      [{ content: "\ufeffmerged ä\n" }, Buffer.from("\ufeffmerged ä\n")],
      [{ content: "1tA=", encoding: "base64" }, Buffer.from([0xd6, 0xd0])],
    ] as const) {
      expect((await resolve(input)).isError, JSON.stringify(input)).toBe(false);
      const signal = expect.any(AbortSignal);
      expect(asked.pop()).toEqual([record.id, { content, expectSha256: expected_sha256, signal }]);
    }
    for (const input of [
      {},
      { keep: "before", content: "x" },
      { keep: "before", encoding: "base64" },
      { content: "1tA", encoding: "base64" },
      { content: "no base64!", encoding: "base64" },
      { content: "half \ud800" },
    ]) {
      expect((await resolve(input)).code, JSON.stringify(input)).toBe("FE_INVALID_REQUEST");
    }
    expect(asked).toEqual([]);
  });

  it.each(["utf-8", "base64"])(
    "B10 say who can give a content that is too long, %s",
    async (encoding) => {
      const { call, asked } = await resolving();
      const content = "A".repeat(maxTextLength + 4);
      const answer = await call("recovery_resolve", {
        ...{ id: record.id, expected_sha256 },
        content,
        encoding,
      });
      expect(answer.code).toBe("FE_INVALID_REQUEST");
      expect(answer.text).toContain(`run: fe recovery resolve ${record.id} --with FILE`);
      expect(answer.text).not.toContain("Split");
      expect(asked).toEqual([]);
    },
  );

  it("B10 undo a resolution, only if the server was started so", async () => {
    const { call, asked } = await resolving();
    const input = { id: record.id, expected_sha256 };
    const answer = await call("recovery_undo", input);
    expect(answer.structured).toMatchObject({ status: "applied", record_id: record.id });
    expect(answer.text).toContain("holds again what it held before the last resolve or undo");
    expect(answer.text).toContain(
      "recovery_undo with the same id and that SHA-256 takes this back",
    );
    expect(asked).toMatchObject([[record.id, { expectSha256: expected_sha256 }]]);
    asked.pop();
    const other = await call("recovery_undo", { ...input, keep: "after" });
    expect(other.text).toContain("now holds the version after.");
    expect(asked).toMatchObject([[record.id, { keep: "after" }]]);
    const current = await call("recovery_undo", { ...input, keep: "current" });
    expect(current.code).toBe("FE_INVALID_REQUEST");
    expect((await call("recovery_undo", { id: record.id })).code).toBe("FE_INVALID_REQUEST");
    const strict = await connect(new Place().settings(), {
      openEngine: async () => fakeEngine(["/home"]),
    });
    const refused = await strict.call("recovery_undo", input);
    expect(refused.code).toBe("FE_POLICY_DENIED");
    expect(refused.text).toContain(`fe recovery undo ${record.id}`);
  });
});
