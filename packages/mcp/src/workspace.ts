/**
 * The engine that calls use, held to the roots that are in force: those of `--root`, narrowed by
 * those of the client.
 *
 * It does not know the protocol; `session.ts` asks the client.
 *
 * W1  No engine is used whose roots are not all below those that `--root` led to at the start. An
 *     engine resolves its roots when it is opened, so a link put there in between could lead it
 *     elsewhere; therefore its own word is compared before it is used.
 * W2  A change takes effect for every call that starts after it. Calls that run end on the engine
 *     that they began with, which is closed after the last of them.
 * W3  What the client's roots are is asked before the first call needs them; while that is not
 *     known, nothing is allowed.
 */
import { type Engine, type EngineOptions, FeError } from "@fe/engine";
import { intersect, isWithin, outermost } from "./client-roots.ts";

/** Opens an engine; tests give one of their own. */
export type OpenEngine = (options: EngineOptions) => Promise<Engine>;

/** What a call may use. */
export interface Scope {
  readonly engine: Engine;
  /** Real paths; none lies below another. */
  readonly roots: readonly string[];
  /** Other names of the same directories, as they were given. */
  readonly names: readonly string[];
}

/**
 * Asks for paths of the client's roots; `undefined`: it has none to tell. An `FeError` is what
 * calls answer then; of any other error its message is told.
 */
export type AskClient = () => Promise<readonly string[] | undefined>;

/** What is in force between two changes of the client's roots. */
type Generation =
  | { readonly kind: "open"; readonly scope: Scope; readonly users: Set<Promise<unknown>> }
  | { readonly kind: "refused"; readonly error: FeError; readonly isFinal: boolean };

interface NamedRoot {
  readonly name: string;
  readonly realPath: string;
}

function refused(message: string, hint: string, isFinal: boolean): Generation {
  return { kind: "refused", error: new FeError("FE_OUTSIDE_ROOT", message, { hint }), isFinal };
}

function quoted(roots: readonly string[]): string {
  return roots.map((root) => `"${root}"`).join(", ");
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** See the head of the file. */
export class Workspace {
  readonly #openEngine: OpenEngine;
  readonly #options: EngineOptions;
  readonly #base: Scope;
  readonly #names: readonly NamedRoot[];
  readonly #askClient: AskClient;
  readonly #ending = new Set<Promise<void>>();
  #current: Promise<Generation> | undefined;
  /** How often the client's roots changed. */
  #changes = 0;
  #isClosed = false;

  private constructor(
    openEngine: OpenEngine,
    options: EngineOptions,
    base: Engine,
    given: readonly string[],
    askClient: AskClient,
  ) {
    this.#openEngine = openEngine;
    this.#options = options;
    const realPaths = base.roots ?? [];
    this.#names = realPaths.map((realPath, index) => ({ name: given[index] ?? "", realPath }));
    const names = this.#names.map(({ name }) => name);
    this.#base = { engine: base, roots: outermost(realPaths), names };
    this.#askClient = askClient;
  }

  /** Errors: those of `openEngine`, such as `FE_NOT_FOUND` for a root that does not exist. */
  static async open(
    openEngine: OpenEngine,
    options: Omit<EngineOptions, "roots">,
    roots: readonly string[],
    askClient: AskClient,
  ): Promise<Workspace> {
    const base = await openEngine({ ...options, roots });
    return new Workspace(openEngine, options, base, roots, askClient);
  }

  /** The client has other roots now. Does not wait. */
  changed(): void {
    const old = this.#current;
    this.#current = undefined;
    this.#changes += 1;
    if (old === undefined) return;
    const ending = this.#retire(old).finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  /** Asks the client for its roots if that is not done, so that no call has to wait for it. */
  async prepare(): Promise<void> {
    await this.use(async () => {}).catch(() => {}); // The next call asks again, and tells.
  }

  /** Runs `work` with the roots in force. Error: `FE_OUTSIDE_ROOT` where nothing is allowed. */
  async use<T>(work: (scope: Scope) => Promise<T>): Promise<T> {
    for (;;) {
      if (this.#isClosed) {
        throw new FeError("FE_CLOSED", "The server is shutting down", { hint: "Start another" });
      }
      const changes = this.#changes;
      this.#current ??= this.#load();
      const loading = this.#current;
      const generation = await this.#orForget(loading);
      // From this look until the user is counted nothing is awaited: a change in between would
      // close the engine (W2).
      if (this.#changes !== changes) continue;
      if (generation.kind === "refused") {
        // What may be different in a moment is asked again by the next call, and not by one that
        // has waited for this answer: it would wait once more for a client that does not answer.
        if (!generation.isFinal && this.#current === loading) this.#current = undefined;
        throw generation.error;
      }
      const running = work(generation.scope);
      generation.users.add(running);
      try {
        return await running;
      } finally {
        generation.users.delete(running);
      }
    }
  }

  /** Waits for running calls and lets go of everything. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.changed();
    await Promise.all([...this.#ending]);
    await this.#base.engine.close();
  }

  /** A fault while roots are looked at must not stand in the way of every later call. */
  async #orForget(loading: Promise<Generation>): Promise<Generation> {
    try {
      return await loading;
    } catch (error) {
      if (this.#current === loading) this.#current = undefined;
      throw error;
    }
  }

  async #load(): Promise<Generation> {
    let told: readonly string[] | undefined;
    try {
      told = await this.#askClient();
    } catch (error) {
      if (error instanceof FeError) return { kind: "refused", error, isFinal: false };
      return refused(
        `The client did not say which roots it allows: ${describe(error)}`,
        "Nothing is allowed until the client answers `roots/list`; each call asks it again",
        false,
      );
    }
    if (told === undefined) return this.#open(this.#base);
    const client = await this.#resolve(told);
    const own = this.#base.roots;
    const roots = intersect(
      own,
      client.map(({ realPath }) => realPath),
    );
    if (roots.length === 0) {
      return refused(
        "Nothing is left that both the client's roots and those of this server allow",
        `This server allows: ${quoted(own)}; open one of these in the client, or start the ` +
          "server with another --root",
        true,
      );
    }
    return this.#narrow(roots, client);
  }

  async #narrow(roots: readonly string[], client: readonly NamedRoot[]): Promise<Generation> {
    const names = [...this.#names, ...client]
      .filter(({ realPath }) => roots.some((root) => isWithin(root, realPath)))
      .map(({ name }) => name);
    const own = this.#base.roots;
    if (roots.length === own.length && roots.every((root) => own.includes(root))) {
      return this.#open({ ...this.#base, names });
    }
    const changedMeanwhile = "A root was moved while it was opened";
    let engine: Engine;
    try {
      engine = await this.#openEngine({ ...this.#options, roots });
    } catch (error) {
      return refused(`${changedMeanwhile}: ${describe(error)}`, "Try again", false);
    }
    if (
      engine.roots?.length !== roots.length ||
      !roots.every((root, i) => engine.roots?.[i] === root)
    ) {
      await engine.close();
      return refused(changedMeanwhile, "Try again", false);
    }
    return this.#open({ engine, roots, names });
  }

  #open(scope: Scope): Generation {
    return { kind: "open", scope, users: new Set() };
  }

  /** Where the client's roots really are; one that is not there allows nothing. */
  async #resolve(told: readonly string[]): Promise<NamedRoot[]> {
    const found: NamedRoot[] = [];
    for (const name of told) {
      try {
        const engine = await this.#openEngine({ ...this.#options, roots: [name] });
        const [realPath] = engine.roots ?? [];
        await engine.close();
        if (realPath !== undefined) found.push({ name, realPath });
      } catch (error) {
        if (!(error instanceof FeError)) throw error;
      }
    }
    return found;
  }

  async #retire(old: Promise<Generation>): Promise<void> {
    const generation = await old.catch(() => undefined);
    if (generation?.kind !== "open") return;
    while (generation.users.size > 0) await Promise.allSettled([...generation.users]);
    const { engine } = generation.scope;
    // What closing meets is a directory sync that the next engine does again.
    if (engine !== this.#base.engine) await engine.close().catch(() => {});
  }
}
