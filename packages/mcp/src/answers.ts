/** From a call to what the client is sent: the same object for success and failure, and a text. */
import { errorToJson, FeError, type JsonObject } from "@fe/engine";
import { escapeText } from "@fe/engine/display";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { maxShownMessage } from "./limits.ts";
import { shorten } from "./output/excerpt.ts";
import { errorText, hintOf } from "./output/text.ts";
import { editFile } from "./tools/edit-file.ts";
import { internalCode } from "./tools/outputs.ts";
import { recoveryList } from "./tools/recovery-list.ts";
import { recoveryResolve } from "./tools/recovery-resolve.ts";
import { recoveryShow } from "./tools/recovery-show.ts";
import { recoveryUndo } from "./tools/recovery-undo.ts";
import type { CallContext, Tool } from "./tools/tool.ts";

/** Every tool, in the order in which they are listed. */
export const tools: readonly Tool[] = [
  editFile,
  recoveryList,
  recoveryShow,
  recoveryResolve,
  recoveryUndo,
];

function result(
  structured: JsonObject,
  texts: readonly string[],
  isError: boolean,
): CallToolResult {
  return {
    content: texts.map((text) => ({ type: "text", text })),
    structuredContent: { ...structured },
    ...(isError ? { isError } : {}),
  };
}

function describe(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return shorten(escapeText(text), maxShownMessage);
}

/** A fault of this program. What became of the file is not known here, so nothing is promised. */
function internal(error: unknown): CallToolResult {
  const message = `Internal fault: ${describe(error)}`;
  const hint = "Look at the file, and at recovery_list, before trying again; please report this";
  const fault = { code: internalCode, message, effect: "unknown", retryable: false, hint };
  const structured = { status: "failed", warnings: [], error: fault };
  return result(structured, [`${internalCode}: ${message}\nHint: ${hint}`], true);
}

/** Runs one call. Never rejects; `onFault` is told of what is a fault of this program. */
export async function answerCall(
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  context: CallContext,
  onFault: (message: string) => void,
): Promise<CallToolResult> {
  try {
    const { structured, texts } = await tool.call(input, context);
    return result(structured, texts, false);
  } catch (error) {
    if (error instanceof FeError) {
      const { guide } = context;
      const isReadOnly = tool.definition.annotations?.readOnlyHint === true;
      const structured = errorToJson(error, (hint) => hintOf(error, guide) ?? hint);
      return result(structured, [errorText(error, guide, isReadOnly)], true);
    }
    onFault(`fault in ${tool.definition.name}: ${describe(error)}`);
    return internal(error);
  }
}
