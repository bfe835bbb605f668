/** A client and a session that talk in memory, over real files or an engine that is not real. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type Engine, openEngine } from "@fe/engine";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import {
  type CallToolResult,
  CallToolResultSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { afterEach } from "vitest";
import { editResult, record, resolveResult, shown, undoResult } from "../../engine/test/samples.ts";
import type { Settings } from "../src/arguments.ts";
import { Session } from "../src/session.ts";
import type { OpenEngine } from "../src/workspace.ts";

const cleanUps: Array<() => unknown> = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** A folder for files, and a store beside it. */
export class Place {
  readonly root: string = realpathSync(mkdtempSync(path.join(tmpdir(), "fe-mcp-")));
  readonly work: string = path.join(this.root, "work");
  readonly userData: string = path.join(this.root, "data");

  constructor() {
    mkdirSync(this.work);
    mkdirSync(this.userData, { mode: 0o700 });
    cleanUps.push(() => rmSync(this.root, { recursive: true, force: true }));
  }

  path(name: string): string {
    return path.join(this.work, name);
  }

  write(name: string, content: string): string {
    mkdirSync(path.dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content);
    return this.path(name);
  }

  read(name: string): string {
    return readFileSync(this.path(name), "utf8");
  }

  settings(change: Partial<Settings> = {}): Settings {
    return {
      roots: [this.work],
      allowResolve: false,
      engine: { userDataDirectory: this.userData },
      storeOptions: [],
      ...change,
    };
  }
}

/** What a client answers to `roots/list`: paths, URIs, or an error. */
export type Roots = readonly string[] | (() => Promise<readonly string[]>);

/** A connected client. */
export interface Connection {
  readonly client: Client;
  readonly session: Session;
  /** What was reported on the side. */
  readonly reports: readonly string[];
  readonly hasEnded: () => boolean;
  call(name: string, input?: Record<string, unknown>, signal?: AbortSignal): Promise<Told>;
}

/** An answer, taken apart. */
export interface Told {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: Record<string, unknown>;
  /** `error.code` of a failure. */
  readonly code: string | undefined;
}

function told(result: CallToolResult): Told {
  const structured = result.structuredContent ?? {};
  const error = structured.error as { readonly code: string } | undefined;
  return {
    isError: result.isError === true,
    text: result.content.map((part) => (part.type === "text" ? part.text : "")).join("\n"),
    structured,
    code: error?.code,
  };
}

/** Starts a session and connects the SDK's own client, which checks every structured answer. */
export async function connect(
  settings: Settings,
  options: { readonly roots?: Roots; readonly openEngine?: OpenEngine } = {},
): Promise<Connection> {
  const { roots, openEngine: open = openEngine } = options;
  const reports: string[] = [];
  let ended = false;
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const session = await Session.start(
    theirs,
    { settings, openEngine: open, version: "1.2.3", report: (line) => reports.push(line) },
    () => {
      ended = true;
    },
  );
  cleanUps.push(() => session.stop());
  const capabilities = roots === undefined ? {} : { roots: { listChanged: true } };
  const client = new Client({ name: "test", version: "1" }, { capabilities });
  if (roots !== undefined) {
    client.setRequestHandler(ListRootsRequestSchema, async () => {
      const list = typeof roots === "function" ? await roots() : roots;
      return {
        roots: list.map((root) => ({
          uri: path.isAbsolute(root) ? pathToFileURL(root).href : root,
        })),
      };
    });
  }
  await client.connect(ours);
  await client.listTools(); // From now on the client checks answers.
  return {
    client,
    session,
    reports,
    hasEnded: () => ended,
    async call(name, input = {}, signal) {
      const parameters = { name, arguments: input };
      const result = await client.callTool(parameters, CallToolResultSchema, {
        ...(signal === undefined ? {} : { signal }),
      });
      return told(result as CallToolResult);
    },
  };
}

/** Arguments of an edit. */
export function replace(
  file_path: string,
  old_string = "two",
  new_string = "2",
): { file_path: string; old_string: string; new_string: string } {
  return { file_path, old_string, new_string };
}

/** An engine that answers as the samples do, but for what is given. */
export function fakeEngine(
  roots: readonly string[] | undefined,
  change: Partial<Omit<Engine, "recovery">> & { recovery?: Partial<Engine["recovery"]> } = {},
): Engine {
  const fake = {
    roots,
    edit: async () => editResult,
    preview: async () => ({ ...editResult, status: "unchanged", dryRun: true }),
    close: async () => {},
    ...change,
    recovery: {
      list: async () => [record],
      listResolved: async () => [],
      show: async () => shown(new TextEncoder().encode("before\n")),
      resolve: async () => resolveResult,
      undo: async () => undoResult,
      ...change.recovery,
    },
  };
  // Only what this package calls.
  return fake as unknown as Engine;
}
