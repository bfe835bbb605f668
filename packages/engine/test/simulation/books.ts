/**
 * What is known of the files of one simulation: an account of each (see `oracle.ts`), who is doing
 * what, and the violations that were found.
 */
import type { Os } from "@fe/native";
import type {
  FileInode,
  SimulatedInode,
  SimulatedProcess,
  SimulatedWorld,
} from "@fe/native/testing";
import { bytesOf, FileAccount } from "../oracle.ts";
import type { PlannedEdit } from "./plan.ts";

/** What stands between an engine and its simulated port; a mutant wraps the port here. */
export type MakeOs = (os: Os) => Os;

/** What a process is doing for its program. */
export interface RunningCall {
  readonly kind: "edit" | "resolve";
  readonly edit: PlannedEdit | undefined;
  /** When a record of it became durable, if it got so far. */
  publishedAt: number;
  /** Bytes of a target that it changed. */
  changes: number;
  /** When it changed a target last. */
  changedAt: number;
  /** Its records, and the files that they are about. */
  readonly records: Set<FileInode>;
  /** With what they held when the record became durable. */
  readonly targets: Map<FileInode, Uint8Array>;
  /** Faults that it met; they may have spoilt its tidying up. */
  faults: number;
  readonly startedAt: number;
}

export class Books {
  readonly world: SimulatedWorld;
  readonly accounts: Map<FileInode, FileAccount> = new Map();
  /** Files of which a sync failed since the machine was started, as their processes were told. */
  readonly doubted: Set<SimulatedInode> = new Set();
  readonly violations: string[] = [];
  readonly #calls = new Map<SimulatedProcess, Set<RunningCall>>();
  /** When another file was last put at a path, or taken away from it. */
  readonly replacedAt: Map<string, number> = new Map();
  /** When another program wrote to a file that it had opened. */
  readonly foreignWrites: Map<FileInode, number[]> = new Map();
  /** How often each answer was given. */
  readonly answers: Map<string, number> = new Map();
  /** Every text that an edit or another program writes. */
  readonly texts: string[] = [];
  /** What the files held at first, by path. */
  readonly templates: ReadonlyMap<string, string>;

  constructor(world: SimulatedWorld, templates: ReadonlyMap<string, string>) {
    this.world = world;
    this.templates = templates;
  }

  answer(kind: RunningCall["kind"] | "edit with exclusion", answer: string): void {
    const name = `${kind} ${answer}`;
    this.answers.set(name, (this.answers.get(name) ?? 0) + 1);
  }

  /** Faults fall on whatever the process is doing. */
  fault(pid: number): void {
    for (const [process, calls] of this.#calls) {
      if (process.pid === pid) for (const call of calls) call.faults += 1;
    }
  }

  /** Whether a person's choice is being carried out anywhere. */
  isResolving(): boolean {
    return [...this.#calls].some(
      ([process, calls]) => process.isAlive && [...calls].some(({ kind }) => kind === "resolve"),
    );
  }

  get now(): number {
    return this.world.scheduler.steps;
  }

  /** Whether it is, or was, one of the files that are edited. */
  isTarget(inode: SimulatedInode): boolean {
    return inode.kind === "regular" && this.accounts.has(inode);
  }

  violation(rule: string, what: string): void {
    this.violations.push(`${rule}: ${what} (step ${this.now})`);
  }

  open(inode: FileInode, required: readonly string[] = []): FileAccount {
    const account = new FileAccount(bytesOf(inode.content), required);
    this.accounts.set(inode, account);
    return account;
  }

  begin(process: SimulatedProcess, kind: RunningCall["kind"], edit?: PlannedEdit): RunningCall {
    const call: RunningCall = {
      kind,
      edit,
      publishedAt: Number.POSITIVE_INFINITY,
      changes: 0,
      changedAt: Number.NEGATIVE_INFINITY,
      records: new Set(),
      targets: new Map(),
      faults: 0,
      startedAt: this.now,
    };
    const calls = this.#calls.get(process) ?? new Set();
    this.#calls.set(process, calls.add(call));
    return call;
  }

  end(process: SimulatedProcess, call: RunningCall): void {
    this.#calls.get(process)?.delete(call);
  }

  callsOf(process: SimulatedProcess): readonly RunningCall[] {
    return [...(this.#calls.get(process) ?? [])];
  }

  /** Another program writes to a file, through a handle. */
  writtenByOther(file: FileInode): void {
    const times = this.foreignWrites.get(file) ?? [];
    times.push(this.now);
    this.foreignWrites.set(file, times);
  }

  /** Whether another program wrote to its target between its record and its last byte. */
  hadCompany({ targets, publishedAt, changedAt }: RunningCall): boolean {
    return [...targets.keys()].some((target) =>
      this.foreignWrites.get(target)?.some((at) => at >= publishedAt && at <= changedAt),
    );
  }

  /** The file that stands at a path now. */
  fileAt(path: string): FileInode | undefined {
    const parts = path.split("/").filter((part) => part !== "");
    let at = this.world.disk.root;
    for (const [index, name] of parts.entries()) {
      const next = at.entries.get(name);
      if (next?.kind === "directory") at = next;
      else return index === parts.length - 1 && next?.kind === "regular" ? next : undefined;
    }
    return undefined;
  }
}
