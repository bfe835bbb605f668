/** Where the bench works: a folder of its own on a real disk, removed at the end. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";

/** `bench/`, from the built file in `bench/dist`. */
export const benchFolder: string = path.dirname(import.meta.dirname);
export const rootFolder: string = path.dirname(benchFolder);

export interface Place {
  readonly folder: string;
  /** Of the engine; its store is made in it. */
  readonly userData: string;
  /** A new empty folder in the place. */
  newFolder(name: string): string;
  remove(): void;
}

/**
 * Makes the folder. `FE_BENCH_DIR` says where; else it is made beside the sources, since the
 * system's folder for temporary files may be memory, where a sync costs nothing.
 */
export function makePlace(): Place {
  const parent = process.env.FE_BENCH_DIR ?? path.join(benchFolder, "node_modules", ".cache");
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(path.join(parent, "fe-bench-"));
  const newFolder = (name: string): string => mkdtempSync(path.join(folder, `${name}-`));
  return {
    folder,
    userData: newFolder("user-data"),
    newFolder,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
