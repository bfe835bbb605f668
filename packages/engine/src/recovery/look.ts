/**
 * What the file of a listed record holds now, and what the decision table says of that: the same
 * reason that an edit of it would tell. Reads only, and takes no lock (I9).
 *
 * Only where the owner is gone. Of one that may be at work what is seen may change at once, and to
 * open its file could end the exclusion under which it writes.
 */
import { type ListedRecord, legacyStem } from "@fe/journal";
import { type FileIdentity, type Os, OsError, type ReadableFile } from "@fe/native";
import { decide, explainDecision, explainFinding, type OrphanFacts } from "@fe/reconcile";
import { fileSource, hashOf } from "../bytes.ts";
import type { NamedRecord } from "../record-report.ts";
import type { EngineContext } from "../transaction/context.ts";
import { pinTarget } from "./expectation.ts";
import { isRecordedFile } from "./observe.ts";
import { choicesFor } from "./stranger.ts";

/**
 * How many bytes of files one list reads, together: some tenths of a second. A file that needs more
 * than what is left is not looked at; one whose length is of neither version needs none.
 */
export const maxLookedBytes: number = 64 * 1024 * 1024;

/** A record of which the front could be read. */
export type FrontRecord = ListedRecord & {
  readonly metadata: NonNullable<ListedRecord["metadata"]>;
  readonly phase: NonNullable<ListedRecord["phase"]>;
};

type Seen = Pick<OrphanFacts, "identity" | "bytes">;

const changed: Seen = { identity: "changed", bytes: "other" };

/** Looks at files until so many bytes of them were read. */
export class Looks {
  readonly #context: EngineContext;
  #leftBytes: number;

  constructor(context: EngineContext, leftBytes: number = maxLookedBytes) {
    this.#context = context;
    this.#leftBytes = leftBytes;
  }

  /** The report, with what was seen. */
  async added(report: NamedRecord, record: FrontRecord): Promise<NamedRecord> {
    const seen = report.owner?.state === "gone" ? await this.#seen(record) : undefined;
    if (seen === undefined) return { ...report, holds: "not-looked-at" };
    const storeHasLocks = this.#context.journal.storeHasLocks !== false;
    const facts: OrphanFacts = { record: record.phase, owner: "gone", storeHasLocks, ...seen };
    const decision = decide(facts);
    // Of a sync that failed more is known than the facts say: whether the machine was started anew.
    const why =
      decision.row === "J"
        ? report.why
        : decision.action === "reclaim"
          ? `${explainFinding(decision, facts)}; the next edit settles it`
          : explainDecision(decision, facts);
    return { ...report, why, holds: holdsOf(seen), choices: choicesFor(seen.identity) };
  }

  /** `undefined`: it could not be looked at, or reading it would take too long. */
  async #seen(record: FrontRecord): Promise<Seen | undefined> {
    const { os } = this.#context;
    try {
      const pinned = await pinTarget(this.#context, record.metadata.realPath);
      if (pinned === undefined) return { identity: "missing", bytes: "other" };
      try {
        const { identity } = await pinned.target.status();
        if (!(await isFileOf(os, record, identity))) return changed;
        const file = await pinned.target.openForReading();
        try {
          // Asked again: a handle that can read knows the generation too.
          const opened = (await file.status()).identity;
          if (!(await isFileOf(os, record, opened))) return changed;
          const bytes = await this.#imageIn(record, file);
          return bytes && { identity: "same", bytes };
        } finally {
          await file.close();
        }
      } finally {
        await pinned.close();
      }
    } catch (error) {
      if (error instanceof OsError) return undefined;
      throw error;
    }
  }

  async #imageIn(
    { metadata: { before, after } }: FrontRecord,
    file: ReadableFile,
  ): Promise<OrphanFacts["bytes"] | undefined> {
    const { sizeBytes } = await file.status();
    if (sizeBytes !== before.sizeBytes && sizeBytes !== after.sizeBytes) return "other";
    if (sizeBytes > this.#leftBytes) return undefined;
    this.#leftBytes -= sizeBytes;
    const sha256 = await hashOf(fileSource(file, sizeBytes));
    if (sha256 === before.sha256) return "before";
    return sha256 === after.sha256 ? "after" : "other";
  }
}

/** A record of the older form says by its name alone which file it is of. */
async function isFileOf(os: Os, record: FrontRecord, identity: FileIdentity): Promise<boolean> {
  return record.form === "json"
    ? legacyStem(identity) === record.id
    : isRecordedFile(os, record, identity);
}

function holdsOf({ identity, bytes }: Seen): NonNullable<NamedRecord["holds"]> {
  if (identity === "missing") return "nothing";
  if (identity === "changed") return "another-file";
  return bytes === "other" ? "neither" : bytes;
}
