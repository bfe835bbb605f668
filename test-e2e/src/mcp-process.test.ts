/** The built MCP server as a process: what it prints, how it ends, and that nothing is left. */
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { needs } from "../../native/test/abilities.ts";
import { CommandFolder } from "./harness/command.ts";
import { editCall, greeting, type RawServer, startMcp, startRaw } from "./harness/mcp.ts";
import { type StoppedEdit, stoppedEdit } from "./harness/stopped-edit.ts";

let folder: CommandFolder;
let servers: RawServer[];

beforeEach(async () => {
  folder = await CommandFolder.create();
  servers = [];
});

afterEach(async () => {
  for (const { child } of servers) if (child.exitCode === null) child.kill("SIGKILL");
  await folder[Symbol.asyncDispose]();
});

function start(...parameters: readonly string[]): RawServer {
  const server = startRaw(folder, parameters);
  servers.push(server);
  return server;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** An edit of another process, which holds the file until it is let on. */
function blocker(file: string): Promise<StoppedEdit> {
  return stoppedEdit({
    ...{ path: file, userData: folder.dataPath, at: "target.overwrite" },
    edit: { oldString: "one", newString: "1" },
  });
}

describe("the command line", () => {
  it.each([
    [[], "No --root is given"],
    [["--root"], "Option '--root <value>' argument missing"],
    [["--root", "/nowhere/at/all"], 'Cannot use as a root "/nowhere/at/all"'],
    [["--root", process.execPath], ": it is no directory"],
    [["--root", ""], "Option --root is empty"],
    [["--what"], "Unknown option '--what'"],
  ])("%j is refused with 2 and one message", async (parameters, message) => {
    const { exit, out, err } = await start(...parameters).ended();
    expect({ exit, out }).toEqual({ exit: 2, out: "" });
    expect(err).toContain(message);
    expect(err).toMatch(/^error FE_\w+: [^\n]+\nhint: [^\n]+\n$/);
  });

  it("answers --help and --version, and serves nobody", async () => {
    expect(await start("--help").ended()).toMatchObject({ exit: 0, err: "" });
    const version = await start("--version").ended();
    expect(version.out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe("standard output", () => {
  it("carries the protocol and nothing else, whatever comes", async () => {
    const file = await folder.write("f", "one\n");
    const server = start("--root", folder.path);
    server.send(
      ...greeting,
      "not json",
      "[]",
      '{"jsonrpc":"2.0"}',
      { jsonrpc: "2.0", id: 1, method: "no/such/method" },
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "no_such_tool" } },
      { jsonrpc: "2.0", id: 3, method: "tools/call", params: {} },
      { jsonrpc: "2.0", id: 4, method: "tools/list" },
      editCall(5, file, "one", "two"),
      editCall(6, file, "nothing", "two"),
      editCall(7, "\udc80", "a", "b"),
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 99 } },
    );
    server.child.stdin.end();
    const { exit, out } = await server.ended();
    expect(exit).toBe(0);
    const messages = out
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { jsonrpc: string; id: number | string });
    for (const message of messages) expect(message.jsonrpc).toBe("2.0");
    expect(messages.map(({ id }) => String(id)).sort()).toEqual([
      ...["1", "2", "3", "4", "5", "6", "7", "hello"],
    ]);
  });
});

describe("standard error", () => {
  it("stays empty when a client changes its roots often and tells none of them", async () => {
    const server = start("--root", folder.path);
    const [hello, initialized] = greeting as readonly [{ readonly params: object }, unknown];
    const params = { ...hello.params, capabilities: { roots: { listChanged: true } } };
    const changed = { jsonrpc: "2.0", method: "notifications/roots/list_changed" };
    server.send({ ...hello, params }, initialized, ...Array.from({ length: 12 }, () => changed));
    // The answer, and a question for each change.
    expect((await server.lines(14)).filter((line) => line.includes("roots/list"))).toHaveLength(13);
    server.child.stdin.end();
    expect(await server.ended()).toMatchObject({ exit: 0, err: "" });
  });
});

describe("the end", () => {
  it("comes after the answers to all calls when standard input ends", async () => {
    const lines = Array.from({ length: 20 }, (_, line) => `line ${line};`);
    const file = await folder.write("f", lines.join("\n"));
    const server = start("--root", folder.path);
    server.send(...greeting, ...lines.map((line, id) => editCall(id, file, line, "new")));
    server.child.stdin.end();
    const { exit, out, err } = await server.ended();
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(out.match(/"status":"applied"/g)?.length).toBe(20);
    expect(await readFile(file, "utf8")).toBe(lines.map(() => "new").join("\n"));
    expect(await folder.storeFiles()).toEqual([]);
  });

  it("comes at SIGTERM: what waits is aborted, and answered", async (context) => {
    needs(context, "signals");
    const file = await folder.write("f", "one\ntwo\n");
    const other = await blocker(file);
    const server = start("--root", folder.path);
    server.send(...greeting, editCall(1, file, "two", "2"));
    await server.lines(1);
    await sleep(200); // The edit waits for the other one by then; if not, it ends the same way.
    server.child.kill("SIGTERM");
    const { exit, signal, out } = await server.ended();
    expect({ exit, signal }).toEqual({ exit: 0, signal: null });
    expect(out).toContain('"code":"FE_ABORTED"');
    expect(await other.goOn()).toBe("applied");
    expect(await readFile(file, "utf8")).toBe("1\ntwo\n");
  });

  it("comes when nobody reads the answers any more", async () => {
    const file = await folder.write("f", "one\n");
    const server = start("--root", folder.path);
    server.send(...greeting);
    await server.lines(1);
    server.child.stdout.destroy();
    server.send(editCall(1, file, "one", "two"), editCall(2, file, "two", "three"));
    expect(await server.ended()).toMatchObject({ exit: 0, err: "" });
  });

  it("comes at a message that is too long, with a message of its own", async () => {
    const server = start("--root", folder.path);
    server.send(...greeting);
    await server.lines(1);
    const chunk = Buffer.alloc(1024 * 1024, "x");
    for (let mebibytes = 0; mebibytes <= 64; mebibytes++) server.child.stdin.write(chunk);
    const { exit, err } = await server.ended();
    expect(exit).toBe(1);
    expect(err).toBe("fe-mcp: A message has more than 67108864 bytes\n");
  });

  it("leaves no process when the client closes", async () => {
    const client = await startMcp(folder, folder.path);
    expect(isAlive(client.pid)).toBe(true);
    await client.call("recovery_list");
    const from = performance.now();
    await client.client.close();
    // The SDK would send SIGTERM after 2 s.
    expect(performance.now() - from).toBeLessThan(1900);
    expect(isAlive(client.pid)).toBe(false);
  });
});

describe("a large call", () => {
  it("of several MiB is read in time that its length explains", async () => {
    const text = "x".repeat(6 * 1024 * 1024);
    const file = await folder.write("f", "one\n");
    const server = start("--root", folder.path);
    server.send(
      ...greeting,
      editCall(1, file, "one", text),
      editCall(2, file, "none", text + text),
    );
    server.child.stdin.end();
    const { exit, out } = await server.ended();
    expect(exit).toBe(0);
    expect(out).toContain('"status":"applied"');
    expect(out).toContain("The texts have 12582916 characters together");
    expect(await readFile(file, "utf8")).toBe(`${text}\n`);
  });
});
