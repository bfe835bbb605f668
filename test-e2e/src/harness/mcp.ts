/** The built `fe-mcp`, started as a client would: with the SDK's own client, or line by line. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { type CallToolResult, ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { CommandFolder } from "./command.ts";

const require = createRequire(import.meta.url);

/** Folder of the built package. */
export const mcpFolder: string = path.dirname(require.resolve("@fe/mcp/package.json"));

const command = path.join(mcpFolder, "bin", "fe-mcp.js");

/** Nothing of the environment that leads to the store of whoever runs the tests. */
function environment(folder: CommandFolder): Record<string, string> {
  return { PATH: process.env.PATH ?? "", HOME: folder.path, FE_USER_DATA_DIR: folder.dataPath };
}

/** An answer, taken apart. */
export interface Answer {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: Record<string, unknown>;
  /** `error.code` of a failure. */
  readonly code: string | undefined;
  /** Everything that was sent, as text. */
  readonly all: string;
}

/** A server and the client that started it. */
export interface McpClient extends AsyncDisposable {
  readonly client: Client;
  readonly pid: number;
  call(name: string, input?: Record<string, unknown>): Promise<Answer>;
}

/** How a connection differs from the usual. */
export interface McpOptions {
  readonly parameters?: readonly string[];
  /** Roots that the client tells; without them it has no such ability. */
  readonly roots?: readonly string[];
}

/** Starts a server for `root` and connects to it. The client checks structured answers. */
export async function startMcp(
  folder: CommandFolder,
  root: string,
  { parameters = [], roots }: McpOptions = {},
): Promise<McpClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [command, "--root", root, ...parameters],
    env: environment(folder),
    // Not the folder of the files: nothing may depend on it.
    cwd: folder.dataPath,
  });
  const capabilities = roots === undefined ? {} : { roots: { listChanged: true } };
  const client = new Client({ name: "test", version: "1" }, { capabilities });
  if (roots !== undefined) {
    client.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: roots.map((each) => ({ uri: pathToFileURL(each).href })),
    }));
  }
  await client.connect(transport);
  await client.listTools();
  return {
    client,
    pid: transport.pid ?? 0,
    async call(name, input = {}) {
      const result = (await client.callTool({ name, arguments: input })) as CallToolResult;
      const structured = result.structuredContent ?? {};
      return {
        isError: result.isError === true,
        text: result.content.map((part) => (part.type === "text" ? part.text : "")).join("\n"),
        structured,
        code: (structured.error as { readonly code: string } | undefined)?.code,
        all: JSON.stringify(result),
      };
    },
    async [Symbol.asyncDispose]() {
      await client.close();
    },
  };
}

/** A server that is spoken to by hand. */
export interface RawServer {
  readonly child: ChildProcessWithoutNullStreams;
  send(...messages: readonly unknown[]): void;
  /** Waits until so many lines have come. */
  lines(count: number): Promise<string[]>;
  /** How it ended, and all that it printed. */
  ended(): Promise<{
    readonly exit: number | null;
    readonly signal: NodeJS.Signals | null;
    readonly out: string;
    readonly err: string;
  }>;
}

/** Starts a server without a client. */
export function startRaw(folder: CommandFolder, parameters: readonly string[]): RawServer {
  const child = spawn(process.execPath, [command, ...parameters], {
    cwd: folder.dataPath,
    env: environment(folder),
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    err += chunk.toString();
  });
  child.stdin.on("error", () => {});
  const closed = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  return {
    child,
    send(...messages) {
      for (const message of messages) {
        const line = typeof message === "string" ? message : JSON.stringify(message);
        child.stdin.write(`${line}\n`);
      }
    },
    async lines(count) {
      for (;;) {
        const lines = out.split("\n").slice(0, -1);
        if (lines.length >= count) return lines;
        await once(child.stdout, "data");
      }
    },
    async ended() {
      const [exit, signal] = await closed;
      return { exit, signal, out, err };
    },
  };
}

/** The first messages of every session. */
export const greeting: readonly unknown[] = [
  {
    jsonrpc: "2.0",
    id: "hello",
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
];

/** A call of `edit_file`. */
export function editCall(id: number, file: string, oldString: string, newString: string): unknown {
  const input = { file_path: file, old_string: oldString, new_string: newString };
  return {
    ...{ jsonrpc: "2.0", id, method: "tools/call" },
    params: { name: "edit_file", arguments: input },
  };
}
