/** A place of its own for each test: a directory for targets, and a store beside it. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createNodeOs, type Os } from "@fe/native";
import { type InterceptedCall, interceptOs } from "@fe/native/testing";
import { afterEach } from "vitest";
import { abilities, removeFolder } from "../../../native/test/abilities.ts";
import { openEngineWith } from "../src/engine.ts";
import type { Engine } from "../src/engine-types.ts";
import { FeError } from "../src/errors.ts";
import type { EngineOptions } from "../src/options.ts";
import type { Version } from "../src/record-report.ts";

const made: Place[] = [];

/** The call that gives a new record its name. */
export const publishing = abilities.unnamedFiles ? "directory.linkUnnamedFile" : "directory.rename";

afterEach(async () => {
  for (const place of made.splice(0)) await place.remove();
});

/** Directories and engines of one test. */
export class Place {
  readonly root: string;
  /** Where targets stand. */
  readonly work: string;
  readonly userData: string;
  /** Where records stand. */
  readonly store: string;
  readonly #engines: Engine[] = [];

  constructor() {
    this.root = realpathSync(mkdtempSync(join(tmpdir(), "fe-engine-")));
    this.work = join(this.root, "work");
    this.userData = join(this.root, "data");
    this.store = join(this.userData, "edit-recovery");
    mkdirSync(this.work);
    mkdirSync(this.userData, { mode: 0o700 });
    made.push(this);
  }

  path(name: string): string {
    return join(this.work, name);
  }

  /**
   * An engine of this place, as another process would have it: with a port and a queue of its own.
   */
  async engine(options: EngineOptions = {}, os: Os = createNodeOs()): Promise<Engine> {
    const engine = await openEngineWith(os, { userDataDirectory: this.userData, ...options });
    this.#engines.push(engine);
    return engine;
  }

  /**
   * An engine whose calls of the system are watched; `watch` answers or proceeds. Nobody is kept
   * out by the kernel: a test that plays the other program would wait for itself.
   */
  watched(watch: (call: InterceptedCall) => unknown, options: EngineOptions = {}): Promise<Engine> {
    const nobodyKeptOut = { granted: false, reason: "unsupported" };
    const os = interceptOs(createNodeOs(), (call) =>
      call.name === "target.startExclusion" ? nobodyKeptOut : watch(call),
    );
    return this.engine(options, os);
  }

  /** The same, but it does ask the kernel to keep others out. */
  watchedWithExclusion(watch: (call: InterceptedCall) => unknown): Promise<Engine> {
    return this.engine({}, interceptOs(createNodeOs(), watch));
  }

  /** An engine before whose first call of `name` something happens. */
  before(name: string, act: () => unknown, options: EngineOptions = {}): Promise<Engine> {
    return this.beforeNext([name], act, options);
  }

  /** The same before the last of these calls, which are met in this order. */
  beforeNext(
    names: readonly string[],
    act: () => unknown,
    options: EngineOptions = {},
  ): Promise<Engine> {
    let met = 0;
    return this.watched(async (call) => {
      if (call.name === names[met]) {
        met += 1;
        if (met === names.length) await act();
      }
      return call.proceed();
    }, options);
  }

  /** Names in the store, without the folder of saved bytes. */
  storeNames(): string[] {
    try {
      return readdirSync(this.store).filter((name) => name !== "saved");
    } catch {
      return [];
    }
  }

  records(): string[] {
    return this.storeNames().filter((name) => name.endsWith(".fer"));
  }

  /** The bytes of one version of a record. */
  async versionOf(id: string, version: Version): Promise<Buffer> {
    const engine = await this.engine();
    const shown = await engine.recovery.show(id, version);
    const chunks: Uint8Array[] = [];
    for await (const chunk of shown.chunks()) chunks.push(Uint8Array.from(chunk));
    await shown.close();
    return Buffer.concat(chunks);
  }

  /** For an engine whose closing was to fail. */
  forget(engine: Engine): void {
    this.#engines.splice(this.#engines.indexOf(engine), 1);
  }

  async remove(): Promise<void> {
    for (const engine of this.#engines) await engine.close();
    chmodSync(this.work, 0o700);
    removeFolder(this.root);
  }
}

/** A place in which a file of this content stands. */
export function placeWithFile(
  content: string,
  name = "a",
): { readonly place: Place; readonly path: string } {
  const place = new Place();
  const path = place.path(name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return { place, path };
}

/** What a promise rejects with; fails the test if it does not, or not with an `FeError`. */
export async function failureOf(promise: Promise<unknown>): Promise<FeError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof FeError) return error;
    throw error;
  }
  throw new Error("It was expected to fail and did not");
}
