/** The tool `recovery_undo`. */
import { undoResultToJson } from "@fe/engine";
import * as z from "zod";
import { defaultWaitMs } from "../limits.ts";
import { undoText } from "../output/text.ts";
import { parseInput } from "./input.ts";
import { undoOutput } from "./outputs.ts";
import { refuseWithoutConsent } from "./recovery-resolve.ts";
import { idSchema } from "./recovery-show.ts";
import { schemaOf, type Tool } from "./tool.ts";

const schema = z.strictObject({
  id: idSchema.describe("Id of the record that was resolved, or a prefix of 8 or more digits"),
  keep: z
    .enum(["before", "after"])
    .optional()
    .describe("In place of what the file held: this version of the record, such as the other one"),
  expected_sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, "must be 64 hexadecimal digits")
    .describe("SHA-256 of what the file holds now: after_sha256 of recovery_resolve"),
});

export const recoveryUndo: Tool = {
  definition: {
    name: "recovery_undo",
    title: "Take a resolution back",
    description: `\
Take a recovery_resolve back: the file holds again what it held before, or, with keep, that \
version of the record. Only at a person's word. \
What the file holds now is saved first; the same tool, with the after_sha256 of its answer, brings \
that back. Refused with FE_POLICY_DENIED unless the server was started with --allow-resolve, with \
FE_CONTENT_CHANGED if the file does not hold just what the resolution wrote, and with FE_NOT_FOUND \
if nothing is saved (a resolution that wrote nothing has its versions only, one that is too old \
nothing). recovery_list shows what can be taken back.`,
    inputSchema: schemaOf(schema, "input"),
    outputSchema: schemaOf(undoOutput, "output"),
    annotations: {
      title: "Take a resolution back",
      readOnlyHint: false,
      destructiveHint: true,
      // The second call takes the first one back.
      idempotentHint: false,
      openWorldHint: false,
    },
  },
  async call(input, context) {
    const { id, keep, expected_sha256: expectSha256 } = parseInput(schema, input);
    const words = keep === undefined ? [] : ["--keep", keep];
    refuseWithoutConsent(context, "undo resolutions", "undo", id, ...words);
    const { signal, workspace } = context;
    const result = await workspace.use(({ engine }) =>
      engine.recovery.undo(id, {
        signal,
        waitMs: defaultWaitMs,
        expectSha256,
        ...(keep && { keep }),
      }),
    );
    return { structured: undoResultToJson(result), texts: [undoText(result, keep)] };
  },
};
