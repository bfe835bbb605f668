/** What a tool is, and what it is given. */
import type { JsonObject } from "@fe/engine";
import type { Tool as ToolDefinition } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import type { RecoveryGuide } from "../output/guidance.ts";
import type { Workspace } from "../workspace.ts";

/** What every call may use. */
export interface CallContext {
  readonly workspace: Workspace;
  /** Ends what has not begun to write. */
  readonly signal: AbortSignal;
  /** Whether records may be resolved by a tool. */
  readonly allowResolve: boolean;
  readonly guide: RecoveryGuide;
}

/** What a call that went well answers. */
export interface Answer {
  /** For programs; meets the tool's output schema. */
  readonly structured: JsonObject;
  /** For people and models, a block each. */
  readonly texts: readonly string[];
}

/** A tool of this server. */
export interface Tool {
  readonly definition: ToolDefinition;
  /** Failures are `FeError`s; anything else is a fault of this program. */
  call(input: Readonly<Record<string, unknown>>, context: CallContext): Promise<Answer>;
}

/** What the SDK asks of the schema of an object. */
type ObjectSchema = ToolDefinition["inputSchema"];

/**
 * A schema as it is shown to clients, whose validators may know no newer form than draft 7. What
 * says nothing is left out: the schemas of all tools stand in every model's context.
 */
export function schemaOf(schema: z.ZodObject, io: "input" | "output"): ObjectSchema {
  return z.toJSONSchema(schema, {
    target: "draft-7",
    io,
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      const { additionalProperties: others } = jsonSchema;
      if (typeof others === "object" && Object.keys(others).length === 0) {
        delete jsonSchema.additionalProperties;
      }
    },
  }) as ObjectSchema;
}
