// The one part of a record that is written again: what each phase is read as, and what is not.
import { createHash } from "node:crypto";
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { MemoryFile } from "../test/memory-file.ts";
import { plainMetadata } from "../test/metadata.ts";
import { replace, text } from "../test/scratch.ts";
import { bytesSource } from "./byte-source.ts";
import { encodePhaseBlock, phaseBlockBytes } from "./record-codec.ts";
import { readRecord } from "./record-reader.ts";
import { planImages, writeRecord } from "./record-writer.ts";

async function write(): Promise<Buffer> {
  const file = new MemoryFile();
  const images = planImages(bytesSource(text("one two three")), [replace(4, 3, "2")]);
  await writeRecord(file, images, plainMetadata, async () => {});
  return file.bytes;
}

function read(record: Uint8Array): ReturnType<typeof readRecord> {
  return readRecord(new MemoryFile(record), record.length);
}

describe("the phase of a record", () => {
  test("is prepared with any byte of its block changed", async () => {
    const record = await write();
    encodePhaseBlock("committed", plainMetadata.transactionId).copy(record, 0);
    expect((await read(record)).phase).toBe("committed");
    for (let position = 0; position < phaseBlockBytes; position++) {
      const damaged = Buffer.from(record);
      damaged[position] = (damaged[position] ?? 0) ^ 0x40;
      expect((await read(damaged)).phase, `byte ${position}`).toBe("prepared");
    }
  });

  test("A4 is doubtful with its boot, and prepared where the block is damaged", async () => {
    const { transactionId } = plainMetadata;
    const longest = "0123456789abcdef".repeat(4);
    for (const bootId of [undefined, "1", "5f0c8a52-1f0e-4c52-8f4e-2b7c7f6f2a11", longest]) {
      const record = await write();
      encodePhaseBlock("doubtful", transactionId, bootId).copy(record, 0);
      const { phase, doubtBootId } = await read(record);
      expect({ phase, doubtBootId }).toEqual({ phase: "doubtful", doubtBootId: bootId });
      for (let position = 0; position < phaseBlockBytes; position++) {
        const damaged = Buffer.from(record);
        damaged[position] = (damaged[position] ?? 0) ^ 0x40;
        expect((await read(damaged)).phase, `byte ${position}`).toBe("prepared");
      }
    }
  });

  test("A4 is doubtful without a boot whose id has no place", async () => {
    for (const bootId of ["", "a b", "x".repeat(65), "\u00e9"]) {
      const record = await write();
      encodePhaseBlock("doubtful", plainMetadata.transactionId, bootId).copy(record, 0);
      expect(await read(record)).toMatchObject({ phase: "doubtful", doubtBootId: undefined });
    }
  });

  test("is prepared with the block of another transaction", async () => {
    for (const phase of ["committed", "doubtful"] as const) {
      const record = await write();
      encodePhaseBlock(phase, "00000000-0000-4000-8000-000000000000").copy(record, 0);
      expect((await read(record)).phase).toBe("prepared");
    }
  });

  /** Changes a phase block and makes its sum right again, as a later version would. */
  function phaseOfLaterVersion(record: Buffer, change: (block: Buffer) => void): Buffer {
    const block = record.subarray(0, phaseBlockBytes);
    change(block);
    createHash("sha256").update(block.subarray(0, 480)).digest().copy(block, 480);
    return record;
  }

  test("S19 makes the record unsafe if its block is whole and not known", async () => {
    for (const change of [
      (block: Buffer) => block.writeUInt32LE(4, 8),
      (block: Buffer) => block.writeUInt32LE(0, 8),
      (block: Buffer) => block.writeUInt32LE(1, 12),
      (block: Buffer) => block.writeUInt8(1, 200),
      // A boot belongs to a doubt alone.
      (block: Buffer) => block.write("5f0c8a52", 52, "latin1"),
    ]) {
      const record = phaseOfLaterVersion(await write(), change);
      await expect(read(record)).rejects.toThrow(
        "its phase is one that this version does not know",
      );
    }
  });

  test("A4 is what the golden record has after a sync has failed, and is read", async () => {
    const record = await write();
    const { transactionId, owner } = plainMetadata;
    encodePhaseBlock("doubtful", transactionId, owner.bootId).copy(record, 0);
    const lines = record.toString("hex").match(/.{1,64}/g) ?? [];
    const doubtful = new URL("../test/fixtures/record-v1-doubtful.hex", import.meta.url);
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(fileURLToPath(doubtful));
    const stored = Buffer.from(fs.readFileSync(doubtful, "utf8").replaceAll("\n", ""), "hex");
    const { phase, doubtBootId } = await read(stored);
    expect({ phase, doubtBootId }).toEqual({ phase: "doubtful", doubtBootId: owner.bootId });
  });
});
