/** A program that uses the packed packages, on a machine without compiler. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { given, type Packed } from "./tarballs.ts";

/** What building the addon would need one of. */
export const buildTools = [
  "cc",
  "gcc",
  "g++",
  "clang",
  "clang++",
  "c++",
  "make",
  "python3",
  "python",
];

export type Installer = "npm" | "pnpm";

/** `warm`: that of whoever runs the tests; `empty`: a new one. npm only. */
export type Cache = "warm" | "empty";

export interface Install {
  /** By the clock, so other work on the machine counts. */
  readonly seconds: number;
  /** What the installer and its children used; known on Linux alone. */
  readonly processorSeconds: number | undefined;
  /** Packages that are there now. */
  readonly count: number;
}

export interface Result {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

/** An empty folder outside of the workspace, with a PATH and a home of its own. */
export class Consumer implements Disposable {
  readonly path: string;
  readonly #root: string;
  readonly #environment: NodeJS.ProcessEnv;

  constructor() {
    this.#root = realpathSync(mkdtempSync(path.join(tmpdir(), "fe-consumer-")));
    this.path = this.#makeFolder("program");
    const tools = this.#makeFolder("tools");
    for (const [name, file] of toolFiles()) symlinkSync(file, path.join(tools, name));
    // The runner of the tests leaves its own settings there, such as where binaries are. Whom to
    // trust is the machine's: without it, npm may wait for its registry until the time is over.
    const runners = /^(?:npm_|NODE_(?!EXTRA_CA_CERTS$)|VITE)/u;
    const own = Object.entries(process.env).filter(([name]) => !runners.test(name));
    this.#environment = { ...Object.fromEntries(own), PATH: tools };
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  /** The PATH of whatever is run here. */
  get toolsPath(): string {
    return this.#environment.PATH ?? "";
  }

  /** A user-data directory for the edits of the test. */
  get dataPath(): string {
    return path.join(this.#root, "data");
  }

  file(name: string): string {
    return path.join(this.path, name);
  }

  write(name: string, text: string): string {
    writeFileSync(this.file(name), text);
    return this.file(name);
  }

  run(command: string, parameters: readonly string[], environment: NodeJS.ProcessEnv = {}): Result {
    const env = { ...this.#environment, FE_USER_DATA_DIR: this.dataPath, ...environment };
    const options = { cwd: this.path, env, encoding: "utf8", timeout: 110_000 } as const;
    const { status, stdout, stderr, error } = spawnSync(command, parameters, options);
    if (error !== undefined) throw error;
    return { exit: status, out: stdout, err: stderr };
  }

  /** Runs it in Node and returns what it printed; throws if it fails or warns. */
  runText(name: string, text: string, parameters: readonly string[] = []): string {
    const script = this.write(name, text);
    const { exit, out, err } = this.run(process.execPath, [script, ...parameters]);
    if (exit !== 0 || err !== "") throw new Error(`${name} ended with ${exit}:\n${out}${err}`);
    return out.trim();
  }

  /** With install scripts off. */
  install(installer: Installer, packages: readonly Packed[], cache: Cache): Install {
    const start = performance.now();
    const before = processorSecondsOfChildren();
    this.write("package.json", JSON.stringify({ name: "program", version: "1.0.0" }));
    if (installer === "npm") this.#installByNpm(packages, cache);
    else this.#installByPnpm(packages);
    const seconds = (performance.now() - start) / 1000;
    const after = processorSecondsOfChildren();
    const processorSeconds = before && after ? after - before : undefined;
    return { seconds, processorSeconds, count: this.#countInstalled(installer) };
  }

  #installByNpm(packages: readonly Packed[], cache: Cache): void {
    // All in one command, so that their ranges for each other are met by these files.
    const tarballs = packages.map(({ tarball }) => tarball);
    this.#mustSucceed("npm", [
      ...["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"],
      ...(cache === "empty" ? ["--cache", path.join(this.#root, "npm-cache")] : []),
      ...tarballs,
    ]);
  }

  #installByPnpm(packages: readonly Packed[]): void {
    const files = Object.fromEntries(
      packages.map(({ name, tarball }) => [name, `file:${tarball}`]),
    );
    // Otherwise it would ask the registry for what the packages need of each other. JSON is YAML.
    this.write("pnpm-workspace.yaml", JSON.stringify({ overrides: files }));
    this.write("package.json", JSON.stringify({ name: "program", dependencies: files }));
    const store = path.join(this.#root, "store");
    this.#mustSucceed(process.execPath, [
      ...[given("FE_PNPM"), "install", "--ignore-scripts", "--store-dir", store],
      "--prefer-offline",
    ]);
  }

  #countInstalled(installer: Installer): number {
    const modules = this.file("node_modules");
    if (installer === "pnpm") {
      return readdirSync(path.join(modules, ".pnpm")).filter((name) => name.includes("@")).length;
    }
    const lockfile = readFileSync(path.join(modules, ".package-lock.json"), "utf8");
    return Object.keys(JSON.parse(lockfile).packages).length;
  }

  #mustSucceed(command: string, parameters: readonly string[]): void {
    const { exit, out, err } = this.run(command, parameters);
    if (exit !== 0) throw new Error(`${command} ended with ${exit}:\n${out}${err}`);
  }

  #makeFolder(name: string): string {
    const folder = path.join(this.#root, name);
    mkdirSync(folder);
    return folder;
  }
}

/** Of all children of this process that have ended, with their own. Source: proc_pid_stat(5). */
function processorSecondsOfChildren(): number | undefined {
  if (process.platform !== "linux") return undefined;
  const text = readFileSync("/proc/self/stat", "utf8");
  // Behind the name in parentheses: field 3 and on. Fields 16 and 17 count in hundredths.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/** What is left on PATH: Node, npm, and what their start scripts use. */
function toolFiles(): [name: string, file: string][] {
  const found = ["npm", "npx", "sh", "env", "sed", "dirname", "uname", "cat"].map(
    (name): [string, string] => [
      name,
      realpathSync(execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim()),
    ],
  );
  return [["node", process.execPath], ...found];
}
