/** The tool `recovery_show`. */
import { createHash } from "node:crypto";
import { FeError, recordToJson, type ShownVersion } from "@fe/engine";
import * as z from "zod";
import { maxShownBytes } from "../limits.ts";
import { textOf } from "../output/excerpt.ts";
import { type RecoveryGuide, recoveryCommand } from "../output/guidance.ts";
import { shownText } from "../output/text.ts";
import { parseInput } from "./input.ts";
import { showOutput } from "./outputs.ts";
import { type Answer, schemaOf, type Tool } from "./tool.ts";

export const idSchema: z.ZodString = z
  .string()
  .regex(/^[0-9a-fA-F]{8,64}$/, "must be 8 to 64 hexadecimal digits")
  .describe("Id of the record, or a prefix of 8 or more digits that is unique; see recovery_list");

const schema = z.strictObject({
  id: idSchema,
  version: z
    .enum(["before", "after", "current"])
    .describe("The file before the edit, as the edit meant it, or as it is now"),
});

function tooLarge({ record, version }: ShownVersion, guide: RecoveryGuide): FeError {
  const command = recoveryCommand(guide, "show", record.id, "--version", version);
  return new FeError(
    "FE_INVALID_REQUEST",
    `Cannot show version ${version}: it has more than ${maxShownBytes} bytes`,
    { hint: `Use the command: ${command} > FILE` },
  );
}

async function readBytes(shown: ShownVersion, guide: RecoveryGuide): Promise<Buffer> {
  if (shown.sizeBytes > maxShownBytes) throw tooLarge(shown, guide);
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of shown.chunks()) {
    sizeBytes += chunk.length;
    // The file itself may have grown since its size was read.
    if (sizeBytes > maxShownBytes) throw tooLarge(shown, guide);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function answer(shown: ShownVersion, guide: RecoveryGuide): Promise<Answer> {
  const content = await readBytes(shown, guide);
  const text = textOf(content);
  const { version } = shown;
  const bytes = content.length;
  const sha256 = createHash("sha256").update(content).digest("hex");
  const structured = {
    record: recordToJson(shown.record),
    version,
    bytes,
    sha256,
    encoding: text === undefined ? "base64" : "utf-8",
    content: text ?? content.toString("base64"),
  };
  const head = shownText(version, { bytes, sha256, isText: text !== undefined });
  return { structured, texts: text === undefined ? [head] : [head, text] };
}

export const recoveryShow: Tool = {
  definition: {
    name: "recovery_show",
    title: "Show a version from a recovery record",
    description: `\
Give the bytes of one version of an interrupted edit's file, with their SHA-256: before the edit, \
after it, or the file as it is now (current). UTF-8 is given as text, anything else in base64. \
Versions over ${maxShownBytes} bytes are refused. Changes nothing.`,
    inputSchema: schemaOf(schema, "input"),
    outputSchema: schemaOf(showOutput, "output"),
    annotations: {
      title: "Show a version from a recovery record",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  },
  async call(input, { workspace, guide }) {
    const { id, version } = parseInput(schema, input);
    return workspace.use(async ({ engine }) => {
      const shown = await engine.recovery.show(id, version);
      try {
        return await answer(shown, guide);
      } finally {
        await shown.close();
      }
    });
  },
};
