/**
 * The processes of a simulation, with an engine each, and what they check of its answers.
 *
 * EX  An edit that says `exclusion: "kernel"` had no company: from its record to its last byte no
 *     other program wrote to the file through a handle. One that wrote before the record is a
 *     conflict in any case.
 */
import type { SimulatedProcess } from "@fe/native/testing";
import { openEngineWith } from "../../src/engine.ts";
import type { Engine } from "../../src/engine-types.ts";
import { FeError } from "../../src/errors.ts";
import { bytesOf } from "../oracle.ts";
import type { Books, MakeOs, RunningCall } from "./books.ts";
import type { PlannedAction, PlannedEdit, PlannedProcess } from "./plan.ts";

export const userDataDirectory = "/data";

/** Stands in no file. */
const nothing = { kind: "edit", oldText: "<?>", newText: "(?)", proof: "(?)", waitMs: 0 } as const;

/** What must never be answered, whatever fails. */
const impossibleCodes = new Set(["FE_RECORD_UNSAFE", "FE_STORE_NOT_PRIVATE", "FE_CLOSED"]);

/** Checks an error of the engine; `undefined` if it is one that may be. */
function wrongError(error: unknown, call: RunningCall): string | undefined {
  if (!(error instanceof FeError)) return `threw ${String(error)}`;
  // A disk that reports errors is one reason not to trust a record.
  const isExcused = error.code === "FE_RECORD_UNSAFE" && call.faults > 0;
  if (impossibleCodes.has(error.code) && !isExcused)
    return `answered ${error.code}: ${error.message}`;
  if ((error.effect === "unknown") !== (error.code === "FE_OUTCOME_UNKNOWN")) {
    return `${error.code} says effect ${error.effect}`;
  }
  if (error.code === "FE_OUTCOME_UNKNOWN" || call.kind === "resolve") return undefined;
  if (error.effect === "rolled_back") {
    const isBack = [...call.targets].every(
      ([inode, before]) => Buffer.compare(inode.content, before) === 0,
    );
    if (!isBack) return `answered ${error.code} and had not rolled it back`;
  } else if (call.changes > 0) {
    return `answered ${error.code} and had changed the file`;
  }
  const isLeft = [...call.records].some(({ linkCount }) => linkCount > 0);
  return isLeft && call.faults === 0 ? `answered ${error.code} and left its record` : undefined;
}

export class Actor {
  readonly #books: Books;
  readonly process: SimulatedProcess;
  readonly #engine: Engine;

  private constructor(books: Books, process: SimulatedProcess, engine: Engine) {
    this.#books = books;
    this.process = process;
    this.#engine = engine;
  }

  static async start(books: Books, makeOs: MakeOs): Promise<Actor> {
    const { os, process } = books.world.start();
    const engine = await openEngineWith(makeOs(os), { userDataDirectory });
    return new Actor(books, process, engine);
  }

  get engine(): Engine {
    return this.#engine;
  }

  async run({ actions, closes }: PlannedProcess): Promise<void> {
    for (const action of actions) await this.act(action);
    if (closes) {
      // The last sync may meet a fault.
      await this.#engine.close().catch(() => undefined);
    }
    this.process.die();
  }

  async act(action: PlannedAction): Promise<void> {
    switch (action.kind) {
      case "edit":
        await this.edit(action);
        return;
      case "two-edits":
        await Promise.all(action.edits.map((edit) => this.edit(edit)));
        return;
      case "resolve":
        await this.#resolveAny(action.keep);
        return;
      case "miss":
        await this.edit({ ...nothing, path: action.path });
        return;
      case "look":
        await this.#look();
    }
  }

  /** Returns `applied`, `unchanged`, or the code. */
  async edit(edit: PlannedEdit): Promise<string> {
    const call = this.#books.begin(this.process, "edit", edit);
    const { path, oldText, newText, waitMs } = edit;
    const request = { path, oldString: oldText, newString: newText, replaceAll: true };
    try {
      const { status, exclusion } = await this.#engine.edit(request, { waitMs });
      if (status === "applied") this.#acknowledge(edit, call);
      if (exclusion === "kernel" && this.#books.hadCompany(call)) {
        this.#books.violation("EX", `says that others were kept out of ${path}, and one wrote`);
      }
      if (status === "applied") this.#books.answer("edit with exclusion", exclusion);
      this.#books.answer("edit", status);
      return status;
    } catch (error) {
      const wrong = wrongError(error, call);
      if (wrong !== undefined) this.#books.violation("I8", wrong);
      const code = error instanceof FeError ? error.code : "?";
      this.#books.answer("edit", code);
      return code;
    } finally {
      this.#books.end(this.process, call);
    }
  }

  #acknowledge({ proof, path }: PlannedEdit, call: RunningCall): void {
    const atPath = this.#books.fileAt(path);
    const isThere = atPath !== undefined && call.targets.has(atPath);
    const replacedAt = this.#books.replacedAt.get(path) ?? -1;
    if (!isThere && replacedAt < call.publishedAt) {
      this.#books.violation("LOST", `"${proof}" was written to a file that is not at ${path}`);
    }
    // The file is the one whose version was begun, wherever its name leads by now.
    for (const [inode, account] of this.#books.accounts) {
      if (!call.targets.has(inode)) continue;
      const wrong = account.acknowledge(proof, call.publishedAt, bytesOf(inode.content));
      if (wrong !== undefined) this.#books.violation("LOST", wrong);
    }
  }

  /**
   * In a store without locks a person could take the record of an edit that is still at work, and
   * would be warned of it; this person waits until nobody works any more.
   */
  async #resolveAny(keep: "before" | "after" | "current"): Promise<void> {
    if (this.#books.world.disk.volume.locks !== "exclusive") return;
    const records = await this.#engine.recovery.list().catch(() => []);
    const record = records[0];
    if (record !== undefined) await this.resolve(record.id, keep);
  }

  /** Returns the status, or the code. */
  async resolve(id: string, keep: "before" | "after" | "current"): Promise<string> {
    const call = this.#books.begin(this.process, "resolve");
    try {
      const { status } = await this.#engine.recovery.resolve(id, { keep });
      this.#books.answer("resolve", status);
      return status;
    } catch (error) {
      const wrong = wrongError(error, call);
      if (wrong !== undefined) this.#books.violation("I8", wrong);
      const code = error instanceof FeError ? error.code : "?";
      this.#books.answer("resolve", code);
      return code;
    } finally {
      this.#books.end(this.process, call);
    }
  }

  async #look(): Promise<void> {
    const records = await this.#engine.recovery.list().catch(() => []);
    for (const { id } of records) {
      const shown = await this.#engine.recovery.show(id, "before").catch(() => undefined);
      await shown?.close();
    }
  }
}
