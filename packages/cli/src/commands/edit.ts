/** `fe edit`: edits a file, or says what would be done. */
import { type EditResult, editResultToJson, type UnifiedDiff } from "@fe/engine";
import { jsonLine } from "../output/json-line.ts";
import { ProgressLine } from "../output/progress.ts";
import { createColors, diffNotes, editNotes, editText } from "../output/text.ts";
import type { EditSettings } from "../settings.ts";
import { type CommandContext, type Output, withEngine } from "./context.ts";

/** Rejects with the engine's `FeError`. `signal` stops the edit until its first byte is written. */
export async function runEdit(
  settings: EditSettings,
  context: CommandContext,
  signal: AbortSignal,
): Promise<void> {
  const { output } = context;
  const { request, waitMs } = settings;
  const { exclusive } = settings;
  const wanted = settings.diff ? { diff: true } : {};
  const kept = exclusive === undefined ? {} : { exclusive };
  const line = context.statusLine && new ProgressLine(context.statusLine, request.path);
  const watched = line === undefined ? {} : { onProgress: line.show };
  const result = await withEngine(
    context.openEngine,
    settings.engine,
    async (engine) => {
      try {
        return await (settings.dryRun
          ? engine.preview(request, { signal, waitMs, ...wanted, ...watched })
          : engine.edit(request, { signal, waitMs, ...kept, ...wanted, ...watched }));
      } finally {
        line?.end();
      }
    },
    (text) => output.message(text),
  );
  if (output.json) {
    await output.result(jsonLine(editResultToJson(result)));
  } else if (result.diff !== undefined) {
    await writeDiff(result, result.diff, output);
  } else if (!output.quiet) {
    await output.result(editText(result));
    await output.message(editNotes(result));
  }
}

/** Standard output is the diff and nothing else, so that it can be given to `patch`. */
async function writeDiff(result: EditResult, diff: UnifiedDiff, output: Output): Promise<void> {
  if (output.toTerminal) {
    const { diffText } = await import("../output/diff.ts");
    await output.result(diffText(diff.bytes, createColors(output.colorResults)));
  } else {
    await output.result(diff.bytes);
  }
  await output.message(diffNotes(diff));
  if (output.quiet) return;
  await output.message(editText(result));
  await output.message(editNotes(result));
}
