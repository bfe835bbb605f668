/** Answers of an engine, for tests of what the command and the server tell. */
import {
  type EditResult,
  FeError,
  type NamedRecord,
  type ResolvedReport,
  type ResolveResult,
  type ShownVersion,
  type UndoResult,
  type UnreadableRecord,
} from "../src/index.ts";

export const editResult: EditResult = {
  status: "applied",
  path: "notes.md",
  realPath: "/home/someone/notes.md",
  identity: { volume: 66_306n, file: 18_014_398_509_481_985n, device: 66_306n },
  replacements: 2,
  matches: [
    { line: 3, column: 7, byteOffset: 41 },
    { line: 9, column: 1, byteOffset: 120 },
  ],
  matchesTruncated: false,
  beforeSha256: "b".repeat(64),
  afterSha256: "a".repeat(64),
  bytesBefore: 200,
  bytesAfter: 202,
  exclusion: "cooperative",
  durability: "synced",
  lineEndings: "not-examined",
  metadataChanges: [],
  dryRun: false,
  warnings: [],
};

export const record: NamedRecord = {
  id: "0123456789abcdef".repeat(4),
  recordPath: "/home/someone/.config/fe/edit-recovery/0123.fer",
  phase: "prepared",
  why: "the owner is gone and the file holds neither version",
  path: "/home/someone/notes.md",
  transactionId: "6a204bd8-9b2c-4f3a-8d0e-0c8f5f1f4f10",
  identity: { volume: 66_306n, file: 4711n, birthTimeNs: 1_700_000_000_000_000_000n, device: 1n },
  owner: { pid: 4242, state: "gone", why: "no process has this pid" },
  createdMs: 1_700_000_000_123,
  before: { sizeBytes: 1, sha256: "b".repeat(64) },
  after: { sizeBytes: 202, sha256: "a".repeat(64) },
};

export const unreadableRecord: UnreadableRecord = {
  id: "f".repeat(64),
  recordPath: "/home/someone/.config/fe/edit-recovery/ffff.fer",
  phase: "unreadable",
  why: "its checksum is wrong",
};

export const resolveResult: ResolveResult = {
  status: "applied",
  record,
  kept: "before",
  path: "/home/someone/notes.md",
  savedPath: "/home/someone/.config/fe/edit-recovery/saved/1.bytes",
  movedRecordTo: "/home/someone/.config/fe/edit-recovery/saved/1.fer",
  before: { sizeBytes: 77, sha256: "c".repeat(64) },
  after: { sizeBytes: 1, sha256: "b".repeat(64) },
  warnings: [],
};

export const resolvedRecord: ResolvedReport = {
  id: record.id,
  path: "/home/someone/notes.md",
  savedMs: 1_700_000_001_000,
  savedPath: "/home/someone/.config/fe/edit-recovery/saved/1.bytes",
  savedBytes: 77,
  record: { ...record, recordPath: "/home/someone/.config/fe/edit-recovery/saved/1.fer" },
};

export const undoResult: UndoResult = {
  ...editResult,
  path: "/home/someone/notes.md",
  recordId: record.id,
  savedPath: "/home/someone/.config/fe/edit-recovery/saved/2",
};

export const recoveryRequired: FeError = new FeError(
  "FE_RECOVERY_REQUIRED",
  'Cannot edit "notes.md": an earlier edit was cut short',
  { path: "notes.md", record, hint: "Save the file first" },
);

/** A version with this content; `sizeBytes`: what it claims to have. */
export function shown(content: Uint8Array, sizeBytes: number = content.length): ShownVersion {
  return {
    record,
    version: "before",
    sizeBytes,
    async *chunks() {
      yield content;
    },
    close: async () => {},
  };
}
