/** What all parts of one `locate` know. */
import type { ByteSource } from "@fe/journal";
import type { ContentSum } from "./content-sum.ts";
import type { LocateSizes } from "./limits.ts";
import type { TextEdit } from "./text-edit.ts";
import type { TextCodec } from "./text-form.ts";
import type { WorkMeter } from "./work-meter.ts";

/** How to locate. */
export interface LocateOptions {
  /**
   * `match-file`: if all lines of the file end in the same way, line breaks in both texts are taken
   * so. `exact`: texts are taken as they are.
   */
  readonly lineEndings: "match-file" | "exact";
  /** Largest result, in bytes. What edits leave on the way to it may be twice as large. */
  readonly maxAfterBytes: number;
  /** Most places that all edits together may replace. */
  readonly maxPlaces: number;
  /**
   * `matchCounts` of an earlier reading: what is replaced everywhere must be there as often again.
   */
  readonly requiredCounts?: readonly number[];
  /** How texts become bytes. @default UTF-8 */
  readonly codec?: TextCodec;
  /** Whether the caller named an encoding, be it UTF-8: then a file is not judged by its looks. */
  readonly isEncodingNamed?: boolean;
  /** Given, a diff is made as well, with this path in its header. */
  readonly diffPath?: string;
  /** Makes the sum of the file. @default SHA-256 */
  readonly newSum?: () => ContentSum;
  /** Called when a text was not found, before the reasons are looked for, which may take long. */
  readonly onMiss?: () => Promise<void>;
  /** Looked at between two chunks. */
  readonly signal?: AbortSignal;
}

export interface LocateContext {
  /** The before-image; in memory if it is small. */
  readonly source: ByteSource;
  readonly edits: readonly TextEdit[];
  readonly options: LocateOptions;
  readonly sizes: LocateSizes;
  readonly meter: WorkMeter;
}

/** An edit in the file's line style and encoding. */
export interface EncodedEdit {
  readonly index: number;
  readonly edit: TextEdit;
  readonly oldText: string;
  readonly newText: string;
  readonly oldBytes: Uint8Array;
  readonly newBytes: Uint8Array;
}

/** How messages name the old text of an edit. */
export function labelOf({ edits }: Pick<LocateContext, "edits">, index: number): string {
  return edits.length === 1
    ? "the old text"
    : `the old text of edit ${index + 1} of ${edits.length}`;
}
