/**
 * `saved/`: what a person's decision replaced or put aside, so that it can be had back. Bytes stand
 * there as they are, for any editor to open, with a note beside them that says where they belong.
 *
 * It is bounded, oldest first. Records that nobody has decided about are not here and never
 * dropped.
 */
import {
  hasCode,
  identityFromJson,
  identityToJson,
  OsError,
  type StoreDirectory,
} from "@fe/native";
import { type ByteSource, bytesSource } from "./byte-source.ts";
import { newHash } from "./checksum.ts";
import { writeAll, writeDurably } from "./durable-write.ts";
import { SourceChangedError } from "./errors.ts";
import { maxSavedMs, parseSavedName, savedDirectoryName, savedGroup } from "./file-names.ts";
import type { SavedBytes, SavedNote } from "./journal-types.ts";
import { chunkBytes, maxImageBytes, maxSavedNoteBytes } from "./limits.ts";
import { MemberReader } from "./member-reader.ts";
import { decodePath, encodePath } from "./metadata-codec.ts";
import { renamePatiently } from "./patient-rename.ts";
import { openChecked } from "./record-lock.ts";
import { beyondLimits, type SavedGroup } from "./saved-limits.ts";
import type { Store } from "./store.ts";
import { syncNames } from "./sync-names.ts";

/**
 * Saves `source` durably, the note first: bytes without a note could not be taken back.
 *
 * Errors: `SourceChangedError`, `OsError`.
 */
export async function saveBytes(
  store: Store,
  id: string,
  source: ByteSource,
  note: SavedNote | undefined,
  spared: string | undefined,
): Promise<{ readonly path: string; readonly sha256: string }> {
  const directory = await store.names.findOrMakeSaved(store.directory);
  try {
    if (store.hasLocks) await removeHalfSaved(store, directory);
    const group = await newGroup(store, directory, id);
    if (note !== undefined) {
      await save(store, directory, `${group}.note`, bytesSource(Buffer.from(encodeNote(note))));
    }
    const name = `${group}.bytes`;
    const sha256 = await save(store, directory, name, source).catch(async (error: unknown) => {
      await dropNote(directory, group);
      throw error;
    });
    const needed = spared === undefined ? [] : [store.os.paths.nameOf(spared)];
    await prune(store, directory, name, ...needed);
    return { path: store.names.pathOf(savedDirectoryName, name), sha256 };
  } finally {
    await directory.close();
  }
}

/**
 * A name that is later than all that are there. By a clock that was set back since, what is saved
 * last would be the first to go, and an undo would take what was saved before it.
 */
async function newGroup(store: Store, directory: StoreDirectory, id: string): Promise<string> {
  const times = (await directory.list()).map((name) => parseSavedName(name)?.savedMs ?? 0);
  const savedMs = Math.max(await store.os.now(), Math.max(0, ...times) + 1);
  return savedGroup(id, Math.min(savedMs, maxSavedMs), await store.os.randomId());
}

/** Whoever saves holds the lock of the file: one that is free was left by a killed process. */
async function removeHalfSaved(store: Store, directory: StoreDirectory): Promise<void> {
  for (const name of await directory.list()) {
    if (parseSavedName(name)?.ending.endsWith(".tmp") !== true) continue;
    const opened = await openChecked({ directory, owner: store.owner }, name, maxImageBytes);
    if (opened.kind !== "open") continue;
    try {
      if (await opened.file.tryLock()) await removeSaved(directory, name);
    } finally {
      await opened.file.close();
    }
  }
}

async function save(
  store: Store,
  directory: StoreDirectory,
  name: string,
  source: ByteSource,
): Promise<string> {
  const { file, content } = await writeDurably({
    os: store.os,
    directory,
    name,
    temporaryName: `${name}.tmp`,
    lock: false,
    fill: async (target) => {
      // From the beginning, so that nobody takes it for left over.
      if (store.hasLocks && !(await target.tryLock())) {
        throw new OsError("EAGAIN", "flock", { message: "another process took it away" });
      }
      const hash = newHash();
      const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, source.sizeBytes));
      for (let position = 0; position < source.sizeBytes; position += buffer.length) {
        const piece = buffer.subarray(0, Math.min(buffer.length, source.sizeBytes - position));
        const count = await source.read(piece, position);
        if (count !== piece.length) throw new SourceChangedError(source.sizeBytes);
        hash.update(piece);
        await writeAll(target, piece, position);
      }
      return hash.digest("hex");
    },
  });
  await file.close();
  return content;
}

/**
 * Saves a note without bytes, durably; returns its group, for what is to stand beside it. Where
 * there is no room, there is no note: what stands there can be looked at, and not put back.
 */
export async function saveNote(store: Store, id: string, note: SavedNote): Promise<string> {
  const directory = await store.names.findOrMakeSaved(store.directory);
  try {
    const group = await newGroup(store, directory, id);
    const source = bytesSource(Buffer.from(encodeNote(note)));
    await save(store, directory, `${group}.note`, source).catch((error: unknown) => {
      if (!hasCode(error, "ENOSPC", "EDQUOT")) throw error;
    });
    return group;
  } finally {
    await directory.close();
  }
}

/** A note alone would count as one of the few copies that are kept, and as the last of its file. */
export async function dropNote(directory: StoreDirectory, group: string): Promise<void> {
  await removeSaved(directory, `${group}.note`).catch(() => undefined);
}

/** Moves what stands at `name` into `saved/`, durably, without opening it; returns its path. */
export async function moveAside(
  store: Store,
  name: string,
  id: string,
  ending: "fer" | "json" | "reap",
): Promise<string> {
  const directory = await store.names.findOrMakeSaved(store.directory);
  try {
    const target = `${await newGroup(store, directory, id)}.${ending}`;
    await renamePatiently(store.os, () => store.directory.moveTo(name, directory, target));
    await settleMove(store, directory, target);
    return store.names.pathOf(savedDirectoryName, target);
  } finally {
    await directory.close();
  }
}

/** Makes a move into `saved/` durable, and holds the limits. */
export async function settleMove(
  store: Store,
  directory: StoreDirectory,
  target: string,
): Promise<void> {
  // The new name first: a power loss may leave it at both places, never at none.
  await syncNames(directory);
  await syncNames(store.directory);
  await prune(store, directory, target);
}

/** What is saved, newest first. */
export async function listSaved(store: Store): Promise<SavedBytes[]> {
  const directory = await store.names.findSaved(store.directory);
  if (directory === undefined) return [];
  try {
    const saved: SavedBytes[] = [];
    for (const name of await directory.list()) {
      const parsed = parseSavedName(name);
      if (parsed?.ending !== "bytes") continue;
      const status = await directory.entryStatus(name);
      if (status?.kind !== "regular") continue;
      saved.push({
        id: parsed.id,
        path: store.names.pathOf(savedDirectoryName, name),
        sizeBytes: status.sizeBytes,
        savedMs: parsed.savedMs,
        note: await readNote(store, directory, `${parsed.group}.note`),
      });
    }
    return saved.sort((one, other) => other.savedMs - one.savedMs);
  } finally {
    await directory.close();
  }
}

/**
 * Opens saved bytes by the path that `listSaved` or `saveBytes` gave; `undefined` if they are gone.
 */
export async function openSaved(
  store: Store,
  path: string,
): Promise<{ readonly bytes: ByteSource; close(): Promise<void> } | undefined> {
  const name = store.os.paths.nameOf(path);
  const isOurs = path === store.names.pathOf(savedDirectoryName, name);
  if (!isOurs || parseSavedName(name)?.ending !== "bytes") return undefined;
  const directory = await store.names.findSaved(store.directory);
  if (directory === undefined) return undefined;
  try {
    const opened = await openChecked({ directory, owner: store.owner }, name, maxImageBytes);
    if (opened.kind !== "open") return undefined;
    const { file, status } = opened;
    const bytes: ByteSource = {
      sizeBytes: status.sizeBytes,
      read: (buffer, positionBytes) => file.read(buffer, positionBytes),
    };
    return { bytes, close: () => file.close() };
  } finally {
    await directory.close();
  }
}

/** Removes saved bytes and their note; see `Journal.dropSaved`. */
export async function dropSaved(store: Store, path: string): Promise<void> {
  const name = store.os.paths.nameOf(path);
  const parsed = path === store.names.pathOf(savedDirectoryName, name) && parseSavedName(name);
  if (parsed === false || parsed?.ending !== "bytes") return;
  const directory = await store.names.findSaved(store.directory);
  if (directory === undefined) return;
  try {
    // The note last: bytes without one count for nothing, and nobody would know of them.
    await removeSaved(directory, name);
    await removeSaved(directory, `${parsed.group}.note`);
  } finally {
    await directory.close();
  }
}

function encodeNote(note: SavedNote): string {
  return JSON.stringify({
    ...encodePath(note.realPath),
    target: identityToJson(note.target),
    writtenSha256: note.writtenSha256,
  });
}

/** `undefined` if there is none that can be read: the bytes themselves are still there. */
export async function readNote(
  store: Store,
  directory: StoreDirectory,
  name: string,
): Promise<SavedNote | undefined> {
  const opened = await openChecked({ directory, owner: store.owner }, name, maxSavedNoteBytes);
  if (opened.kind !== "open") return undefined;
  try {
    const buffer = Buffer.alloc(opened.status.sizeBytes);
    await opened.file.read(buffer, 0);
    const members = MemberReader.parse(buffer.toString("utf8"));
    return {
      realPath: decodePath(members),
      target: identityFromJson(members.value("target")),
      writtenSha256: members.text("writtenSha256", /^[0-9a-f]{64}$/, 64),
    };
  } catch {
    return undefined;
  } finally {
    await opened.file.close();
  }
}

/** Drops what is beyond the limits, never `needed`; `saved-limits.ts` says in which order. */
async function prune(store: Store, directory: StoreDirectory, ...needed: string[]): Promise<void> {
  const groups = new Map<string, SavedGroup>();
  for (const name of await directory.list()) {
    const parsed = parseSavedName(name);
    const status = parsed === undefined ? undefined : await directory.entryStatus(name);
    if (parsed === undefined || status === undefined) continue;
    const { id, savedMs } = parsed;
    const group = groups.get(parsed.group) ?? { id, names: [], sizeBytes: 0, savedMs };
    group.names.push(name);
    group.sizeBytes += status.sizeBytes;
    groups.set(parsed.group, group);
  }
  const now = await store.os.now();
  for (const group of beyondLimits([...groups.values()], needed, now)) {
    for (const name of group.names) await removeSaved(directory, name);
  }
}

/** Best effort: what cannot be removed now is tried again the next time, and harms nobody. */
async function removeSaved(directory: StoreDirectory, name: string): Promise<void> {
  try {
    await directory.unlink(name);
  } catch (error) {
    if (!hasCode(error, "ENOENT", "EACCES", "EPERM", "EISDIR", "EBUSY")) throw error;
  }
}
