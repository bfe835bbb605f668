/** Starts `edit-lines.mjs`, which says what the parameters mean. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("./edit-lines.mjs", import.meta.url));

/** The lines from `from` to `to - 1` of a file, and whether others must be kept out. */
export interface LinesPlan {
  readonly path: string;
  readonly userData: string;
  readonly from: number;
  readonly to: number;
  readonly exclusive?: "prefer" | "require" | "off";
}

/** The content of a file of which processes edit the lines. */
export function oldLines(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index} is old\n`).join("");
}

/** A process that edits its own lines, one after the other; resolves with what went wrong. */
export async function editOwnLines(plan: LinesPlan): Promise<string> {
  const child = spawn(process.execPath, [program, JSON.stringify(plan)]);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  await once(child, "close");
  return output;
}
