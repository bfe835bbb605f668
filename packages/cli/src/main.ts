/** The process: arguments, streams, signals, the exit code, and the files of `--old-file`. */
import { createReadStream } from "node:fs";
import type { EndingSignal } from "./exit-codes.ts";
import { OutputError, run, type World } from "./run.ts";

/** Version of this package; the build puts it here. */
declare const builtVersion: string;

/** A terminal without colours, and without a way back to the beginning of a line. */
const isDumb = process.env.TERM === "dumb";

/** https://no-color.org: present and not empty, whatever its value. */
const noColor = (process.env.NO_COLOR ?? "") !== "" || isDumb;

async function readInput(file: string, limitBytes: number): Promise<Uint8Array> {
  const stream = file === "-" ? process.stdin : createReadStream(file);
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    sizeBytes += chunk.length;
    // It may have no end, such as a device.
    if (sizeBytes > limitBytes) throw new Error(`more than ${limitBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function write(stream: NodeJS.WriteStream, data: string | Uint8Array): Promise<boolean> {
  return new Promise((resolve, reject) => {
    stream.write(data, (error) => {
      if (error === null || error === undefined) resolve(true);
      // Whoever read has what it wanted, such as `head`.
      else if ("code" in error && error.code === "EPIPE") resolve(false);
      else reject(new OutputError(error.message, { cause: error }));
    });
  });
}

function watchSignals(onSignal: (signal: EndingSignal) => void): { stop(): void } {
  const signals: readonly EndingSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];
  const stop = (): void => {
    for (const signal of signals) process.off(signal, listener);
  };
  const listener = (signal: NodeJS.Signals): void => {
    // Without a listener the next signal ends the process at once, which a record survives.
    stop();
    const known = signals.find((one) => one === signal);
    if (known !== undefined) onSignal(known);
  };
  for (const signal of signals) process.on(signal, listener);
  return { stop };
}

const statusLine: NonNullable<World["statusLine"]> = {
  get isTerminal() {
    return process.stderr.isTTY === true && !isDumb;
  },
  get columns() {
    return process.stderr.columns || 80;
  },
  write: (text) => void process.stderr.write(text),
};

const world: World = {
  statusLine,
  stdoutIsTerminal: process.stdout.isTTY === true,
  // Some terminals tell a width of 0.
  stdoutColumns: process.stdout.isTTY === true ? process.stdout.columns || undefined : undefined,
  stdoutTakesColor: process.stdout.isTTY === true && !noColor,
  // Asked for by errors alone: a stream takes a millisecond to make.
  get stderrTakesColor() {
    return process.stderr.isTTY === true && !noColor;
  },
  openEngine: async (options) => {
    const { openEngine } = await import("@fe/engine");
    return openEngine(options);
  },
  openWorkshop: async () => (await import("./workshop.ts")).openWorkshop(),
  version: builtVersion,
  cwd: () => process.cwd(),
  readInput,
  writeOut: (data) => write(process.stdout, data),
  // Where messages cannot be written there is nobody to be told.
  writeErr: async (text) => {
    // See `main` for the listener.
    if (process.stderr.listenerCount("error") === 0) process.stderr.on("error", () => {});
    await write(process.stderr, text).catch(() => {});
  },
  watchSignals,
};

/** Runs the command line of this process, and sets its exit code. */
export async function main(): Promise<void> {
  // The callback of a write says what became of it; without a listener the event would be thrown.
  process.stdout.on("error", () => {});
  process.exitCode = await run(process.argv.slice(2), world);
}
