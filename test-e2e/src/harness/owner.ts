/** Starts `owner.mjs`, which says what a plan means. */
import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { EngineOptions } from "@fe/engine";

const program = fileURLToPath(new URL("./owner.mjs", import.meta.url));

/** A point at which the process stops or dies. */
export interface Stop {
  readonly at: string;
  readonly after?: string;
  readonly nth?: number;
  readonly ending?: "stop" | "kill";
}

/** What the process does. */
export interface OwnerPlan {
  readonly path: string;
  readonly userData: string;
  readonly edit: { readonly oldString: string; readonly newString: string };
  readonly stops?: readonly Stop[];
  /** Members of the identity that its record states; digits stand for a bigint. */
  readonly self?: Readonly<Record<string, string | number | null>>;
  readonly isLockless?: boolean;
  readonly keepsRecord?: boolean;
  readonly waitMs?: number;
  /** A file that no two edits may have at once, see `owner.mjs`. */
  readonly token?: string;
  /** Options of the engine in place of `userData`. */
  readonly engine?: EngineOptions;
}

/** How the process is started. */
export interface OwnerOptions {
  /** In a pid namespace of its own, as its process 1. */
  readonly isInNamespace?: boolean;
  /** In a time namespace whose boot seems to be so many seconds longer ago. */
  readonly bootOffsetSeconds?: number;
  /** User and group; needs root. */
  readonly uid?: number;
  /** In place of this process's own. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What an edit came to. */
export interface Outcome {
  readonly status: string;
  readonly message?: string;
  readonly recovered?: string;
  readonly warnings?: readonly string[];
}

/** Processes that still run, to be ended when a test is over. */
const running = new Set<ChildProcess>();

/** Ends what a test has left running. */
export async function endOwners(): Promise<void> {
  await Promise.all([...running].map((child) => endWith(child, "SIGKILL")));
}

async function endWith(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (!running.has(child)) return;
  const closed = once(child, "close");
  child.kill(signal);
  await closed;
}

/** An edit that runs in a process of its own. */
export class Owner {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  constructor(plan: OwnerPlan, options: OwnerOptions = {}) {
    const { isInNamespace = false, bootOffsetSeconds, uid, env } = options;
    const node = [process.execPath, program, JSON.stringify(plan)];
    const namespaces = [
      ...(isInNamespace ? ["--pid"] : []),
      ...(bootOffsetSeconds === undefined ? [] : ["--time", "--boottime", `${bootOffsetSeconds}`]),
    ];
    const unshare = ["unshare", ...namespaces, "--fork", "--kill-child"];
    const [command = "", ...args] = namespaces.length === 0 ? node : [...unshare, ...node];
    this.#child = spawn(command, args, {
      stdio: ["pipe", "pipe", "inherit"],
      ...(env === undefined ? {} : { env }),
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
    running.add(this.#child);
    this.#child.on("close", () => running.delete(this.#child));
    this.#child.stdin.on("error", () => {});
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** Its pid here; in a namespace of its own, that of its starter. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Waits until it stands at its next stop. */
  async stopped(): Promise<this> {
    const line = await this.#next();
    if (line !== "stopped") throw new Error(`It did not stop: ${line}`);
    return this;
  }

  /** Lets it go on; resolves when it stands again. */
  async goOnToStop(): Promise<this> {
    this.goOn();
    return this.stopped();
  }

  goOn(): void {
    this.#child.stdin.write("\n");
  }

  /** Waits for its answer; the process lives on, its engine open. */
  async outcome(): Promise<Outcome> {
    return JSON.parse(await this.#next()) as Outcome;
  }

  /** Lets it go on to its end. */
  async finish(): Promise<Outcome> {
    this.goOn();
    const outcome = await this.outcome();
    await this.close();
    return outcome;
  }

  /** Lets it close its engine and exit. */
  async close(): Promise<void> {
    const closed = once(this.#child, "close");
    this.goOn();
    await closed;
  }

  kill(): Promise<void> {
    return endWith(this.#child, "SIGKILL");
  }

  /** Waits for the end of a process that kills itself. */
  async died(): Promise<void> {
    if (running.has(this.#child)) await once(this.#child, "close");
  }

  async #next(): Promise<string> {
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error("The process ended");
    return String(value);
  }
}

/** An edit that makes its record, begins to write, and is killed. */
export async function killedOwner(plan: OwnerPlan, options: OwnerOptions = {}): Promise<void> {
  const stops = plan.stops ?? [{ at: "target.overwrite" }];
  const owner = new Owner({ ...plan, stops }, options);
  await owner.stopped();
  await owner.kill();
}

/** An edit from beginning to end. */
export async function editOf(plan: OwnerPlan, options: OwnerOptions = {}): Promise<Outcome> {
  const owner = new Owner(plan, options);
  const outcome = await owner.outcome();
  await owner.close();
  return outcome;
}
