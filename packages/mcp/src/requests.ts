/**
 * Requests of a client, checked before the SDK does it: that one answers parameters of the wrong
 * form as a fault of the server (-32603), with all it knows of its schema.
 */
import { escapeText } from "@fe/engine/display";
import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { maxShownMessage } from "./limits.ts";
import { shorten } from "./output/excerpt.ts";

/** A schema of the SDK for one method. */
type RequestSchema<M extends string> = z.ZodObject<{ method: z.ZodLiteral<M> } & z.ZodRawShape>;

/**
 * A schema for `setRequestHandler` that takes the same requests, and answers others with
 * `InvalidParams`: which parameter, and what was expected of it. What it lets through has the form
 * of `schema`; the type says less of it.
 */
export function checked<M extends string>(
  schema: RequestSchema<M>,
): z.ZodObject<{ method: z.ZodLiteral<M> }, z.core.$loose> {
  const { method } = schema.shape;
  // An error that is thrown here, unlike one that is reported, reaches the client as it is.
  return z.looseObject({ method }).superRefine((request) => {
    const issue = schema.safeParse(request).error?.issues[0];
    if (issue !== undefined) throw invalidParams(issue);
  });
}

/**
 * What a client is answered with in place of a result. Not an `McpError`, which puts "MCP error"
 * and the code before its message: the client's own does that again.
 */
export class RequestError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.name = "RequestError";
    this.code = code;
  }
}

function invalidParams({ path, message }: z.core.$ZodIssue): RequestError {
  const where = path.map(String).join(".");
  const expected = message.replace(/^Invalid input: /u, "");
  const shown = shorten(escapeText(`Invalid parameters: ${where}: ${expected}`), maxShownMessage);
  return new RequestError(ErrorCode.InvalidParams, shown);
}
