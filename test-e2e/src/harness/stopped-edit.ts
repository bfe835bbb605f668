/** Starts `stopped-edit.mjs`, which says what the plan means. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { EditRequest } from "@fe/engine";

const program = fileURLToPath(new URL("./stopped-edit.mjs", import.meta.url));

/** What the process does, and where it stops. */
export interface StopPlan {
  readonly path: string;
  readonly userData: string;
  /** What an edit request has beside its path. */
  readonly edit: Omit<EditRequest, "path">;
  readonly at: string;
  readonly nth?: number;
  readonly partBytes?: number;
  readonly options?: { readonly waitMs?: number; readonly exclusive?: "require" | "off" };
  readonly tellsExclusion?: boolean;
}

/** Runs an edit that is killed at its call. Fails if the call is never made. */
export async function killedEdit(plan: StopPlan): Promise<void> {
  const child = spawn(process.execPath, [program, JSON.stringify({ ...plan, ending: "kill" })]);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const [exit, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  // On Windows who ends itself has exit code 1 and no signal; an edit that went on says something.
  const isKilled = signal === "SIGKILL" || (exit === 1 && output === "");
  if (!isKilled) throw new Error(`The edit was not killed at ${plan.at}: ${output}`);
}

/** An edit that stands at its call until it is let on or killed. */
export interface StoppedEdit {
  readonly pid: number;
  /** Lets it go on; resolves with its status or the code of its error. */
  goOn(): Promise<string>;
  kill(): Promise<void>;
}

/** Runs an edit up to its call. */
export async function stoppedEdit(plan: StopPlan): Promise<StoppedEdit> {
  const child = spawn(process.execPath, [program, JSON.stringify({ ...plan, ending: "stop" })], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.value !== "stopped") throw new Error(`The edit never came to ${plan.at}`);
  return {
    pid: child.pid ?? 0,
    async goOn(): Promise<string> {
      child.stdin.write("\n");
      return String((await lines.next()).value);
    },
    async kill(): Promise<void> {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, "close");
      child.kill("SIGKILL");
      await closed;
    },
  };
}
