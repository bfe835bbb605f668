/** The tool `recovery_resolve`. */
import { FeError, resolveResultToJson } from "@fe/engine";
import * as z from "zod";
import { recoveryCommand } from "../output/guidance.ts";
import { resolveText } from "../output/text.ts";
import { parseInput } from "./input.ts";
import { resolveOutput } from "./outputs.ts";
import { idSchema } from "./recovery-show.ts";
import { schemaOf, type Tool } from "./tool.ts";

const schema = z.strictObject({
  id: idSchema,
  keep: z
    .enum(["before", "after", "current"])
    .describe("Which version the file is to hold; current leaves it as it is"),
  expected_sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, "must be 64 hexadecimal digits")
    .describe("sha256 that recovery_show gave for the version current"),
});

export const recoveryResolve: Tool = {
  definition: {
    name: "recovery_resolve",
    title: "Settle a recovery record",
    description: `\
Settle an interrupted edit: make the file hold the version before or after it, or keep it as it is \
(current), and remove the record. Only at a person's word: show them the versions (recovery_show) \
and ask. What the file held is saved first. Refused with FE_POLICY_DENIED unless the server was \
started with --allow-resolve, and with FE_CONTENT_CHANGED if the file is no longer the one that \
was looked at.`,
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
  async call(input, { workspace, allowResolve, guide }) {
    const { id, keep, expected_sha256: expectSha256 } = parseInput(schema, input);
    if (!allowResolve) {
      // Before anything is looked for, so that the refusal tells nothing of what there is.
      throw new FeError(
        "FE_POLICY_DENIED",
        "Cannot resolve records: this server was started without --allow-resolve",
        { hint: `A person can run: ${recoveryCommand(guide, "resolve", id, "--keep", keep)}` },
      );
    }
    const result = await workspace.use(({ engine }) =>
      engine.recovery.resolve(id, { keep, expectSha256 }),
    );
    return { structured: resolveResultToJson(result), texts: [resolveText(result)] };
  },
};
