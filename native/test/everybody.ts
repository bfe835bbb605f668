/** Lets everybody reach a file or folder on Windows, for tests of what is private. */
import { spawnSync } from "node:child_process";

export function letEverybodyIn(file: string, right: "read" | "write"): void {
  const { WINEPREFIX: prefix } = process.env;
  const grant = `*S-1-1-0:${right === "read" ? "(RX)" : "(M)"}`;
  const [tool, parameters] =
    prefix === undefined
      ? ["icacls", [file, "/grant", grant]]
      : ["start", ["/wait", "/unix", "/bin/chmod", ...modeBelowWine(file, right, prefix)]];
  const { status, error } = spawnSync(tool, parameters, { stdio: "ignore" });
  if (status !== 0) throw error ?? new Error(`${tool} ended with ${status}`);
}

/**
 * Wine's icacls does nothing. It makes access lists of the modes of the system below it, which only
 * a program of that system can set.
 */
function modeBelowWine(file: string, right: "read" | "write", prefix: string): [string, string] {
  const path = file.replace(/^C:/iu, `${prefix}/drive_c`).replace(/^Z:/iu, "");
  return [right === "read" ? "o+rx" : "o+rwx", path.replaceAll("\\", "/")];
}
