/** The tool `recovery_list`. */
import { recordToJson } from "@fe/engine";
import * as z from "zod";
import { maxShownRecords } from "../limits.ts";
import { listText } from "../output/text.ts";
import { parseInput } from "./input.ts";
import { listOutput } from "./outputs.ts";
import { schemaOf, type Tool } from "./tool.ts";

const schema = z.strictObject({});

export const recoveryList: Tool = {
  definition: {
    name: "recovery_list",
    title: "List recovery records",
    description: `\
List the recovery records of edits that were interrupted (a killed process, a failed write), for \
files below the allowed directories. Each holds the whole file before and after the edit. Normally \
there are none. Says what each file holds now, and whether the next edit settles the record by \
itself. Changes nothing.`,
    inputSchema: schemaOf(schema, "input"),
    outputSchema: schemaOf(listOutput, "output"),
    annotations: {
      title: "List recovery records",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  },
  async call(input, { workspace }) {
    parseInput(schema, input);
    const records = await workspace.use(({ engine }) => engine.recovery.list());
    const rest = records.length - maxShownRecords;
    const structured = {
      records: records.slice(0, maxShownRecords).map(recordToJson),
      ...(rest > 0 ? { records_left_out: rest } : {}),
    };
    return { structured, texts: [listText(records)] };
  },
};
