/** A program that uses the packed packages, on a machine without compiler. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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
    // The runner of the tests leaves its own settings there, such as where binaries are.
    const own = Object.entries(process.env).filter(([name]) => !/^(?:npm_|NODE_|VITE)/u.test(name));
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

  /** With install scripts off. Returns how long it took. */
  install(installer: Installer, packages: readonly Packed[]): number {
    const start = performance.now();
    this.write("package.json", JSON.stringify({ name: "program", version: "1.0.0" }));
    if (installer === "npm") this.#installByNpm(packages);
    else this.#installByPnpm(packages);
    return performance.now() - start;
  }

  #installByNpm(packages: readonly Packed[]): void {
    // All in one command, so that their ranges for each other are met by these files.
    const tarballs = packages.map(({ tarball }) => tarball);
    this.#mustSucceed("npm", [
      ...["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"],
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
