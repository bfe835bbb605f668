/**
 * One client, from the first message to the last: which tools there are, calls that run, the
 * client's roots, and an end that loses nothing.
 *
 * The transport is given, so that tests need no process; `server.ts` gives the one of stdio.
 *
 * Why the SDK's plain `Server` and not its `McpServer`: that one answers wrong arguments with a
 * bare text, and checks only answers that went well. Here every answer carries the same object.
 */

import { FeError } from "@fe/engine";
import { escapeText } from "@fe/engine/display";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  RootsListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { answerCall, tools } from "./answers.ts";
import type { Settings } from "./arguments.ts";
import { pathOfUri } from "./client-roots.ts";
import { maxClientRoots, maxShownMessage, rootsTimeoutMs } from "./limits.ts";
import { shorten } from "./output/excerpt.ts";
import { checked, RequestError } from "./requests.ts";
import { type OpenEngine, Workspace } from "./workspace.ts";

const instructions = `\
edit_file replaces exact text in files below the allowed directories, in place and safe against \
crashes; it does not read or create files. Failures say in error.code and error.effect what \
happened. If a call answers FE_RECOVERY_REQUIRED, FE_RECORD_UNSAFE or FE_OUTCOME_UNKNOWN, tell the \
user: an edit was interrupted, and recovery_list and recovery_show tell what there is to choose \
from.`;

/** Any URI is taken here: one that is no file allows nothing, but must not spoil the others. */
const rootsAnswer = z.looseObject({ roots: z.array(z.looseObject({ uri: z.string() })) });

/** What a session is made of. */
export interface SessionOptions {
  readonly settings: Settings;
  readonly openEngine: OpenEngine;
  /** Version of this package. */
  readonly version: string;
  /** Is told what nobody asked for, such as a message that is no JSON; one line. */
  readonly report: (message: string) => void;
}

function describe(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return shorten(escapeText(text), maxShownMessage);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/**
 * Questions to the client that are not answered yet. Each has a signal of its own: the SDK leaves
 * its listener at the one it is given, and Node warns above 10.
 */
class Questions {
  readonly #open = new Set<AbortController>();
  #hasEnded = false;

  async ask<T>(question: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    if (this.#hasEnded) controller.abort();
    this.#open.add(controller);
    try {
      return await question(controller.signal);
    } finally {
      this.#open.delete(controller);
    }
  }

  end(): void {
    this.#hasEnded = true;
    for (const controller of this.#open) controller.abort();
  }
}

/** See the head of the file. */
export class Session {
  readonly #server: Server;
  readonly #workspace: Workspace;
  readonly #options: SessionOptions;
  readonly #calls = new Set<Promise<unknown>>();
  /** One for each running call; not listeners at a common signal, of which Node warns above 10. */
  readonly #controllers = new Set<AbortController>();
  #isStopping = false;
  /** Ends the questions to the client, when it cannot answer any more. */
  readonly #questions: Questions;
  #ending: Promise<void> | undefined;

  private constructor(
    workspace: Workspace,
    server: Server,
    questions: Questions,
    options: SessionOptions,
  ) {
    this.#workspace = workspace;
    this.#server = server;
    this.#questions = questions;
    this.#options = options;
  }

  /**
   * Opens the engine and listens. Errors: those of `openEngine`. The session ends when `finish` or
   * `stop` is called, or the transport closes; then `onEnd` is called.
   */
  static async start(
    transport: Transport,
    options: SessionOptions,
    onEnd: () => void = () => {},
  ): Promise<Session> {
    const { settings, openEngine, version } = options;
    const server = new Server(
      { name: "fe-mcp", title: "fe: crash-safe edits", version },
      { capabilities: { tools: {} }, instructions },
    );
    const questions = new Questions();
    const workspace = await Workspace.open(openEngine, settings.engine, settings.roots, () =>
      questions.ask((signal) => askForRoots(server, signal)),
    );
    const session = new Session(workspace, server, questions, options);
    session.#listen(onEnd);
    await server.connect(transport);
    return session;
  }

  /** Waits for the calls that were received, sends their answers, and lets go of everything. */
  finish(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  /** The same, but calls that have not begun to write end as aborted. */
  stop(): Promise<void> {
    this.#isStopping = true;
    for (const controller of this.#controllers) controller.abort();
    return this.finish();
  }

  #listen(onEnd: () => void): void {
    const server = this.#server;
    server.setRequestHandler(checked(ListToolsRequestSchema), () => ({
      tools: tools.map(({ definition }) => definition),
    }));
    server.setRequestHandler(checked(CallToolRequestSchema), async (request, { signal }) => {
      const { params } = request as CallToolRequest;
      const call = this.#call(params.name, params.arguments ?? {}, signal);
      this.#calls.add(call);
      try {
        return await call;
      } finally {
        this.#calls.delete(call);
      }
    });
    const askAnew = async (): Promise<void> => {
      this.#workspace.changed();
      await this.#workspace.prepare();
    };
    server.setNotificationHandler(RootsListChangedNotificationSchema, askAnew);
    server.oninitialized = () => void askAnew();
    server.onerror = (error) => this.#options.report(describe(error));
    server.onclose = () => {
      // The SDK has aborted the calls by then: nobody is there to be answered.
      this.finish().then(onEnd, onEnd);
    };
  }

  async #call(
    name: string,
    input: Readonly<Record<string, unknown>>,
    cancelled: AbortSignal,
  ): Promise<CallToolResult> {
    const tool = tools.find(({ definition }) => definition.name === name);
    if (tool === undefined) {
      const shown = shorten(escapeText(name), maxShownMessage);
      const names = tools.map(({ definition }) => definition.name).join(", ");
      const what = `There is no tool "${shown}"; there are ${names}`;
      throw new RequestError(ErrorCode.InvalidParams, what);
    }
    const { settings, report } = this.#options;
    const { allowResolve, storeOptions } = settings;
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    cancelled.addEventListener("abort", abort);
    if (cancelled.aborted || this.#isStopping) abort();
    this.#controllers.add(controller);
    try {
      const guide = { allowResolve, storeOptions };
      const { signal } = controller;
      const context = { workspace: this.#workspace, signal, allowResolve, guide };
      return await answerCall(tool, input, context, report);
    } finally {
      this.#controllers.delete(controller);
      cancelled.removeEventListener("abort", abort);
    }
  }

  async #end(): Promise<void> {
    this.#questions.end();
    // What was received a moment ago has not been handed to a tool yet.
    await nextTurn();
    while (this.#calls.size > 0) await Promise.allSettled([...this.#calls]);
    // The SDK sends an answer after the call has ended, and drops it once it is closed.
    await nextTurn();
    await this.#server.close();
    try {
      await this.#workspace.close();
    } catch (error) {
      // Every answer has been given, and what they say stays true.
      this.#options.report(`while closing: ${describe(error)}`);
    }
  }
}

/** Paths of the client's roots; `undefined`: this client does not tell any. */
async function askForRoots(
  server: Server,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  // A client that does not wait for the answer to `initialize` is known only after this turn.
  await nextTurn();
  if (server.getClientCapabilities()?.roots === undefined) return undefined;
  try {
    const options = { signal, timeout: rootsTimeoutMs };
    const { roots } = await server.request({ method: "roots/list" }, rootsAnswer, options);
    if (roots.length > maxClientRoots) throw tooManyRoots(roots.length);
    return roots.flatMap(({ uri }) => pathOfUri(uri) ?? []);
  } catch (error) {
    if (!(error instanceof McpError)) throw error;
    // It said that it could, and cannot.
    if (error.code === ErrorCode.MethodNotFound) return undefined;
    if (error.code === ErrorCode.RequestTimeout) throw new Error(timedOut);
    // The SDK puts its own words before those of the client.
    throw new Error(error.message.replace(/^(?:MCP error -?\d+: )+/u, ""));
  }
}

const timedOut = `it did not answer within ${rootsTimeoutMs / 1000} s`;

function tooManyRoots(count: number): FeError {
  const message = `The client names ${count} roots, more than ${maxClientRoots}`;
  return new FeError("FE_OUTSIDE_ROOT", message, {
    hint: "Open fewer folders in the client, or one above them; nothing is allowed until then",
  });
}
