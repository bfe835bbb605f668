/**
 * What resolutions left in `saved/`, by record: the bytes that they replaced and the record itself,
 * so that a person finds it again who has closed the window. It reads and changes nothing (I9).
 */
import type { KeptRecord, SavedBytes, SavedNote } from "@fe/journal";
import { fromOs } from "../os-failure.ts";
import type { ResolvedReport } from "../record-report.ts";
import type { EngineContext } from "../transaction/context.ts";
import { mayTellOf } from "./conceal.ts";
import { keptReport, visibleKept } from "./lookup.ts";

type Noted<Item> = Item & { readonly note: SavedNote };

/** What is kept of one record. There is at least one of the two. */
export interface Resolved {
  readonly id: string;
  /** The bytes that its resolution, and each undo of it, replaced; newest first. */
  readonly saved: readonly Noted<SavedBytes>[];
  /** The record that was resolved last under this id. */
  readonly record: Noted<KeptRecord> | undefined;
}

/** Real path of the file. */
export function pathOf({ saved, record }: Resolved): string {
  const note = saved[0]?.note ?? record?.note;
  if (note === undefined) throw new Error("Nothing is kept of the record");
  return note.realPath;
}

function newestMs({ saved, record }: Resolved): number {
  return Math.max(saved[0]?.savedMs ?? 0, record?.savedMs ?? 0);
}

function isNoted<Item extends { readonly note: SavedNote | undefined }>(
  item: Item,
): item is Noted<Item> {
  return item.note !== undefined;
}

/**
 * By time, oldest first, as records are listed; what has no note cannot be taken back. Errors:
 * `FE_STORE_NOT_PRIVATE`, `FE_IO`.
 */
export async function resolvedRecords(context: EngineContext): Promise<Resolved[]> {
  const saved = (await savedBytes(context))
    .filter(isNoted)
    .filter(({ note }) => mayTellOf(context, note.realPath));
  const kept = (await visibleKept(context)).filter(isNoted);
  const ids = new Set([...saved, ...kept].map(({ id }) => id));
  return [...ids]
    .map((id) => ({
      id,
      saved: saved.filter((one) => one.id === id),
      record: kept.find((one) => one.id === id && one.metadata !== undefined),
    }))
    .filter((one) => one.saved.length > 0 || one.record !== undefined)
    .sort((one, other) => newestMs(one) - newestMs(other) || (one.id < other.id ? -1 : 1));
}

async function savedBytes({ journal }: EngineContext): Promise<readonly SavedBytes[]> {
  try {
    return await journal.listSaved();
  } catch (error) {
    throw fromOs(error, { action: "list what can be taken back" });
  }
}

/** For people and programs. Errors: as `resolvedRecords`. */
export async function listResolved(context: EngineContext): Promise<readonly ResolvedReport[]> {
  return Promise.all(
    (await resolvedRecords(context)).map(async (one) => {
      const { id, saved, record } = one;
      const [newest] = saved;
      const report = record && (await keptReport(context, record));
      return {
        id,
        path: pathOf(one),
        savedMs: newestMs(one),
        ...(newest && { savedPath: newest.path, savedBytes: newest.sizeBytes }),
        ...(report && { record: report }),
      };
    }),
  );
}
