/**
 * Copies of versions for another program: a folder of their own, and the program that is given
 * them. Beside `main.ts` the one file of the command that touches the system, and loaded only for
 * `--tool`: to find the modules below would slow every other command down.
 *
 * W1  The folder can be entered by its owner only (0700), and so is each copy (0600): versions are
 *     a user's files. `mkdtemp` and `wx` make both anew or fail, whatever stands there.
 * W2  On every way out but SIGKILL the folder goes: after the program, after a failure, at a
 *     signal, at the end of the process.
 * W3  Nothing is lost that somebody made: a copy that was changed, and what else the program left
 *     in the folder, stays, and is named.
 * W4  No shell reads the command.
 */
import { spawn } from "node:child_process";
import { type BigIntStats, lstatSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** How a program ended. */
export interface ToolEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** See the head of the file. */
export interface Workshop {
  /** A signal that ends the command; SIGINT while the program runs is meant for that. */
  readonly endedBy: NodeJS.Signals | undefined;
  /** Writes a copy; resolves with its path. Rejects with what the system says, or at a signal. */
  copy(folder: string, name: string, chunks: AsyncIterable<Uint8Array>): Promise<string>;
  /** Runs a program on the terminal of this one. Rejects if it cannot be started. */
  run(words: readonly string[]): Promise<ToolEnd>;
  /** Removes the copies; returns what stays (W3). Twice is harmless. */
  close(): readonly string[];
}

/** The command was told to end. */
export class EndedBySignal extends Error {
  override readonly name = "EndedBySignal";
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A guess of how much later a signal to a group reaches its last process. */
const laterMs = 1000;

function isSame(one: BigIntStats, other: BigIntStats): boolean {
  return one.ino === other.ino && one.size === other.size && one.mtimeNs === other.mtimeNs;
}

class OpenWorkshop implements Workshop {
  readonly #folder = mkdtempSync(path.join(tmpdir(), "fe-versions-"));
  readonly #copies = new Map<string, BigIntStats | undefined>();
  readonly #onSignal = (signal: NodeJS.Signals): void => this.#signalled(signal);
  readonly #onExit = (): void => void this.close();
  #endedBy: NodeJS.Signals | undefined;
  #forward: ((signal: NodeJS.Signals) => void) | undefined;
  #isClosed = false;

  constructor() {
    for (const signal of signals) process.on(signal, this.#onSignal);
    process.on("exit", this.#onExit);
  }

  get endedBy(): NodeJS.Signals | undefined {
    return this.#endedBy;
  }

  #signalled(signal: NodeJS.Signals): void {
    // A terminal sends SIGINT to the program as well, and what it means there is its business.
    if (signal === "SIGINT" && this.#forward !== undefined) return;
    this.#endedBy ??= signal;
    this.#forward?.(signal);
  }

  #throwIfEnded(): void {
    if (this.#endedBy !== undefined) throw new EndedBySignal(this.#endedBy);
  }

  async copy(folder: string, name: string, chunks: AsyncIterable<Uint8Array>): Promise<string> {
    this.#throwIfEnded();
    await mkdir(path.join(this.#folder, folder), { mode: 0o700, recursive: true });
    const file = path.join(this.#folder, folder, name);
    this.#copies.set(file, undefined);
    const handle = await open(file, "wx", 0o600);
    try {
      for await (const chunk of chunks) {
        this.#throwIfEnded();
        await handle.appendFile(chunk);
      }
    } finally {
      await handle.close();
    }
    this.#copies.set(file, lstatSync(file, { bigint: true }));
    return file;
  }

  run([program = "", ...parameters]: readonly string[]): Promise<ToolEnd> {
    this.#throwIfEnded();
    return new Promise((resolve, reject) => {
      const child = spawn(program, parameters, { stdio: "inherit", shell: false });
      this.#forward = (signal) => void child.kill(signal);
      child.on("error", (error) => {
        // It may also say that a signal could not be sent; then the end is still to come.
        if (child.pid !== undefined) return;
        this.#forward = undefined;
        reject(error);
      });
      child.on("close", (exitCode, signal) => {
        this.#forward = undefined;
        // What ended it was meant for both.
        if (signal === "SIGINT") this.#endedBy ??= signal;
        // A terminal's signal may reach the program first, and this process when that has ended.
        const mayCome = (signal === "SIGTERM" || signal === "SIGHUP") && !this.#endedBy;
        setTimeout(resolve, mayCome ? laterMs : 0, { exitCode, signal });
      });
    });
  }

  close(): readonly string[] {
    if (this.#isClosed) return [];
    this.#isClosed = true;
    process.off("exit", this.#onExit);
    try {
      return this.#remove();
    } finally {
      // As late as possible: a signal that comes meanwhile must not end the process.
      for (const signal of signals) process.off(signal, this.#onSignal);
    }
  }

  /** All but what stays; then the folders, if they are empty. */
  #remove(): string[] {
    const left: string[] = [];
    const folders: string[] = [];
    const visit = (folder: string): void => {
      folders.unshift(folder);
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const file = path.join(folder, entry.name);
        if (entry.isDirectory()) visit(file);
        else if (this.#isOurs(file)) rmSync(file);
        else left.push(file);
      }
    };
    visit(this.#folder);
    for (const folder of folders) {
      if (readdirSync(folder).length === 0) rmdirSync(folder);
    }
    return left;
  }

  /** Whether it is a copy as it was made, or as far as it came. */
  #isOurs(file: string): boolean {
    if (!this.#copies.has(file)) return false;
    const made = this.#copies.get(file);
    return made === undefined || isSame(made, lstatSync(file, { bigint: true }));
  }
}

/** Makes the folder. To be closed. */
export function openWorkshop(): Workshop {
  return new OpenWorkshop();
}
