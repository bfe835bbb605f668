/** `fe recovery diff` and `merge`: the versions that a record knows, beside each other. */
import {
  type Engine,
  FeError,
  isTorn,
  type JsonObject,
  type RecordReport,
  recordToJson,
  type Version,
} from "@fe/engine";
import { maxComparedBytes } from "@fe/engine/display";
import { type Compared, unifiedDiffOf } from "../output/compare.ts";
import { diffText } from "../output/diff.ts";
import { RecoveryCommands } from "../output/guidance.ts";
import { jsonLine } from "../output/json-line.ts";
import { type Merged, mergeOf } from "../output/merge.ts";
import { createColors, diffNotes } from "../output/text.ts";
import type { DiffSettings, MergeSettings } from "../settings.ts";
import { type CommandContext, withEngine } from "./context.ts";

interface Content {
  readonly record: RecordReport;
  readonly bytes: Buffer;
}

/** The error about a version that is too long for what is to be done with it. */
type TooLong = (record: RecordReport, version: Version) => FeError;

/** Commands for the record in the store that was named. */
function commandsFor(
  record: RecordReport,
  { storeOptions }: Pick<MergeSettings, "storeOptions">,
): RecoveryCommands {
  return new RecoveryCommands(record, undefined, storeOptions);
}

function tooLongToCompare(settings: DiffSettings): TooLong {
  const { from, to } = settings;
  return (record, version) =>
    new FeError(
      "FE_INVALID_REQUEST",
      `Cannot compare version ${version}: it has more than ${maxComparedBytes} bytes`,
      {
        hint:
          "Give both to a diff program of yours, PROGRAM: " +
          commandsFor(record, settings).diff(from, to, "PROGRAM"),
      },
    );
}

function tooLongToMerge(settings: MergeSettings): TooLong {
  return (record, version) => {
    const commands = commandsFor(record, settings);
    const file = record.path ?? record.recordPath;
    return new FeError(
      "FE_INVALID_REQUEST",
      `Cannot propose a merge of "${file}": version ${version} has more than ` +
        `${maxComparedBytes} bytes`,
      {
        path: file,
        hint:
          "Take a whole version, or merge with a program of yours, PROGRAM: " +
          `${commands.diff("current", "after", "PROGRAM")}, and give what it wrote, MERGED: ` +
          commands.resolveWith("MERGED"),
      },
    );
  };
}

async function contentOf(
  engine: Engine,
  id: string,
  version: Version,
  tooLong: TooLong,
): Promise<Content> {
  const shown = await engine.recovery.show(id, version);
  const { record } = shown;
  try {
    const chunks: Uint8Array[] = [];
    let { sizeBytes } = shown;
    if (sizeBytes > maxComparedBytes) throw tooLong(record, version);
    sizeBytes = 0;
    for await (const chunk of shown.chunks()) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxComparedBytes) throw tooLong(record, version);
      chunks.push(chunk);
    }
    return { record, bytes: Buffer.concat(chunks) };
  } finally {
    await shown.close();
  }
}

/** As text if it is UTF-8; else the bytes would not survive that. */
function diffMembers(compared: Compared): JsonObject {
  if (compared.kind === "none") return { no_diff: compared.why };
  const { bytes, transcodedFrom } = compared;
  return {
    ...(compared.isUtf8 ? { diff: bytes.toString() } : { diff_base64: bytes.toString("base64") }),
    ...(transcodedFrom === undefined ? {} : { diff_transcoded_from: transcodedFrom }),
  };
}

/** Standard output is the diff and nothing else. */
export async function runDiff(settings: DiffSettings, context: CommandContext): Promise<void> {
  const { output } = context;
  const { id, from, to } = settings;
  const tooLong = tooLongToCompare(settings);
  const [one, other] = await withEngine(context.openEngine, settings.engine, async (engine) => [
    await contentOf(engine, id, from, tooLong),
    await contentOf(engine, id, to, tooLong),
  ]);
  const name = one.record.path ?? one.record.id;
  const compared = await unifiedDiffOf(
    one.bytes,
    other.bytes,
    `${name} (${from})`,
    `${name} (${to})`,
  );
  if (output.json) {
    const same = one.bytes.equals(other.bytes);
    const members = { record: recordToJson(one.record), from, to, same, ...diffMembers(compared) };
    await output.result(jsonLine(members));
    return;
  }
  if (compared.kind === "none") {
    const commands = commandsFor(one.record, settings);
    await output.message(
      `The versions ${from} and ${to} differ: ${compared.why}\n` +
        `To look at them in a program of yours: ${commands.diff(from, to, "PROGRAM")}\n`,
    );
    return;
  }
  if (compared.bytes.length === 0) {
    if (!output.quiet) await output.message(`The versions ${from} and ${to} are the same\n`);
  } else if (output.toTerminal) {
    await output.result(diffText(compared.bytes, createColors(output.colorResults)));
  } else {
    await output.result(compared.bytes);
  }
  const { transcodedFrom } = compared;
  if (!output.quiet) await output.message(diffNotes({ truncated: false, transcodedFrom }));
}

/** The merge to standard output, or an error that says why there is none. */
export async function runMerge(settings: MergeSettings, context: CommandContext): Promise<void> {
  const { output } = context;
  const { id } = settings;
  const tooLong = tooLongToMerge(settings);
  const [before, after, current] = await withEngine(
    context.openEngine,
    settings.engine,
    async (engine) => [
      await contentOf(engine, id, "before", tooLong),
      await contentOf(engine, id, "after", tooLong),
      await contentOf(engine, id, "current", tooLong),
    ],
  );
  const { record } = before;
  const commands = commandsFor(record, settings);
  if (isTorn(before.bytes, after.bytes, current.bytes)) throw noMergeOfTorn(record, commands);
  const merged = await mergeOf(before.bytes, after.bytes, current.bytes);
  if (merged.kind !== "merged") throw noMerge(merged, record, commands);
  const { bytes } = merged;
  if (output.json) {
    const content = { content_base64: bytes.toString("base64") };
    const members = { record: recordToJson(record), bytes: bytes.length, ...content };
    await output.result(jsonLine(members));
  } else {
    await output.result(bytes);
  }
}

function linesText(first: number, last: number): string {
  return last > first ? `lines ${first} to ${last}` : `line ${first}`;
}

function wholeVersions(commands: RecoveryCommands): string {
  return (
    `\`${commands.resolve("after")}\` as the edit meant it to be, ` +
    `\`${commands.resolve("before")}\` as it was`
  );
}

/** A line of which half was written would be proposed as if somebody had changed it so. */
function noMergeOfTorn(record: RecordReport, commands: RecoveryCommands): FeError {
  const file = record.path ?? record.recordPath;
  const message =
    `Cannot propose a merge of "${file}": the edit was cut short in its writing, and nobody else ` +
    "changed the file since";
  return new FeError("FE_CONTENT_CHANGED", message, {
    path: file,
    hint: `Take a whole version: ${wholeVersions(commands)}`,
  });
}

function noMerge(
  merged: Exclude<Merged, { kind: "merged" }>,
  record: RecordReport,
  commands: RecoveryCommands,
): FeError {
  const why =
    merged.kind === "none"
      ? merged.why
      : `both sides changed what stood at ${linesText(merged.firstLine, merged.lastLine)}`;
  const file = record.path ?? record.recordPath;
  return new FeError("FE_CONTENT_CHANGED", `Cannot propose a merge of "${file}": ${why}`, {
    path: file,
    hint:
      `If nobody else changed the file, take a whole version: ${wholeVersions(commands)}. ` +
      "Otherwise merge them in a file of your own, or with a merge program, PROGRAM: " +
      `\`${commands.diff("current", "after", "PROGRAM")}\`, ` +
      `and give that, MERGED: \`${commands.resolveWith("MERGED")}\``,
  });
}
