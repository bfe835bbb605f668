// What a client sees of a session, with the SDK's own client. It checks every structured answer
// against the tool's output schema. What tools do is tested beside them.
import { symlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { FeError } from "@fe/engine";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { needs } from "../../../native/test/abilities.ts";
import { record } from "../../engine/test/samples.ts";
import { connect, fakeEngine, Place, replace } from "../test/connection.ts";

describe("tools", () => {
  it("B9 are four, with honest annotations", async () => {
    const { client } = await connect(new Place().settings());
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations])).toMatchObject([
      ["edit_file", { readOnlyHint: false, destructiveHint: true, openWorldHint: false }],
      ["recovery_list", { readOnlyHint: true, openWorldHint: false }],
      ["recovery_show", { readOnlyHint: true, openWorldHint: false }],
      ["recovery_resolve", { readOnlyHint: false, destructiveHint: true, openWorldHint: false }],
      ["recovery_undo", { readOnlyHint: false, destructiveHint: true, openWorldHint: false }],
    ]);
    for (const { title, description, inputSchema, outputSchema } of tools) {
      expect(title).toBeTruthy();
      expect(description).toBeTruthy();
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(outputSchema).toMatchObject({ type: "object" });
    }
  });

  it("are no others", async () => {
    const { call } = await connect(new Place().settings());
    await expect(call("constructor")).rejects.toThrow(
      /^MCP error -32602: There is no tool "constructor"; there are edit_file, recovery_list, /u,
    );
  });
});

describe("an error about more places than are listed", () => {
  it("has the number of all, and no other mark of it", async () => {
    const place = new Place();
    const file_path = place.write("f", "x\n".repeat(25));
    const { call } = await connect(place.settings());
    const input = { file_path, old_string: "x", new_string: "y" };
    const { code, structured } = await call("edit_file", input);
    expect(code).toBe("FE_AMBIGUOUS_MATCH");
    expect(structured.matches).toHaveLength(20);
    expect(structured).toMatchObject({ error: { count: 25 } });
    expect(structured).not.toHaveProperty("matches_truncated");
  });
});

describe("cancellation and end", () => {
  /** An edit that waits until it is aborted or let on. */
  function waitingEngine() {
    const seen: AbortSignal[] = [];
    const parts: { goOn: () => void } = { goOn: () => {} };
    const openEngine = async () =>
      fakeEngine(["/"], {
        edit: async (_request, options) => {
          const { signal } = options ?? {};
          if (signal !== undefined) seen.push(signal);
          await new Promise<void>((resolve) => {
            parts.goOn = resolve;
            signal?.addEventListener("abort", () => resolve());
          });
          throw new FeError(signal?.aborted ? "FE_ABORTED" : "FE_BUSY", "Cannot edit");
        },
      });
    return { seen, parts, openEngine };
  }

  async function started(seen: readonly unknown[], count = 1): Promise<void> {
    while (seen.length < count) await sleep(1);
  }

  it("B15 aborts a call that the client cancels, and no other", async () => {
    const { seen, openEngine } = waitingEngine();
    const { call } = await connect(new Place().settings(), { openEngine });
    const controller = new AbortController();
    const cancelled = call("edit_file", replace("/a"), controller.signal);
    cancelled.catch(() => {});
    await started(seen);
    const other = call("edit_file", replace("/b"));
    other.catch(() => {});
    await started(seen, 2);
    controller.abort("enough");
    await expect(cancelled).rejects.toThrow();
    while (seen[0]?.aborted !== true) await sleep(1);
    expect(seen[1]?.aborted).toBe(false);
  });

  it("answers running calls before it ends", async () => {
    const { seen, parts, openEngine } = waitingEngine();
    const { call, session, hasEnded } = await connect(new Place().settings(), { openEngine });
    const running = call("edit_file", replace("/a"));
    await started(seen);
    const finishing = session.finish();
    await sleep(5);
    expect(hasEnded()).toBe(false);
    parts.goOn();
    expect((await running).code).toBe("FE_BUSY");
    await finishing;
    await sleep(1);
    expect(hasEnded()).toBe(true);
  });

  it("asks waiting calls to stop, and answers them, too", async () => {
    const { seen, openEngine } = waitingEngine();
    const { call, session } = await connect(new Place().settings(), { openEngine });
    const running = call("edit_file", replace("/a"));
    await started(seen);
    await session.stop();
    expect((await running).code).toBe("FE_ABORTED");
  });

  it("ends when the client goes", async () => {
    const { seen, openEngine } = waitingEngine();
    const { call, client, hasEnded } = await connect(new Place().settings(), { openEngine });
    call("edit_file", replace("/a")).catch(() => {});
    await started(seen);
    await client.close();
    while (!hasEnded()) await sleep(1);
    expect(seen[0]?.aborted).toBe(true);
  });
});

describe("parameters of the wrong form", () => {
  const calls: readonly [string, unknown, string][] = [
    ["tools/call", undefined, "params: expected object, received undefined"],
    ["tools/call", {}, "params.name: expected string, received undefined"],
    ["tools/call", { name: 7 }, "params.name: expected string, received number"],
    ["tools/call", { name: "edit_file", arguments: 7 }, "params.arguments: expected record, rec"],
    ["tools/call", { name: "edit_file", arguments: [] }, "params.arguments: expected record, rec"],
    ["tools/list", { cursor: 7 }, "params.cursor: expected string, received number"],
  ];

  it.each(calls)("Q5 %s %j are -32602, which says what is wrong", async (method, params, why) => {
    const { client } = await connect(new Place().settings());
    const request = { method, ...(params === undefined ? {} : { params }) } as { method: string };
    const answer = client.request(request, z.unknown());
    const failure = await answer.then(
      () => expect.unreachable("answered"),
      (error) => error,
    );
    expect(failure).toMatchObject({ code: ErrorCode.InvalidParams });
    expect(failure.message).toContain(`MCP error -32602: Invalid parameters: ${why}`);
    expect(failure.message.match(/MCP error/gu)).toHaveLength(1);
    expect(failure.message.length).toBeLessThan(120);
    // It goes on.
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  });
});

describe("roots of the client", () => {
  it("narrow those of the server, and never widen them", async () => {
    const place = new Place();
    place.write("in/sub/a", "two\n");
    place.write("in/a", "two\n");
    place.write("out/a", "two\n");
    const settings = place.settings({ roots: [place.path("in")] });
    const roots = [place.path("in/sub"), place.path("out"), place.path("nowhere"), "https://h/x"];
    const { call } = await connect(settings, { roots });
    expect((await call("edit_file", replace("a"))).structured.status).toBe("applied");
    for (const name of ["in/a", "out/a"]) {
      expect((await call("edit_file", replace(place.path(name)))).code).toBe("FE_OUTSIDE_ROOT");
      expect(place.read(name)).toBe("two\n");
    }
    expect(place.read("in/sub/a")).toBe("2\n");
  });

  it("count for what they really are", async (context) => {
    needs(context, "symlinks");
    const place = new Place();
    place.write("in/a", "two\n");
    place.write("out/a", "two\n");
    symlinkSync(place.path("out"), place.path("in/link"));
    const settings = place.settings({ roots: [place.path("in")] });
    const { call } = await connect(settings, { roots: [place.path("in/link")] });
    for (const name of ["in/link/a", "out/a", "in/a"]) {
      expect((await call("edit_file", replace(place.path(name)))).code).toBe("FE_OUTSIDE_ROOT");
    }
    expect(place.read("out/a")).toBe("two\n");
  });

  it.each([[[]], [["/nowhere/at/all"]]])("%j leave nothing to any tool", async (roots) => {
    const place = new Place();
    const { call } = await connect(place.settings({ allowResolve: true }), { roots });
    for (const [name, input] of [
      ["edit_file", replace(place.path("a"))],
      ["recovery_list", {}],
      ["recovery_show", { id: record.id, version: "before" }],
      ["recovery_resolve", { id: record.id, keep: "before", expected_sha256: "0".repeat(64) }],
    ] as const) {
      const answer = await call(name, input);
      expect(answer).toMatchObject({ isError: true, code: "FE_OUTSIDE_ROOT" });
      expect(answer.text).toContain(place.work);
    }
  });

  it("may change", async () => {
    const place = new Place();
    for (const name of ["one/a", "two/a"]) place.write(name, "two\n");
    let told = [place.path("one")];
    const { call, client } = await connect(place.settings(), { roots: async () => told });
    expect((await call("edit_file", replace(place.path("one/a")))).isError).toBe(false);
    told = [place.path("two")];
    await client.sendRootsListChanged();
    const again = replace(place.path("one/a"), "2", "3");
    expect((await call("edit_file", again)).code).toBe("FE_OUTSIDE_ROOT");
    expect((await call("edit_file", replace(place.path("two/a")))).isError).toBe(false);
  });

  it("are not needed of a client that says it can tell them and cannot", async () => {
    const place = new Place();
    const file = place.write("a", "two\n");
    const { call } = await connect(place.settings(), {
      roots: () => Promise.reject(new McpError(ErrorCode.MethodNotFound, "what?")),
    });
    expect((await call("edit_file", replace(file))).isError).toBe(false);
  });

  it("allow nothing while the client fails to tell them", async () => {
    const place = new Place();
    const file = place.write("a", "two\n");
    const { call } = await connect(place.settings(), {
      roots: () => Promise.reject(new McpError(ErrorCode.InternalError, "later")),
    });
    const answer = await call("edit_file", replace(file));
    expect(answer.code).toBe("FE_OUTSIDE_ROOT");
    expect(answer.text).toContain("did not say which roots it allows: later\n");
    expect(place.read("a")).toBe("two\n");
  });

  it("allow nothing if they are too many, and the hint says what helps", async () => {
    const place = new Place();
    const roots = Array.from({ length: 257 }, (_, i) => place.path(`r${i}`));
    const { call } = await connect(place.settings(), { roots });
    const answer = await call("recovery_list");
    expect(answer.code).toBe("FE_OUTSIDE_ROOT");
    expect(answer.text).toContain("names 257 roots, more than 256");
    expect(answer.text).toContain("Hint: Open fewer folders");
  });

  it("may change often, and leave no listener behind", async () => {
    const place = new Place();
    let count = 0;
    const roots = async () => {
      count += 1;
      return [place.work];
    };
    const listen = vi.spyOn(AbortSignal.prototype, "addEventListener");
    try {
      const { client } = await connect(place.settings(), { roots });
      for (let change = 1; change <= 12; change++) {
        await client.sendRootsListChanged();
        while (count <= change) await sleep(1);
      }
      const perSignal = new Map<unknown, number>();
      for (const signal of listen.mock.contexts) {
        perSignal.set(signal, (perSignal.get(signal) ?? 0) + 1);
      }
      expect(Math.max(...perSignal.values())).toBeLessThan(11);
    } finally {
      listen.mockRestore();
    }
  });
});
