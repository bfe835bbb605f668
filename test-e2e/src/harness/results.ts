/** What a run of a long suite found, as JSON, for the page in docs/evidence. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../node_modules/.cache/results/", import.meta.url));

/** One suite's results: a test adds its part under a name of its own. */
export class Results {
  readonly #file: string;

  constructor(suite: string) {
    this.#file = `${folder}${suite}.json`;
  }

  add(name: string, part: unknown): void {
    mkdirSync(folder, { recursive: true });
    writeFileSync(this.#file, `${JSON.stringify({ ...this.read(), [name]: part }, null, 1)}\n`);
  }

  read(): Record<string, unknown> {
    try {
      return JSON.parse(readFileSync(this.#file, "utf8"));
    } catch {
      return {};
    }
  }
}
