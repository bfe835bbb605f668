/** The process: arguments, streams, signals, the exit code. */
import { FeError, openEngine } from "@fe/engine";
import { escapeText, inWords } from "@fe/engine/display";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { parseArguments, type Settings } from "./arguments.ts";
import { help } from "./help.ts";
import { maxMessageBytes } from "./limits.ts";
import { LineJoiner } from "./line-joiner.ts";
import { toolWords } from "./output/words.ts";
import { Session } from "./session.ts";

/** Version of this package; the build puts it here. */
declare const builtVersion: string;

const exitFailed = 1;
const exitUsage = 2;

function complain(code: string, message: string, hint: string | undefined): void {
  // A message may have lines of its own, such as where the addon was looked for.
  const lines = message.split("\n").map(escapeText).join("\n");
  const advice = hint === undefined ? "" : `hint: ${escapeText(hint)}\n`;
  process.stderr.write(`error ${code}: ${lines}\n${advice}`);
}

/** The engine says no to what it was to be opened with. */
function reportStart(error: unknown): void {
  if (!(error instanceof FeError)) throw error;
  complain(error.code, error.message, error.hint && inWords(toolWords, error.hint));
  process.exitCode = error.code === "FE_NATIVE_UNAVAILABLE" ? exitFailed : exitUsage;
}

function fail(message: string): void {
  process.stderr.write(`fe-mcp: ${escapeText(message)}\n`);
  process.exitCode = exitFailed;
}

async function serve(settings: Settings): Promise<void> {
  const input = new LineJoiner(maxMessageBytes);
  // The joiner bounds what is held; a limit of the SDK's own would count several messages together.
  const transport = new StdioServerTransport(input, process.stdout, {
    maxBufferSize: Number.POSITIVE_INFINITY,
  });
  const report = (message: string): void => {
    process.stderr.write(`fe-mcp: ${message}\n`);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  let session: Session;
  const onSignal = (): void => {
    // Without a listener the next signal ends the process at once, which a record survives.
    release();
    void session.stop();
  };
  const release = (): void => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  try {
    session = await Session.start(
      transport,
      { settings, openEngine, version: builtVersion, report },
      () => {
        // Nothing is left to be read, and an open stream would keep the process.
        release();
        process.stdin.destroy();
      },
    );
  } catch (error) {
    reportStart(error);
    return;
  }
  for (const signal of signals) process.on(signal, onSignal);
  input.on("end", () => void session.finish());
  input.on("error", () => {
    // A message was too long; the transport, which listens too, has had that reported.
    process.exitCode = exitFailed;
    void session.stop();
  });
  process.stdin.on("error", () => void session.finish());
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // Who does not read any more does not want any more answers, either.
    if (error.code !== "EPIPE") fail(`Cannot write to standard output: ${error.message}`);
    void session.stop();
  });
  process.stdin.pipe(input);
}

/** Runs the command line of this process, and sets its exit code. */
export async function main(): Promise<void> {
  // Where messages cannot be written there is nobody to be told.
  process.stderr.on("error", () => {});
  process.stdout.on("error", () => {});
  const parsed = parseArguments(process.argv.slice(2), process.cwd());
  switch (parsed.kind) {
    case "help":
      process.stdout.write(help);
      return;
    case "version":
      process.stdout.write(`${builtVersion}\n`);
      return;
    case "usage":
      complain("FE_INVALID_REQUEST", parsed.message, parsed.hint);
      process.exitCode = exitUsage;
      return;
    case "serve":
      return serve(parsed.settings);
  }
}
