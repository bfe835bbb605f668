/** What a child process is asked, and how it is started. */
import { execFileSync, fork, spawnSync } from "node:child_process";
import path from "node:path";
import { benchFolder } from "./place.ts";
import type { Kind } from "./sample.ts";

export type ChildTask =
  | {
      readonly kind: "edits";
      readonly contender: string;
      readonly userData: string;
      readonly file: string;
      readonly count: number;
    }
  | {
      readonly kind: "memory";
      readonly contender: string;
      readonly userData: string;
      readonly file: string;
      readonly warmFile: string;
      readonly edit: Kind;
    }
  | {
      readonly kind: "delay";
      readonly contender: string;
      readonly userData: string;
      readonly file: string;
      readonly warmFile: string;
      readonly rounds: number;
    }
  | {
      readonly kind: "loop";
      readonly userData: string;
      readonly file: string;
      readonly name: string;
      readonly count: number;
    };

export interface ChildAnswer {
  readonly writtenBytes?: number;
  readonly grownBytes?: number;
  readonly worstMs?: number;
  readonly idleMs?: number;
}

const childFile = path.join(benchFolder, "dist", "child.js");

function childArguments(task: ChildTask): string[] {
  return ["--expose-gc", childFile, JSON.stringify(task)];
}

/** Runs a task and waits; `tracer` is a command that the process is started by. */
export function runTask(task: ChildTask, tracer: readonly string[] = []): ChildAnswer {
  const [command = process.execPath, ...rest] = [...tracer, process.execPath];
  const parameters = [...rest, ...childArguments(task)];
  const output = execFileSync(command, parameters, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(output) as ChildAnswer;
}

/** Whether a program is there. */
export function canRun(command: string): boolean {
  return spawnSync(command, ["-V"], { stdio: "ignore" }).status === 0;
}

/** A task that waits to be told to begin, and says when it is done. */
export interface StartedTask {
  begin(): void;
  readonly done: Promise<void>;
  readonly ended: Promise<void>;
}

/** Starts a task of kind `loop`; settled when it is ready to begin. */
export async function startTask(task: ChildTask): Promise<StartedTask> {
  const child = fork(childFile, [JSON.stringify(task)], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = new Promise<void>((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`A process of the bench ended with ${code}`));
    });
  });
  const message = (wanted: string): Promise<void> =>
    new Promise((resolve) => {
      child.on("message", (text) => {
        if (text === wanted) resolve();
      });
    });
  const done = message("done");
  await Promise.race([message("ready"), ended]);
  return { begin: () => child.send("go"), done: Promise.race([done, ended]), ended };
}
