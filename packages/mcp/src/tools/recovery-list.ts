/** The tool `recovery_list`. */
import { recordToJson, resolvedToJson } from "@fe/engine";
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
itself; and what recovery_undo can take back. Changes nothing.`,
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
    return workspace.use(async ({ engine: { recovery } }) => {
      const records = await recovery.list();
      const resolved = await recovery.listResolved();
      const moreRecords = records.length - maxShownRecords;
      const moreResolved = resolved.length - maxShownRecords;
      const structured = {
        records: records.slice(0, maxShownRecords).map(recordToJson),
        ...(moreRecords > 0 ? { records_left_out: moreRecords } : {}),
        resolved: resolved.slice(-maxShownRecords).map(resolvedToJson),
        ...(moreResolved > 0 ? { resolved_left_out: moreResolved } : {}),
      };
      return { structured, texts: [listText(records, resolved)] };
    });
  },
};
