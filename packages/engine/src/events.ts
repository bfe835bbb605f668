/**
 * Events for whoever watches a program from outside of its code: a message on a channel of
 * `node:diagnostics_channel` at the end of every call, for success and failure alike.
 *
 * V1  A message has codes, sizes, hashes, paths and durations; never bytes of a file.
 * V2  Without a subscriber nothing is measured or made.
 * V3  What a subscriber does has no part in the call: if it throws, Node reports it as an uncaught
 *     exception, on its own, and a promise of its that rejects as an unhandled rejection. Both are
 *     between Node and the subscriber: what it returns is not handed to who publishes.
 *
 * Source: Node.js documentation, "Diagnostics Channel".
 */
import { channel } from "node:diagnostics_channel";
import type { Os } from "@fe/native";
import { type Effect, type FailureStatus, FeError, type FeErrorCode } from "./errors.ts";
import type { EditResult, ResolveResult } from "./result.ts";

/** Names of the channels. */
export const eventChannels = {
  /** `edit` and `preview`: {@link EditEvent}. */
  edit: "fe:edit",
  /** `recovery.list`, `show`, `resolve` and `undo`: {@link RecoveryEvent}. */
  recovery: "fe:recovery",
} as const;

/** What every message has. */
export interface EventOutcome {
  readonly status: "applied" | "unchanged" | "done" | FailureStatus;
  /** ms by a clock that never goes back, from the call to its end. */
  readonly durationMs: number;
  /** On failure. Absent there too if the error is a broken invariant and no `FeError`. */
  readonly code?: FeErrorCode;
  /** On failure: what is true of the file. */
  readonly effect?: Effect;
  readonly retryable?: boolean;
  /**
   * Of a failure: the record that it is about. Of an edit: one of an earlier edit that it settled.
   */
  readonly recordId?: string;
}

/** Message of `fe:edit`. */
export interface EditEvent extends EventOutcome {
  readonly operation: "edit" | "preview";
  /** As the caller named it. Absent if the request is refused since its path is no text. */
  readonly path?: string;
  readonly realPath?: string;
  readonly replacements?: number;
  readonly bytesBefore?: number;
  readonly bytesAfter?: number;
  readonly beforeSha256?: string;
  readonly afterSha256?: string;
  readonly exclusion?: EditResult["exclusion"];
  readonly durability?: EditResult["durability"];
}

/** Message of `fe:recovery`. */
export interface RecoveryEvent extends EventOutcome {
  readonly operation: "list" | "show" | "resolve" | "undo";
  /** As the caller gave it. */
  readonly id?: string;
  /** Of `resolve`: what was kept. */
  readonly kept?: ResolveResult["kept"];
  readonly path?: string;
  readonly bytesBefore?: number;
  readonly bytesAfter?: number;
  readonly beforeSha256?: string;
  readonly afterSha256?: string;
}

const edits = channel(eventChannels.edit);
const recoveries = channel(eventChannels.recovery);

type Facts<E> = Partial<Omit<E, "operation" | "durationMs">>;

/** Runs an edit or a preview, and says what became of it. */
export function withEditEvent(
  os: Os,
  call: Pick<EditEvent, "operation" | "path">,
  work: () => Promise<EditResult>,
): Promise<EditResult> {
  if (!edits.hasSubscribers) return work();
  return observe(os, edits, call, work, factsOfEdit);
}

/** Runs a call of `recovery`, and says what became of it. */
export function withRecoveryEvent<T>(
  os: Os,
  call: Pick<RecoveryEvent, "operation" | "id">,
  work: () => Promise<T>,
  factsOf: (result: T) => Facts<RecoveryEvent> = () => ({ status: "done" }),
): Promise<T> {
  if (!recoveries.hasSubscribers) return work();
  return observe(os, recoveries, call, work, factsOf);
}

async function observe<T>(
  os: Os,
  where: typeof edits,
  call: object,
  work: () => Promise<T>,
  factsOf: (result: T) => object,
): Promise<T> {
  // Not awaited first: a call has begun when its function returns, so `close` waits for it.
  const started = os.monotonicMs();
  const running = work();
  const tell = async (facts: object): Promise<void> => {
    const startedMs = await started;
    where.publish({ ...call, ...facts, durationMs: (await os.monotonicMs()) - startedMs });
  };
  let result: T;
  try {
    result = await running;
  } catch (error) {
    await tell(factsOfFailure(error));
    throw error;
  }
  await tell(factsOf(result));
  return result;
}

function factsOfFailure(error: unknown): Omit<EventOutcome, "durationMs"> {
  if (!(error instanceof FeError)) return { status: "failed" };
  const { status, code, effect, retryable, record, recovered } = error;
  const recordId = record?.id ?? recovered?.recordId;
  return {
    status,
    code,
    effect,
    retryable,
    ...(recordId === undefined ? {} : { recordId }),
  };
}

function factsOfEdit(result: EditResult): Facts<EditEvent> {
  const { status, realPath, replacements, exclusion, durability, recovered } = result;
  return {
    status,
    realPath,
    replacements,
    ...sizesOf(result),
    exclusion,
    durability,
    ...(recovered === undefined ? {} : { recordId: recovered.recordId }),
  };
}

function sizesOf({ bytesBefore, bytesAfter, beforeSha256, afterSha256 }: EditResult) {
  return { bytesBefore, bytesAfter, beforeSha256, afterSha256 };
}

/** Of `resolve`. */
export function factsOfResolution(result: ResolveResult): Facts<RecoveryEvent> {
  const { status, kept, path, record, before, after } = result;
  return {
    status,
    kept,
    recordId: record.id,
    ...(path === undefined ? {} : { path }),
    ...(before === undefined ? {} : { bytesBefore: before.sizeBytes, beforeSha256: before.sha256 }),
    ...(after === undefined ? {} : { bytesAfter: after.sizeBytes, afterSha256: after.sha256 }),
  };
}

/** Of `undo`. */
export function factsOfUndo(result: EditResult & { recordId: string }): Facts<RecoveryEvent> {
  const { status, path, recordId } = result;
  return { status, path, recordId, ...sizesOf(result) };
}
