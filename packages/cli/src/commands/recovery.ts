/** `fe recovery …`: what interrupted edits left, and a person's decision about it. */
import { createHash } from "node:crypto";
import { FeError, resolveResultToJson, type ShownVersion, undoResultToJson } from "@fe/engine";
import { listToJson, shownToJson } from "../output/json.ts";
import { jsonLine } from "../output/json-line.ts";
import { resolvedText } from "../output/resolved.ts";
import {
  createColors,
  listText,
  resolveNotes,
  resolveText,
  shownText,
  undoNotes,
  undoText,
} from "../output/text.ts";
import type { ListSettings, ResolveSettings, ShowSettings, UndoSettings } from "../settings.ts";
import { type CommandContext, withEngine } from "./context.ts";

/** Above this, one JSON object with the content would be a burden to whoever reads it; a guess. */
export const maxJsonContentBytes: number = 8 * 1024 * 1024;

export async function runList(settings: ListSettings, context: CommandContext): Promise<void> {
  const { output } = context;
  const { records, resolved, storePath } = await withEngine(
    context.openEngine,
    settings.engine,
    async ({ recovery }) => ({
      records: await recovery.list(),
      resolved: await recovery.listResolved(),
      storePath: recovery.storePath,
    }),
  );
  const colors = createColors(output.colorResults);
  const text = output.json
    ? jsonLine(listToJson(records, resolved))
    : listText(records, storePath, colors) + resolvedText(resolved, settings.storeOptions, colors);
  await output.result(text);
}

/** The bytes to standard output, or one object that holds them. */
export async function runShow(settings: ShowSettings, context: CommandContext): Promise<void> {
  await withEngine(context.openEngine, settings.engine, async (engine) => {
    const shown = await engine.recovery.show(settings.id, settings.version);
    try {
      await (context.output.json ? writeAsJson(shown, context) : writeBytes(shown, context));
    } finally {
      await shown.close();
    }
  });
}

async function writeBytes(shown: ShownVersion, { output }: CommandContext): Promise<void> {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  for await (const chunk of shown.chunks()) {
    hash.update(chunk);
    sizeBytes += chunk.length;
    if (!(await output.result(chunk))) return;
  }
  if (output.quiet) return;
  await output.message(shownText(shown.version, { sizeBytes, sha256: hash.digest("hex") }));
}

function tooLong(shown: ShownVersion): FeError {
  return new FeError(
    "FE_INVALID_REQUEST",
    `Cannot show version ${shown.version} as JSON: it has more than ${maxJsonContentBytes} bytes`,
    { hint: "Leave --json off: the bytes then go to standard output as they are" },
  );
}

async function writeAsJson(shown: ShownVersion, { output }: CommandContext): Promise<void> {
  if (shown.sizeBytes > maxJsonContentBytes) throw tooLong(shown);
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of shown.chunks()) {
    // The file itself may have grown since its size was read.
    sizeBytes += chunk.length;
    if (sizeBytes > maxJsonContentBytes) throw tooLong(shown);
    chunks.push(chunk);
  }
  const content = Buffer.concat(chunks);
  const sha256 = createHash("sha256").update(content).digest("hex");
  await output.result(jsonLine(shownToJson(shown, content, sha256)));
}

export async function runResolve(
  settings: ResolveSettings,
  context: CommandContext,
  signal: AbortSignal,
): Promise<void> {
  const { output } = context;
  const { id, choice, expectSha256 } = settings;
  const result = await withEngine(
    context.openEngine,
    settings.engine,
    (engine) =>
      engine.recovery.resolve(id, {
        ...choice,
        signal,
        ...(expectSha256 === undefined ? {} : { expectSha256 }),
      }),
    (text) => output.message(text),
  );
  if (output.json) {
    await output.result(jsonLine(resolveResultToJson(result)));
  } else if (!output.quiet) {
    await output.result(resolveText(result));
    await output.message(resolveNotes(result, settings.storeOptions));
  }
}

export async function runUndo(
  settings: UndoSettings,
  context: CommandContext,
  signal: AbortSignal,
): Promise<void> {
  const { output } = context;
  const { id, keep, expectSha256, waitMs } = settings;
  const result = await withEngine(
    context.openEngine,
    settings.engine,
    (engine) =>
      engine.recovery.undo(id, {
        signal,
        waitMs,
        ...(keep === undefined ? {} : { keep }),
        ...(expectSha256 === undefined ? {} : { expectSha256 }),
      }),
    (text) => output.message(text),
  );
  if (output.json) {
    await output.result(jsonLine(undoResultToJson(result)));
  } else if (!output.quiet) {
    await output.result(undoText(result, keep));
    await output.message(undoNotes(result, settings.storeOptions));
  }
}
