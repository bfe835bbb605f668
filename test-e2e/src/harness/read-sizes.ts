/** Starts `read-sizes.mjs`, a program that reads a file while others edit it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("./read-sizes.mjs", import.meta.url));

/** What a reader saw. */
export interface ReadSizes {
  readonly reads: number;
  /** The fewest bytes that it found. */
  readonly fewest: number;
}

/** `loop`: without a pause. `watch`: whenever the system tells of a change of the file. */
export async function readSizes(
  path: string,
  when: "loop" | "watch",
): Promise<{ stop(): Promise<ReadSizes> }> {
  const child = spawn(process.execPath, [program, path, when], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await answers.next();
  return {
    async stop() {
      child.stdin.end();
      const [reads = 0, fewest = 0] = String((await answers.next()).value)
        .split(" ")
        .map(Number);
      await once(child, "close");
      return { reads, fewest };
    },
  };
}
