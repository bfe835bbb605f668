/**
 * Random lists of calls of the port, run on one implementation: the same seed makes the same calls
 * with the same arguments, so that what two implementations answer can be compared.
 *
 * What may differ between two systems (numbers, times) is left out of the answers; whether two
 * handles lead to one object is not.
 */
import {
  type EntryStatus,
  OsError,
  type PinnedFile,
  type ReadableFile,
  type StoreDirectory,
  type StoreFile,
  sameFile,
  type TargetFile,
} from "../lib/index.ts";
import { SeededRandom } from "../testing/index.ts";
import type { World } from "./contract-world.ts";

const names = ["a", "b", "c", "d", "l", ".hidden", "x".repeat(256), "a/b", ""] as const;
const maxHandles = 4;

/** Runs lists of operations on one world. */
export class RandomOperations {
  readonly #world: World;
  readonly #random: SeededRandom;
  readonly #directories: StoreDirectory[] = [];
  readonly #files: StoreFile[] = [];
  readonly #pinned: PinnedFile[] = [];
  readonly #readers: ReadableFile[] = [];
  readonly #targets: TargetFile[] = [];

  constructor(world: World, seed: number) {
    this.#world = world;
    this.#random = new SeededRandom(seed);
  }

  /** What each call answered: a code, or what is the same on every system. */
  async run(count: number): Promise<string[]> {
    const log: string[] = [];
    this.#directories.push(await this.#world.os.openStoreDirectory(this.#world.root));
    for (let index = 0; index < count; index++) log.push(await this.#one());
    for (const handle of this.#handles()) await handle.close();
    return log;
  }

  async #one(): Promise<string> {
    const [name, work] = this.#random.pick(this.#operations());
    try {
      const answer = await work();
      return `${name}: ${JSON.stringify(answer) ?? "done"}`;
    } catch (error) {
      if (error instanceof OsError) return `${name}: ${error.code}`;
      throw error;
    }
  }

  #handles(): { close(): Promise<void> }[] {
    return [
      ...this.#directories,
      ...this.#files,
      ...this.#pinned,
      ...this.#readers,
      ...this.#targets,
    ];
  }

  #name(): string {
    // The odd ones less often.
    return this.#random.chance(0.9)
      ? this.#random.pick(names.slice(0, 5))
      : this.#random.pick(names);
  }

  #path(): string {
    const inner = this.#random.chance(0.3) ? "/d" : this.#random.chance(0.1) ? "/l" : "";
    return `${this.#world.root}${inner}/${this.#random.pick(["a", "b", "c", "l"])}`;
  }

  #bytes(): Buffer {
    const length = this.#random.below(20);
    return Buffer.alloc(length, String.fromCharCode(97 + this.#random.below(26)));
  }

  #keep<Handle extends { close(): Promise<void> }>(
    handles: Handle[],
    handle: Handle,
  ): Promise<void> | undefined {
    handles.push(handle);
    return handles.length > maxHandles ? handles.splice(0, 1)[0]?.close() : undefined;
  }

  #operations(): readonly (readonly [string, () => Promise<unknown>])[] {
    return [
      ...this.#directoryOperations(),
      ...this.#nameOperations(),
      ...this.#fileOperations(),
      ...this.#targetOperations(),
      ...this.#outsideOperations(),
    ];
  }

  #directoryOperations(): readonly (readonly [string, () => Promise<unknown>])[] {
    const directory = this.#random.pick(this.#directories);
    const [name, mode] = [this.#name(), this.#random.pick([0o600, 0o640, 0o755])];
    const keepFile = async (opening: Promise<StoreFile>): Promise<unknown> => {
      const file = await opening;
      await this.#keep(this.#files, file);
      return statusOf(await file.entryStatus());
    };
    return [
      [`list`, async () => (await directory.list()).sort()],
      [`entryStatus ${name}`, async () => statusOf(await directory.entryStatus(name))],
      [`openFile ${name}`, () => keepFile(directory.openFile(name, "read"))],
      [`openFile rw ${name}`, () => keepFile(directory.openFile(name, "read-write"))],
      [`openOrCreateFile ${name}`, () => keepFile(directory.openOrCreateFile(name, mode))],
      [`createFile ${name}`, () => keepFile(directory.createFile(name, mode))],
      [`createUnnamedFile`, () => keepFile(directory.createUnnamedFile(mode))],
      [`sync directory`, () => directory.sync()],
      [
        `openDirectory ${name}`,
        async () => {
          const opened = await directory.openDirectory(name);
          if (this.#directories.length >= maxHandles) return opened.close();
          this.#directories.push(opened);
          return undefined;
        },
      ],
    ];
  }

  #nameOperations(): readonly (readonly [string, () => Promise<unknown>])[] {
    const directory = this.#random.pick(this.#directories);
    const other = this.#random.pick(this.#directories);
    const [from, to] = [this.#name(), this.#name()];
    const file = this.#files.at(-1);
    const [record, lock] = [this.#files.at(-1), this.#files.at(-2)];
    return [
      [`link ${from} ${to}`, () => directory.link(from, to)],
      [`rename ${from} ${to}`, () => directory.rename(from, to)],
      [`moveTo ${from} ${to}`, () => directory.moveTo(from, other, to)],
      [`unlink ${from}`, () => directory.unlink(from)],
      [`makeDirectory ${from}`, () => directory.makeDirectory(from, 0o755)],
      [`linkUnnamedFile ${to}`, async () => file && (await directory.linkUnnamedFile(file, to))],
      [
        `publishUnnamedFile ${to}`,
        async () => {
          if (file === undefined) return "no";
          const { hasName, error } = await directory.publishUnnamedFile(file, to);
          return [hasName, error instanceof OsError ? error.code : String(error)];
        },
      ],
      [
        `finishRecord ${from} ${to}`,
        async () => {
          if (record === undefined || lock === undefined || this.#random.chance(0.5)) return "no";
          const report = await directory.finishRecord({
            record,
            recordName: from,
            phaseBlock: Buffer.from("mark"),
            phasePositionBytes: 3,
            lock: { file: lock, name: to },
          });
          return Object.values(report).map((part) =>
            part instanceof OsError ? part.code : String(part),
          );
        },
      ],
    ];
  }

  #fileOperations(): readonly (readonly [string, () => Promise<unknown>])[] {
    const file = this.#files[this.#random.below(maxHandles)];
    if (file === undefined) return [];
    const [bytes, position] = [this.#bytes(), this.#random.below(30)];
    return [
      [`write ${bytes} ${position}`, () => file.write(bytes, position)],
      [`read ${position}`, () => contentOf(file, position)],
      [`status of file`, async () => statusOf(await file.entryStatus())],
      [`tryLock`, () => file.tryLock()],
      [`write back`, () => file.startWriteBack(position, 10)],
      [`sync file`, () => file.sync()],
      [`close file`, () => file.close()],
    ];
  }

  #targetOperations(): readonly (readonly [string, () => Promise<unknown>])[] {
    const { os } = this.#world;
    const path = this.#path();
    const pinned = this.#pinned.at(-1);
    const target = this.#targets[this.#random.below(maxHandles)];
    const reader = this.#readers.at(-1);
    const [bytes, position] = [this.#bytes(), this.#random.below(30)];
    const real = (followLast: boolean) => async (): Promise<string> =>
      (await os.resolveRealPath(path, { followLast })).slice(this.#world.root.length);
    const handles: [string, () => Promise<unknown>][] = [
      [`resolve ${followable(path)}`, real(true)],
      [`resolve but last ${followable(path)}`, real(false)],
      [
        `inspect ${followable(path)}`,
        async () => {
          const { parentStatus, targetStatus } = await os.inspectTarget(path);
          const held = pinned && (await pinned.status());
          return [
            parentStatus.kind,
            statusOf(targetStatus),
            held && sameFile(held.identity, targetStatus.identity, { sameBoot: true }),
          ];
        },
      ],
      [
        `open ${followable(path)}`,
        async () => {
          const opened = await os.openTarget(path);
          await opened.parent.close();
          await this.#keep(this.#pinned, opened.target);
          return statusOf(opened.targetStatus);
        },
      ],
    ];
    if (pinned !== undefined) {
      handles.push(
        [`pinned status`, async () => statusOf(await pinned.status())],
        [`for reading`, async () => this.#keep(this.#readers, await pinned.openForReading())],
        [`for writing`, async () => this.#keep(this.#targets, await pinned.openForWriting())],
      );
    }
    if (reader !== undefined) {
      handles.push(
        [`reader.read ${position}`, () => contentOf(reader, position)],
        [`reader.sync`, () => reader.sync()],
      );
    }
    if (target !== undefined) {
      handles.push(
        [`overwrite ${bytes} ${position}`, () => target.overwrite(bytes, position)],
        [`target.read ${position}`, () => contentOf(target, position)],
        [`setLength ${position}`, () => target.setLength(position)],
        [`setMode`, () => target.setMode(this.#random.pick([0o600, 0o4755, 0o640]))],
        [`target.status`, async () => statusOf(await target.status())],
        [`target.sync`, () => target.sync()],
        [`target.close`, () => target.close()],
      );
    }
    return handles;
  }

  #outsideOperations(): readonly (readonly [string, () => Promise<unknown>])[] {
    const { root } = this.#world;
    const name = this.#random.pick(["a", "b", "c"]);
    const makeLink = async (): Promise<void> => {
      try {
        await this.#world.makeSymlink(this.#random.pick(["d", "a", "l", "no"]), `${root}/l`);
      } catch {
        // It is there already.
      }
    };
    const isFile = async (): Promise<boolean> => {
      return this.#world.os.inspectTarget(`${root}/${name}`).then(
        ({ targetStatus }) => targetStatus.kind === "regular",
        (error: unknown) => error instanceof OsError && error.code === "ENOENT",
      );
    };
    return [
      ["outside link", makeLink],
      [
        `outside write ${name}`,
        async () => {
          if (await isFile()) await this.#world.writeFile(`${root}/${name}`, this.#bytes());
        },
      ],
    ];
  }
}

/** The end of a path, which is the same in every world. */
function followable(path: string): string {
  return path
    .split("/")
    .slice(-2)
    .join("/")
    .replace(/^[^/]{5,}/, "");
}

async function contentOf(
  file: { read(buffer: Uint8Array, positionBytes: number): Promise<number> },
  positionBytes: number,
): Promise<string> {
  const buffer = Buffer.alloc(40);
  return buffer.toString("latin1", 0, await file.read(buffer, positionBytes));
}

function statusOf(entry: EntryStatus | undefined): unknown {
  if (entry === undefined) return "absent";
  const { kind, sizeBytes, linkCount, mode } = entry;
  // Size and links of a directory, and the mode of a link, are each filesystem's own affair.
  if (kind !== "regular") return [kind, kind === "directory" ? mode : ""];
  return [kind, sizeBytes, linkCount, mode];
}
