/**
 * A plain writer of the older form of a recovery record: JSON, both images in base64. It takes the
 * steps of the protocol that cost something — record durable by content and by name, bytes compared
 * before the write, written in place, synced, read back, record removed — and nothing else: no
 * identities, locks or exclusion. Used by nothing but this comparison.
 */
import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, link, mkdir, open, unlink } from "node:fs/promises";
import path from "node:path";
import type { Job } from "../sample.ts";
import { type Contender, replaceIn } from "./contender.ts";

export const olderName = "v1";

function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function readAll(file: FileHandle, sizeBytes: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(sizeBytes);
  for (let done = 0; done < sizeBytes; ) {
    const { bytesRead } = await file.read(bytes, done, sizeBytes - done, done);
    if (bytesRead === 0) throw new Error("The file became shorter");
    done += bytesRead;
  }
  return bytes;
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, done)).bytesWritten;
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the record durable and returns its path. */
async function publish(
  directory: string,
  job: Job,
  before: Buffer,
  after: Buffer,
): Promise<string> {
  const members = JSON.stringify({
    version: 1,
    path: job.path,
    ownerPid: process.pid,
    state: "prepared",
    beforeBase64: before.toString("base64"),
    afterBase64: after.toString("base64"),
    beforeSha256: sha256(before),
    afterSha256: sha256(after),
  });
  const record = `${members.slice(0, -1)},"checksum":"${sha256(members)}"}`;
  const temporary = path.join(directory, `${randomUUID()}.tmp`);
  const name = path.join(directory, `${sha256(job.path)}.json`);
  const file = await open(temporary, "wx", 0o600);
  try {
    await file.writeFile(record);
    await file.sync();
  } finally {
    await file.close();
  }
  await link(temporary, name);
  await unlink(temporary);
  await syncDirectory(directory);
  return name;
}

async function editOlder(directory: string, job: Job): Promise<void> {
  const file = await open(job.path, "r+");
  try {
    const { size } = await file.stat();
    const before = await readAll(file, size);
    const after = Buffer.from(replaceIn(before.toString("utf8"), job));
    const name = await publish(directory, job, before, after);
    if (!(await readAll(file, size)).equals(before)) throw new Error("The file changed");
    await writeAll(file, after);
    await file.truncate(after.length);
    await file.sync();
    const readBack = await readAll(file, after.length);
    if (sha256(readBack) !== sha256(after)) throw new Error("The file is not as written");
    await unlink(name);
  } finally {
    await file.close();
  }
}

/** The record goes into a directory of its own below `userDataDirectory`. */
export async function openOlderRecord(userDataDirectory: string): Promise<Contender> {
  const directory = path.join(userDataDirectory, "older-record");
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return {
    name: olderName,
    about: "record as JSON with base64, three fsyncs; no locks, no identities",
    maxBytes: Number.POSITIVE_INFINITY,
    edit: (job) => editOlder(directory, job),
  };
}
