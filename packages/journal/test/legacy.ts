/** Records as programs of the older form write them. */
import fs from "node:fs";
import path from "node:path";
import { sha256 } from "../src/checksum.ts";
import { legacyStem } from "../src/file-names.ts";
import type { RecordDraft } from "../src/index.ts";
import type { Scratch } from "./scratch.ts";

export type Members = Record<string, unknown>;

/** The members of a record of this draft's file, "one two three" to become "one 2 three". */
export function legacyMembers(draft: RecordDraft, changes: Members = {}): Members {
  const before = Buffer.from("one two three");
  const after = Buffer.from("one 2 three");
  return {
    version: 1,
    path: draft.realPath,
    fileDev: Number(draft.target.device),
    fileIno: Number(draft.target.file),
    ownerPid: 4242,
    ownerBootTimeMs: 1_795_000_000_000,
    transactionId: "0f8b8f0e-7d5c-4b5a-9b1e-1f2a3b4c5d6e",
    state: "prepared",
    beforeBase64: before.toString("base64"),
    afterBase64: after.toString("base64"),
    beforeSha256: sha256(before).toString("hex"),
    afterSha256: sha256(after).toString("hex"),
    ...changes,
  };
}

/** Text of a record; a member that is `undefined` is left out. */
export function legacyText(members: Members, space?: number): string {
  const checksum = sha256(JSON.stringify(members)).toString("hex");
  return JSON.stringify({ checksum, ...members }, null, space);
}

/** Puts a record into the store, which has to be there; returns its stem and path. */
export function putLegacy(
  place: Scratch,
  draft: RecordDraft,
  text: string,
): { readonly stem: string; readonly file: string } {
  const stem = legacyStem(draft.target);
  const file = path.join(place.store, `${stem}.json`);
  fs.writeFileSync(file, text, { mode: 0o600 });
  return { stem, file };
}
