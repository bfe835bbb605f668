/** Runs the command with an engine and a process that are not real. */
import type { Engine, EngineOptions, ShownVersion } from "@fe/engine";
import {
  editResult,
  record,
  resolvedRecord,
  resolveResult,
  undoResult,
} from "../../engine/test/samples.ts";
import { run, type World } from "../src/run.ts";

/** What a run printed and called. */
export interface Run {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
  readonly calls: readonly unknown[];
}

/** What differs from the samples. */
export interface Behaviour {
  readonly engine?: Partial<Omit<Engine, "recovery">> & { recovery?: Partial<Engine["recovery"]> };
  readonly world?: Partial<World>;
}

/** Runs a command line with an engine that answers as the samples do. */
export async function fe(argv: readonly string[], behaviour: Behaviour = {}): Promise<Run> {
  let out = "";
  let err = "";
  const calls: unknown[] = [];
  const engine = {
    edit: async (...parameters: unknown[]) => {
      calls.push(["edit", ...parameters]);
      return editResult;
    },
    preview: async (...parameters: unknown[]) => {
      calls.push(["preview", ...parameters]);
      return { ...editResult, status: "unchanged", dryRun: true };
    },
    close: async () => {
      calls.push("close");
    },
    ...behaviour.engine,
    recovery: {
      storePath: "/home/someone/.config/fe/edit-recovery",
      list: async () => [record],
      listResolved: async () => [resolvedRecord],
      show: async () => shown(new TextEncoder().encode("before\n")),
      resolve: async (...parameters: unknown[]) => {
        calls.push(["resolve", ...parameters]);
        return resolveResult;
      },
      undo: async (...parameters: unknown[]) => {
        calls.push(["undo", ...parameters]);
        return undoResult;
      },
      ...behaviour.engine?.recovery,
    },
  } as unknown as Engine;
  const world: World = {
    stdoutIsTerminal: false,
    stdoutColumns: undefined,
    stdoutTakesColor: false,
    stderrTakesColor: false,
    openEngine: async (options: EngineOptions) => {
      calls.push(["open", options]);
      return engine;
    },
    statusLine: undefined,
    openWorkshop: async () => {
      throw new Error("This test has no workshop");
    },
    version: "1.2.3",
    cwd: () => "/home/someone",
    readInput: async () => new TextEncoder().encode("text\n"),
    writeOut: async (data) => {
      out += typeof data === "string" ? data : Buffer.from(data).toString("latin1");
      return true;
    },
    writeErr: async (text) => {
      err += text;
    },
    watchSignals: () => ({ stop: () => {} }),
    ...behaviour.world,
  };
  const exit = await run(argv, world);
  return { exit, out, err, calls };
}

/** A version with this content. */
export function shown(content: Uint8Array, sizeBytes = content.length): ShownVersion {
  return {
    record,
    version: "before",
    sizeBytes,
    async *chunks() {
      yield content;
    },
    close: async () => {},
  };
}

/** An edit as short as can be. */
export const edit: readonly string[] = [
  ...["edit", "notes.md"],
  ...["--old-string", "a", "--new-string", "b"],
];
