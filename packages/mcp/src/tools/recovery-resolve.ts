/** The tool `recovery_resolve`. */
import { FeError, type ResolveOptions, resolveResultToJson } from "@fe/engine";
import * as z from "zod";
import { recoveryCommand } from "../output/guidance.ts";
import { resolveText } from "../output/text.ts";
import { checkTexts, parseInput } from "./input.ts";
import { resolveOutput } from "./outputs.ts";
import { idSchema } from "./recovery-show.ts";
import { type CallContext, schemaOf, type Tool } from "./tool.ts";

const schema = z.strictObject({
  id: idSchema,
  keep: z
    .enum(["before", "after", "current"])
    .optional()
    .describe("Which version the file is to hold; current leaves it as it is"),
  content: z
    .string()
    .optional()
    .describe("In place of keep: what the file is to hold, whole, such as a merge of the versions"),
  encoding: z
    .enum(["utf-8", "base64"])
    .optional()
    .describe("Of content, as recovery_show gives it. Default utf-8"),
  expected_sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, "must be 64 hexadecimal digits")
    .describe("sha256 that recovery_show gave for the version current"),
});

type Call = z.infer<typeof schema>;

function invalid(message: string, hint: string): FeError {
  return new FeError("FE_INVALID_REQUEST", message, { hint });
}

/** `command`: what a person gives a file to, which may be longer. */
function bytesOf(content: string, encoding: "utf-8" | "base64", command: string): Buffer {
  checkTexts([["content", content]], `A person can put it in a file and run: ${command}`);
  if (encoding === "utf-8") return Buffer.from(content);
  const bytes = Buffer.from(content, "base64");
  // Node leaves out what is no base64, and the file would hold something else than was meant.
  if (bytes.toString("base64") === content) return bytes;
  throw invalid("content is not base64", "Give it as recovery_show does, with padding");
}

/** Error: `FE_INVALID_REQUEST`, unless just one of `keep` and `content` is given. */
function choiceOf({ id, keep, content, encoding }: Call, { guide }: CallContext): ResolveOptions {
  const what = "keep names a version; content is the whole text that the file is to hold";
  if (content !== undefined) {
    if (keep !== undefined) throw invalid("Both keep and content are given", what);
    const command = recoveryCommand(guide, "resolve", id, "--with", "FILE");
    return { content: bytesOf(content, encoding ?? "utf-8", command) };
  }
  if (keep === undefined) throw invalid("Neither keep nor content is given", what);
  if (encoding !== undefined) {
    throw invalid("encoding is given, and no content", "It is that of content; leave it out");
  }
  return { keep };
}

/**
 * Refuses what only a person may do, unless the server was started otherwise. To be asked before
 * anything is looked for, so that the refusal tells nothing of what there is.
 */
export function refuseWithoutConsent(
  { allowResolve, guide }: CallContext,
  what: string,
  ...command: readonly string[]
): void {
  if (allowResolve) return;
  throw new FeError(
    "FE_POLICY_DENIED",
    `Cannot ${what}: this server was started without --allow-resolve`,
    { hint: `A person can run: ${recoveryCommand(guide, ...command)}` },
  );
}

export const recoveryResolve: Tool = {
  definition: {
    name: "recovery_resolve",
    title: "Settle a recovery record",
    description: `\
Settle an interrupted edit: make the file hold the version before or after it, or keep it as it is \
(keep), or make it hold a merge of these (content), and remove the record. Only at a person's \
word: show them the versions (recovery_show) and ask. What the file held is saved first, and \
recovery_undo brings it back. Refused with FE_POLICY_DENIED unless the server was started with \
--allow-resolve, and with FE_CONTENT_CHANGED if the file is no longer the one that was looked at.`,
    inputSchema: schemaOf(schema, "input"),
    outputSchema: schemaOf(resolveOutput, "output"),
    annotations: {
      title: "Settle a recovery record",
      readOnlyHint: false,
      destructiveHint: true,
      // A later record of the same file may have the same id.
      idempotentHint: false,
      openWorldHint: false,
    },
  },
  async call(input, context) {
    const read = parseInput(schema, input);
    const { id, keep, expected_sha256: expectSha256 } = read;
    const choice = choiceOf(read, context);
    const words = keep === undefined ? ["--with", "FILE"] : ["--keep", keep];
    refuseWithoutConsent(context, "resolve records", "resolve", id, ...words);
    const { signal, workspace } = context;
    const result = await workspace.use(({ engine }) =>
      engine.recovery.resolve(id, { ...choice, expectSha256, signal }),
    );
    return { structured: resolveResultToJson(result), texts: [resolveText(result)] };
  },
};
