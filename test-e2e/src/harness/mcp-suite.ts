/** What each suite of the server begins with: a folder, and servers that end with the test. */
import { afterEach, beforeEach } from "vitest";
import { CommandFolder } from "./command.ts";
import { type McpClient, type McpOptions, startMcp } from "./mcp.ts";

export interface McpSuite {
  /** Of the present test. */
  readonly folder: CommandFolder;
  /** Starts a server for `root`, by default the folder. */
  start(root?: string, options?: McpOptions): Promise<McpClient>;
}

/** To be called once in a file of tests. */
export function mcpSuite(): McpSuite {
  let folder: CommandFolder;
  let clients: McpClient[];

  beforeEach(async () => {
    folder = await CommandFolder.create();
    clients = [];
  });

  afterEach(async () => {
    for (const client of clients) await client[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  return {
    get folder() {
      return folder;
    },
    async start(root = folder.path, options = {}) {
      const client = await startMcp(folder, root, options);
      clients.push(client);
      return client;
    },
  };
}

/** The arguments of `edit_file`. */
export const edit = (
  file_path: string,
  old_string: string,
  new_string: string,
): Record<string, string> => ({ file_path, old_string, new_string });
