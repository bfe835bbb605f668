/** The tool `recovery_show`. */
import { createHash } from "node:crypto";
import { recordToJson, type ShownVersion } from "@fe/engine";
import { shortId } from "@fe/engine/display";
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

/** What was read of a version: all of its hash, and its bytes if an answer may hold them. */
interface Read {
  readonly bytes: number;
  readonly sha256: string;
  readonly content: Buffer | undefined;
}

async function readBytes(shown: ShownVersion): Promise<Read> {
  const hash = createHash("sha256");
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of shown.chunks()) {
    hash.update(chunk);
    bytes += chunk.length;
    // Counted, since the file itself may have grown since its size was read.
    if (bytes <= maxShownBytes) chunks.push(chunk);
  }
  const content = bytes <= maxShownBytes ? Buffer.concat(chunks) : undefined;
  return { bytes, sha256: hash.digest("hex"), content };
}

async function answer(shown: ShownVersion, guide: RecoveryGuide): Promise<Answer> {
  const { content, bytes, sha256 } = await readBytes(shown);
  const { record, version } = shown;
  const members = { record: recordToJson(record), version, bytes, sha256 };
  if (content === undefined) {
    const command = recoveryCommand(guide, "show", shortId(record.id), "--version", version);
    const text = shownText(version, { bytes, sha256, isText: false }, command);
    return { structured: { ...members, content_omitted: true }, texts: [text] };
  }
  const text = textOf(content);
  const structured = {
    ...members,
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
Of a version over ${maxShownBytes} bytes the content is left out (content_omitted). Changes \
nothing.`,
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
