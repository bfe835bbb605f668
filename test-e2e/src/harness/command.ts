/** The built `fe` command, run as a person would, in a folder and with a store of its own. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chown, lstat, mkdir, mkdtemp, readdir, realpath, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeFolder } from "../../../native/test/abilities.ts";

const require = createRequire(import.meta.url);
const command = path.join(path.dirname(require.resolve("@fe/cli/package.json")), "bin", "fe.js");

/** How long a run may take; far more than it needs, and less than a test's own limit. */
const limitMs = 20_000;

/** What a run printed, and how it ended. */
export interface CommandResult {
  /** `null`: a signal ended it. */
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** How a run differs from the usual. */
export interface RunOptions {
  readonly cwd?: string;
  readonly input?: string;
  /** User and group to run as; needs root. */
  readonly uid?: number;
  /** Nobody reads what it prints. */
  readonly closedOutput?: boolean;
  /** Added to the environment, which is otherwise next to empty. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Another program of Node that runs instead of the command. */
  readonly program?: string;
  /** A program with its parameters that runs the command, such as a tracer. */
  readonly through?: readonly string[];
  /** Sent after so many ms. */
  readonly kill?: { readonly signal: NodeJS.Signals; readonly afterMs: number };
}

/** Content, time and place of a file: equal if nothing was done to it. */
export interface FileState {
  readonly sha256: string;
  readonly sizeBytes: bigint;
  readonly inode: bigint;
  readonly mode: bigint;
  readonly modifiedNs: bigint;
}

/** A folder for files, and a store beside it. */
export class CommandFolder implements AsyncDisposable {
  readonly path: string;
  readonly dataPath: string;
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
    this.path = path.join(root, "files");
    this.dataPath = path.join(root, "data");
  }

  static async create(): Promise<CommandFolder> {
    const root = await realpath(await mkdtemp(path.join(tmpdir(), "fe-cli-")));
    const folder = new CommandFolder(root);
    await mkdir(folder.path);
    await mkdir(folder.dataPath, { mode: 0o700 });
    return folder;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    removeFolder(this.#root);
  }

  /** Absolute path of a name in the folder. */
  file(name: string): string {
    return path.join(this.path, name);
  }

  async write(name: string, content: string | Uint8Array): Promise<string> {
    await writeFile(this.file(name), content);
    return this.file(name);
  }

  /** Gives everything to another user, so that the command can run as that one. */
  async giveTo(uid: number): Promise<void> {
    const names = await readdir(this.#root, { recursive: true });
    for (const name of ["", ...names]) await chown(path.join(this.#root, name), uid, uid);
  }

  fe(parameters: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
    // Nothing of the environment that leads to the store of whoever runs the tests.
    const environment = {
      HOME: this.#root,
      FE_USER_DATA_DIR: this.dataPath,
      ...options.environment,
    };
    return runCommand(parameters, { ...options, cwd: options.cwd ?? this.path, environment });
  }

  /** Every file in the store: records, lock files, temporary and saved ones. */
  async storeFiles(): Promise<string[]> {
    const entries = await readdir(this.dataPath, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  }
}

/** Runs the command; the environment is that of the options, and PATH. */
export function runCommand(
  parameters: readonly string[],
  options: RunOptions = {},
): Promise<CommandResult> {
  const { promise, resolve, reject } = promiseParts<CommandResult>();
  const [program = "", ...rest] = [
    ...(options.through ?? []),
    process.execPath,
    options.program ?? command,
  ];
  const child = spawn(program, [...rest, ...parameters], {
    env: { PATH: process.env.PATH, ...options.environment },
    timeout: limitMs,
    killSignal: "SIGKILL",
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  const { kill } = options;
  const timer = kill && setTimeout(() => child.kill(kill.signal), kill.afterMs);
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  if (options.closedOutput === true) child.stdout.destroy();
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  child.on("error", reject);
  child.on("close", (exit, signal) => {
    clearTimeout(timer);
    resolve({
      exit,
      signal,
      out: Buffer.concat(out).toString(),
      err: Buffer.concat(err).toString(),
    });
  });
  child.stdin.on("error", () => {});
  child.stdin.end(options.input ?? "");
  return promise;
}

function promiseParts<T>(): {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: Error) => void;
} {
  let resolve: (value: T) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

/** State of a file; `undefined` if there is none, or if it is not a regular one. */
export async function fileState(file: string): Promise<FileState | undefined> {
  const status = await lstat(file, { bigint: true }).catch(() => undefined);
  if (status === undefined || !status.isFile()) return undefined;
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return {
    sha256: hash.digest("hex"),
    sizeBytes: status.size,
    inode: status.ino,
    mode: status.mode,
    modifiedNs: status.mtimeNs,
  };
}

/** Parameters of an edit that replaces one text by another. */
export function replace(
  file: string,
  oldString: string,
  newString: string,
  ...more: readonly string[]
): string[] {
  return ["edit", file, `--old-string=${oldString}`, `--new-string=${newString}`, ...more];
}
