/**
 * The one oracle of all crash and fault tests: what must be true of a file, whoever wrote to it and
 * whatever died.
 *
 * It knows nothing of the engine. A test tells it what was begun, what was acknowledged, what
 * others wrote and what a person chose, and asks it about the bytes that are there now.
 *
 * V1  The file is a version that somebody meant it to have, or a readable record holds two such
 *     versions and the next edit refuses.
 * V2  What was acknowledged is in it, and in both versions of such a record; so are the bytes of
 *     other programs, unless they came while an edit was between its record and its end.
 * V3  After `resolve` it is the chosen version, byte for byte.
 */

/** Bytes as text, one character per byte, so that versions can be compared and kept in sets. */
export type Bytes = string;

export function bytesOf(content: Uint8Array): Bytes {
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("latin1");
}

/** What a record says, as far as the oracle asks. */
export interface RecordVersions {
  readonly before: Bytes;
  readonly after: Bytes;
}

/** What happened to one file. */
export class FileAccount {
  /** Every version that somebody meant the file to have. */
  readonly #whole = new Set<Bytes>();
  /** Texts that must be in it from now on. */
  #required = new Set<string>();
  /** When another program or a person changed it last, by the test's own count. */
  #foreignAt = -1;
  /** Another program wrote without a sync: a power loss may take or tear that. */
  #isLoose = false;

  constructor(initial: Bytes, required: readonly string[] = []) {
    this.#whole.add(initial);
    for (const text of required) this.#required.add(text);
  }

  get required(): readonly string[] {
    return [...this.#required];
  }

  get foreignAt(): number {
    return this.#foreignAt;
  }

  isWhole(content: Bytes): boolean {
    return this.#whole.has(content);
  }

  /** An edit may make this of the file. */
  begin(after: Bytes): void {
    this.#whole.add(after);
  }

  /**
   * An edit was reported as applied. `text` is what only it wrote, `publishedAt` when its record
   * became durable. Returns what is wrong, if something is.
   */
  acknowledge(text: string, publishedAt: number, content: Bytes): string | undefined {
    // Another program, or a person, had the last word: nothing is promised then.
    if (this.#foreignAt >= publishedAt) return undefined;
    this.#required.add(text);
    if (content.includes(text)) return undefined;
    return `"${text}" was reported as applied and is not in the file`;
  }

  /**
   * Another program changed the file. `isUnguarded`: no edit stood between its record and its end,
   * so that what was written must not be lost.
   */
  changedByOther(
    at: number,
    change: {
      readonly content: Bytes;
      readonly marks: readonly string[];
      readonly isUnguarded: boolean;
      readonly isSynced: boolean;
    },
  ): void {
    this.#foreignAt = at;
    this.#whole.add(change.content);
    this.#isLoose = !change.isSynced;
    const kept = [...this.#required].filter((text) => change.content.includes(text));
    const marks = change.isUnguarded ? change.marks : [];
    this.#required = new Set([...kept, ...marks]);
  }

  /** A person's choice is being written; until it is done, nothing is required. */
  choiceBegins(at: number): void {
    this.#foreignAt = at;
    this.#required.clear();
  }

  /** What is there now counts, with all that is in it. */
  accept(content: Bytes, texts: readonly string[]): void {
    this.#whole.add(content);
    this.#required = new Set(texts.filter((text) => content.includes(text)));
  }

  synced(): void {
    this.#isLoose = false;
  }

  powerWasLost(content: Bytes): void {
    if (!this.#isLoose) return;
    this.#isLoose = false;
    this.#required.clear();
    this.#whole.add(content);
  }

  /**
   * V1 and V2. `record`: the readable record that made the next edit refuse; `undefined`: nothing
   * stood in its way. Returns what is wrong, if something is.
   */
  judge(content: Bytes, record: RecordVersions | undefined): string | undefined {
    if (record === undefined) {
      if (!this.isWhole(content)) return `the file is torn and no record covers it: ${content}`;
      return this.#missingIn(content, "the file");
    }
    if (this.isWhole(content) && this.#missingIn(content, "") === undefined) return undefined;
    for (const [name, version] of Object.entries({ ...record }) as [string, Bytes][]) {
      if (!this.isWhole(version))
        return `version ${name} of the record was never meant: ${version}`;
      const missing = this.#missingIn(version, `version ${name} of the record`);
      if (missing !== undefined) return missing;
    }
    return undefined;
  }

  #missingIn(content: Bytes, where: string): string | undefined {
    const missing = [...this.#required].find((text) => !content.includes(text));
    return missing === undefined ? undefined : `"${missing}" is lost: it is not in ${where}`;
  }
}
