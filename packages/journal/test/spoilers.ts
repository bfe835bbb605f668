/** How somebody else could have left a record or a store, for tests of what is private. */
import fs from "node:fs";
import path from "node:path";
import type { abilities } from "../../../native/test/abilities.ts";
import { namesIn } from "./scratch.ts";

/** What is wrong, what is said of it, how it is done; and what the system must be able to do. */
export type Spoiler<Spoil> = readonly [string, string, Spoil, (keyof typeof abilities)?];

/** Everything of a directory that could have been changed. */
export function picture(directory: string): unknown {
  return namesIn(directory).map((name) => {
    const file = path.join(directory, name);
    const { ino, mode, size, mtimeMs, nlink } = fs.lstatSync(file);
    const hasBytes = fs.lstatSync(file).isFile() && size < 100_000;
    const bytes = hasBytes ? fs.readFileSync(file, "hex") : "";
    return { name, ino, mode, size, mtimeMs, nlink, bytes };
  });
}
