/** Starting another process that has the addon, or Python where Node lacks a system call. */
import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const addonFile = fileURLToPath(new URL("../binding.cjs", import.meta.url));

/** A child that printed its first word, so that what comes before it in its script is done. */
export interface Child {
  readonly process: ChildProcess;
  readonly firstWord: string;
  /** What it prints next, whenever that is. */
  nextWord(): Promise<string>;
  /** Kills it and waits until it is gone. */
  kill(): Promise<void>;
}

/**
 * Runs `script` in Node; in it, `addon` is the raw addon and `arguments_` are `parameters`. It goes
 * on until it is killed or this process ends.
 */
export function startNode(
  script: string,
  parameters: readonly string[],
  options: SpawnOptions = {},
  /** A command that runs what follows it. */
  through: readonly string[] = [],
): Promise<Child> {
  const head = `const addon = require(${JSON.stringify(addonFile)}).load();
    const arguments_ = process.argv.slice(1);
    process.stdin.resume().on("end", () => process.exit());`;
  const node = [process.execPath, "-e", head + script, ...parameters];
  const [command = "", ...rest] = [...through, ...node];
  return start(command, rest, options);
}

/** `script` should end with its standard input. */
export function startPython(script: string, parameters: readonly string[]): Promise<Child> {
  return start("python3", ["-c", script, ...parameters], {});
}

export function runPython(script: string, parameters: readonly string[]): void {
  execFileSync("python3", ["-c", script, ...parameters], { stdio: "pipe" });
}

async function start(
  command: string,
  parameters: readonly string[],
  options: SpawnOptions,
): Promise<Child> {
  const child = spawn(command, parameters, { ...options, stdio: ["pipe", "pipe", "inherit"] });
  const exit = once(child, "exit");
  const firstWord = await new Promise<string>((resolve, reject) => {
    child.stdout?.once("data", (data: Buffer) => resolve(data.toString().trim()));
    child.once("error", reject);
    child.once("exit", (code, signal) => reject(new Error(`child ended: ${code ?? signal}`)));
  });
  return {
    process: child,
    firstWord,
    nextWord: () =>
      new Promise((resolve) => {
        child.stdout?.once("data", (data: Buffer) => resolve(data.toString().trim()));
      }),
    kill: async () => {
      child.kill("SIGKILL");
      await exit;
    },
  };
}
