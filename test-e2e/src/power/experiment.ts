/** One workload on one filesystem, and the power lost at all its moments. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { mkdir, open, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { bytesOf } from "../../../packages/engine/test/oracle.ts";
import { BlockLog, type Piece } from "./block-log.ts";
import { type Epoch, epochsOf, type Survival, surviving } from "./crash-states.ts";
import { type Filesystem, LoggedDisk, mountImage, run, unmount } from "./disk.ts";
import { choiceOf, type Found, type Judge, judge, lookWithCommand } from "./judge.ts";
import type { Step, Workload } from "./workloads.ts";

const program = fileURLToPath(new URL("./workload.mjs", import.meta.url));
const execute = promisify(execFile);

/** What an experiment is to try. */
export interface Plan {
  readonly filesystem: Filesystem;
  readonly workload: Workload;
  /** A key of harness/mutants.mjs. */
  readonly mutant: string;
  readonly survivals: readonly Survival[];
  readonly seed: number;
  /** Ends at the first state that is wrong. */
  readonly stopsAtFirst?: boolean;
  /** Of more flushes than these, every second, third, … one is tried. */
  readonly maxFlushes?: number;
  /** So many states are judged with the built command instead of the process. */
  readonly withCommand?: number;
}

/** What an experiment found. */
export interface Outcome {
  readonly states: number;
  readonly flushes: number;
  /** Flushes at which the power was lost; fewer than `flushes` if those are many. */
  readonly triedFlushes: number;
  /** Torn files that a record covered. */
  readonly torn: number;
  /** States that a person had to decide. */
  readonly person: number;
  /** Removed records that came back unreadable beside a whole file; see `Filesystem`. */
  readonly unreadable: number;
  readonly withCommand: number;
  /** State and what was wrong with it, of the first ones. */
  readonly wrong: readonly string[];
  readonly wrongStates: number;
  /** The log, replayed to its end, gives the disk as it was, byte for byte. */
  readonly logIsDisk: boolean;
}

/** Files on the disk under test. */
const placeOn = (mount: string) => ({
  path: path.join(mount, "files", "f"),
  userData: path.join(mount, "data"),
});

/** Runs the workload on a fresh disk. `torn`: what the file held when a process had died in it. */
async function record(
  { filesystem, workload, mutant }: Plan,
  blockLog: string,
  folder: string,
): Promise<{ disk: LoggedDisk; torn: string | undefined }> {
  await using disk = await LoggedDisk.create(blockLog, filesystem, folder);
  const { path: file, userData } = placeOn(disk.mount);
  await mkdir(path.dirname(file));
  await mkdir(userData, { mode: 0o700 });
  await writeFile(file, workload.initial);
  await run("sync", "-f", disk.mount);
  await writeFile(disk.marks, "ready");
  let torn: string | undefined;
  for (const steps of workload.processes) {
    const parameters = { path: file, userData, marks: disk.marks, mutant, steps };
    await runProcess(parameters, steps);
    if (steps.some((step) => "die" in step && step.die === "torn")) {
      torn = bytesOf(await readFile(file));
    }
  }
  return { disk, torn };
}

async function runProcess(parameters: object, steps: readonly Step[]): Promise<void> {
  const child = spawn(process.execPath, [program, JSON.stringify(parameters)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let text = "";
  child.stderr.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  const [exit, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  const isToDie = steps.some((step) => "die" in step);
  if (isToDie ? signal !== "SIGKILL" : exit !== 0) {
    throw new Error(`The workload ended with ${signal ?? exit}: ${text}`);
  }
}

async function areEqual(first: string, second: string): Promise<boolean> {
  return execute("cmp", ["-s", first, second]).then(
    () => true,
    () => false,
  );
}

/** @param judgeProcess the built engine, or whatever looks in its place */
export async function experiment(
  plan: Plan,
  blockLog: string,
  judgeProcess: Judge,
  folder: string,
): Promise<Outcome> {
  await mkdir(folder);
  try {
    const { disk, torn } = await record(plan, blockLog, folder);
    return await new Losses(plan, disk, folder, judgeProcess, torn).all();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Goes through the log, and loses the power at each flush. */
class Losses {
  readonly #plan: Plan;
  readonly #disk: LoggedDisk;
  readonly #folder: string;
  readonly #judge: Judge;
  readonly #torn: string | undefined;
  readonly #outcome = {
    states: 0,
    torn: 0,
    person: 0,
    unreadable: 0,
    withCommand: 0,
    wrongStates: 0,
  };
  readonly #wrong: string[] = [];

  constructor(
    plan: Plan,
    disk: LoggedDisk,
    folder: string,
    judgeProcess: Judge,
    torn: string | undefined,
  ) {
    this.#plan = plan;
    this.#disk = disk;
    this.#folder = folder;
    this.#judge = judgeProcess;
    this.#torn = torn;
  }

  async all(): Promise<Outcome> {
    const { survivals } = this.#plan;
    using log = new BlockLog(this.#disk.log);
    const epochs = epochsOf(log.entries);
    // Before the first mark there is no file to speak of.
    const marked = epochs.filter(({ marks }) => marks.length > 0);
    const step = Math.ceil(marked.length / (this.#plan.maxFlushes ?? marked.length));
    const tried = new Set(marked.filter((_, index) => index % step === 0));
    const expected = tried.size * survivals.length;
    const every = Math.max(1, Math.floor(expected / (this.#plan.withCommand ?? 1) / 2));
    const work = path.join(this.#folder, "work.img");
    await run("cp", this.#disk.base, work);
    const image = openSync(work, "r+");
    try {
      for (const epoch of epochs) {
        if (tried.has(epoch)) {
          const met = new Set<string>();
          for (const how of survivals) {
            if (this.#plan.stopsAtFirst && this.#wrong.length > 0) break;
            const pieces = surviving(epoch, how, this.#plan.seed);
            // Of few writes, two ways may leave the same.
            const key = pieces.map(({ at, length }) => `${at}+${length}`).join();
            if (met.has(key)) continue;
            met.add(key);
            await this.#lose(epoch, how, pieces, log, work, every);
          }
        }
        log.apply(epoch.writes, image);
      }
    } finally {
      closeSync(image);
    }
    const logIsDisk = await areEqual(work, this.#disk.image);
    return {
      ...this.#outcome,
      flushes: epochs.length - 1,
      triedFlushes: tried.size,
      wrong: this.#wrong,
      logIsDisk,
    };
  }

  async #lose(
    epoch: Epoch,
    how: Survival,
    pieces: readonly Piece[],
    log: BlockLog,
    work: string,
    every: number,
  ): Promise<void> {
    const { filesystem, workload } = this.#plan;
    const number = ++this.#outcome.states;
    const keep = choiceOf(number);
    // A name of its own: a loop device outlives its mount by a moment, and `mount` would take the
    // old one, with the blocks of the state before in its cache, for a file that it knows.
    const image = path.join(this.#folder, `lost-${number}.img`);
    await run("cp", work, image);
    const file = await open(image, "r+");
    log.apply(pieces, file.fd);
    await file.close();
    let found: Found;
    try {
      await mountImage(filesystem, image, this.#disk.mount);
    } catch (error) {
      this.#note(epoch, how, [`it cannot be mounted: ${error}`]);
      return;
    }
    try {
      const place = placeOn(this.#disk.mount);
      const wanted = this.#plan.withCommand ?? 0;
      const isSample = this.#outcome.withCommand < wanted && number % every === 0;
      if (isSample) this.#outcome.withCommand += 1;
      found = isSample
        ? await lookWithCommand(place, keep).catch((error) => ({ failure: String(error) }))
        : await this.#judge.look(place, keep);
    } finally {
      await unmount(this.#disk.mount);
      await rm(image);
    }
    if (found.first?.status === "FE_RECORD_UNSAFE") this.#outcome.unreadable += 1;
    if (found.first?.id !== undefined) {
      this.#outcome.person += 1;
      const content = bytesOf(found.content ?? new Uint8Array());
      const versions = [
        workload.initial,
        ...Object.values(workload.versions).map((v) => v.content),
      ];
      if (!versions.includes(content)) this.#outcome.torn += 1;
    }
    this.#note(
      epoch,
      how,
      judge({ filesystem, workload, found, keep, torn: this.#torn }, epoch.marks),
    );
  }

  #note({ number, marks }: Epoch, how: Survival, problems: readonly string[]): void {
    if (problems.length === 0) return;
    this.#outcome.wrongStates += 1;
    if (this.#wrong.length >= 5) return;
    const { filesystem, workload, mutant, seed } = this.#plan;
    const state = `${filesystem.name}, ${workload.name}, ${mutant}, seed ${seed}`;
    this.#wrong.push(
      `${state}, flush ${number}, ${how}, last mark "${marks.at(-1)}": ${problems.join("; ")}`,
    );
  }
}
