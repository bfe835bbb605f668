/** Lets everybody reach a file or folder on Windows, for tests of what is private. */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

type Right = "read" | "write";

export function letEverybodyIn(file: string, right: Right): void {
  const { WINEPREFIX: prefix } = process.env;
  if (prefix === undefined) {
    run("icacls", [file, "/grant", `*S-1-1-0:${right === "read" ? "(RX)" : "(M)"}`]);
  } else {
    changeModeBelowWine(file, right, prefix);
  }
}

function run(tool: string, parameters: readonly string[]): void {
  const { status, error } = spawnSync(tool, parameters, { stdio: "ignore" });
  if (status !== 0) throw error ?? new Error(`${tool} ended with ${status}`);
}

/**
 * Wine's icacls does nothing. It makes access lists of the modes of the system below it, which only
 * a program of that system can set. `start /wait` does not wait for such a program, nor tell how it
 * ended (seen with Wine 8.0), so this one removes its own text once the mode is set.
 */
function changeModeBelowWine(file: string, right: Right, prefix: string): void {
  const below = (path: string): string =>
    path
      .replace(/^C:/iu, () => `${prefix}/drive_c`)
      .replace(/^Z:/iu, "")
      .replaceAll("\\", "/");
  const script = join(tmpdir(), `fe-everybody-${randomUUID()}`);
  const quoted = below(file).replaceAll("'", "'\\''");
  writeFileSync(script, `chmod o+rx${right === "read" ? "" : "w"} '${quoted}' && rm -- "$0"\n`);
  try {
    run("start", ["/unix", "/bin/sh", below(script)]);
    for (let round = 0; existsSync(script); round++) {
      if (round === 3000) throw new Error(`"${file}" did not get its mode within 30 seconds`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  } finally {
    rmSync(script, { force: true });
  }
}
