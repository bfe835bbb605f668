/**
 * Others that write a file anew: none has a journal, none keeps the inode but plain `node:fs`, and
 * none looks whether the text is there only once. Each is used as its own page shows it.
 */
import { open, readFile, writeFile } from "node:fs/promises";
import { applyFileEdits } from "@modelcontextprotocol/server-filesystem/dist/lib.js";
import { writeFile as writeAtomically } from "atomically";
import { Writer } from "steno";
import writeFileAtomic from "write-file-atomic";
import { mebibyte } from "../sample.ts";
import { type Contender, replaceIn } from "./contender.ts";

const unlimited = Number.POSITIVE_INFINITY;

/** The name of the contender that the goals are relative to. */
export const plainName = "write-file-atomic";

export const peers: readonly Contender[] = [
  {
    name: plainName,
    about: "temporary file, fsync, rename",
    maxBytes: unlimited,
    async edit(job) {
      await writeFileAtomic(job.path, replaceIn(await readFile(job.path, "utf8"), job));
    },
  },
  {
    name: "atomically",
    about: "temporary file, fsync, rename",
    maxBytes: unlimited,
    async edit(job) {
      await writeAtomically(job.path, replaceIn(await readFile(job.path, "utf8"), job));
    },
  },
  {
    name: "steno",
    about: "temporary file, rename; no fsync",
    maxBytes: unlimited,
    async edit(job) {
      await new Writer(job.path).write(replaceIn(await readFile(job.path, "utf8"), job));
    },
  },
  {
    name: "node:fs",
    about: "writes over the file; no fsync",
    maxBytes: unlimited,
    async edit(job) {
      await writeFile(job.path, replaceIn(await readFile(job.path, "utf8"), job));
    },
  },
  {
    name: "node:fs + fsync",
    about: "writes over the file, then fsync",
    maxBytes: unlimited,
    async edit(job) {
      const text = replaceIn(await readFile(job.path, "utf8"), job);
      const file = await open(job.path, "w");
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
    },
  },
  {
    name: "MCP filesystem",
    about: "edit code of the MCP server: temporary file, rename, no fsync; makes a diff",
    // Its diff of a larger file takes minutes.
    maxBytes: mebibyte,
    async edit({ path, replacements }) {
      await applyFileEdits(path, [...replacements]);
    },
  },
];
