/** Texts that are given as they are or by a file. */

import type { Version } from "@fe/engine";
import { UsageError } from "../usage-error.ts";
import type { SettingsReader } from "./reader.ts";
import { parseChoice, versions } from "./values.ts";

/**
 * A text longer than this cannot be in a file that may be edited: the recovery store takes no
 * version over 128 MiB.
 */
export const maxTextBytes: number = 128 * 1024 * 1024;

/** Node turns bytes of an argument that are not UTF-8 into this, and it would be written as it. */
const replacementCharacter = "\uFFFD";

export type Side = "old" | "new";

/** Bytes of a file that an option names. Rejects with {@link UsageError}. */
export async function readFileOf(
  file: string,
  flag: string,
  limitBytes: number,
  reader: SettingsReader,
): Promise<Uint8Array> {
  try {
    return await reader.readInput(file, limitBytes);
  } catch (error) {
    const source = file === "-" ? "standard input" : `"${file}"`;
    const text = error instanceof Error ? error.message : String(error);
    // Node puts a code before it, and the call and the name after it, which stand here already.
    const why = text.replace(/^E[A-Z0-9]+: ([^,]+), (?:open|read)\b.*$/su, "$1");
    throw new UsageError(
      `Cannot read ${source} for ${flag}: ${why}`,
      "Name a file that can be read, or - for standard input",
    );
  }
}

async function readText(side: Side, file: string, reader: SettingsReader): Promise<string> {
  const source = file === "-" ? "standard input" : `"${file}"`;
  const bytes = await readFileOf(file, `--${side}-file`, maxTextBytes, reader);
  try {
    // A byte order mark is part of the exact bytes, so it must not be dropped.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UsageError(
      `Cannot use ${source} for --${side}-file: its bytes are not UTF-8`,
      "Texts are UTF-8; take only the part of the text that is ASCII, or convert it",
    );
  }
}

/** The text, from the command line or from a file. Rejects with {@link UsageError}. */
export async function settleText(
  side: Side,
  text: string | undefined,
  file: string | undefined,
  reader: SettingsReader,
): Promise<string> {
  if ((text === undefined) === (file === undefined)) {
    throw new UsageError(
      text === undefined
        ? `Nothing says what the ${side} text is`
        : `Both --${side}-string and --${side}-file are given`,
      `Give either --${side}-string or --${side}-file`,
    );
  }
  if (text === undefined) return readText(side, file ?? "", reader);
  if (text.includes(replacementCharacter)) {
    throw new UsageError(
      `Cannot use --${side}-string: it holds U+FFFD, which stands for bytes that are not UTF-8`,
      `If that character is meant, put it in a file and give --${side}-file`,
    );
  }
  return text;
}

/** What a file is to hold: a version, or bytes. */
export type ResolveChoice = { readonly keep: Version } | { readonly content: Uint8Array };

/** One of `--keep` and `--with`. */
export async function settleChoice(
  raw: { readonly keep?: string; readonly with?: string },
  reader: SettingsReader,
): Promise<ResolveChoice> {
  if (raw.with === undefined) {
    if (raw.keep !== undefined) return { keep: parseChoice(raw.keep, "--keep", versions) };
    throw new UsageError(
      "Nothing says what the file is to hold",
      "Give --keep before, --keep after or --keep current, or --with FILE",
    );
  }
  if (raw.keep !== undefined) {
    throw new UsageError("Both --keep and --with are given", "Give one of them");
  }
  return { content: await readFileOf(raw.with, "--with", maxTextBytes, reader) };
}
