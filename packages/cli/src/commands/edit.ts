/** `fe edit`: edits a file, or says what would be done. */
import { editResultToJson } from "@fe/engine";
import { jsonLine } from "../output/json-line.ts";
import { editNotes, editText } from "../output/text.ts";
import type { EditSettings } from "../settings.ts";
import { type CommandContext, withEngine } from "./context.ts";

/** Rejects with the engine's `FeError`. `signal` stops the edit until its first byte is written. */
export async function runEdit(
  settings: EditSettings,
  context: CommandContext,
  signal: AbortSignal,
): Promise<void> {
  const { output } = context;
  const { request, waitMs } = settings;
  const result = await withEngine(context.openEngine, settings.engine, (engine) =>
    settings.dryRun
      ? engine.preview(request, { signal })
      : engine.edit(request, { signal, waitMs }),
  );
  if (output.json) {
    await output.result(jsonLine(editResultToJson(result)));
  } else if (!output.quiet) {
    await output.result(editText(result));
    await output.message(editNotes(result));
  }
}
