/**
 * Starts the command from what V8 compiled at an earlier edit. That is two fifths of what a short
 * edit costs beside starting Node; see docs/evidence/2026-11-30-start-up-time.md for numbers.
 *
 * C1  What is kept lies in the folder of this package, beside the code that it was made of: who
 *     can write there can change the code itself, so nobody is trusted who was not already. It is
 *     made only where the folder is the user's own, so that root leaves nothing with others.
 * C2  V8 believes what it is given, but for its own version, its flags and the length of the code.
 *     So the file begins with a SHA-256 over the code, the version of Node, and all that follows.
 *     A file that is torn, or of other code, is not used, and the next edit writes it anew.
 * C3  That it cannot be read, written or used changes nothing but the time.
 *
 * Why not `module.enableCompileCache`: Node has it since 22.8, and keeps a quarter as much, since
 * what is compiled late is not in it.
 */
import { createHash } from "node:crypto";
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { Script } from "node:vm";

/** The form of a CommonJS module. */
type Body = (
  exports: object,
  require: NodeJS.Require,
  module: { readonly exports: { main(): Promise<void> } },
) => void;

/** Length of the SHA-256 that the file begins with. */
const digestBytes = 32;

/** The folder of a package, in it. It is not packed, and not in the repository. */
const cacheFolder = "compile-cache";

/** `undefined`: nothing is to be kept. Each version of Node and each system has its own. */
function cacheFileOf(home: string): string | undefined {
  const { env, execArgv, version, platform, arch } = process;
  // Options change what V8 makes of the code; two that alternate would write the file every time.
  const hasOptions = execArgv.length > 0 || (env.NODE_OPTIONS ?? "") !== "";
  const isOff = (env.NODE_DISABLE_COMPILE_CACHE ?? "") !== "";
  if (hasOptions || isOff) return undefined;
  return path.join(home, cacheFolder, `${version}-${platform}-${arch}`);
}

function digestOf(source: Buffer, compiled: Uint8Array): Buffer {
  const { version, platform, arch } = process;
  return createHash("sha256")
    .update(JSON.stringify([version, platform, arch, source.length]))
    .update(source)
    .update(compiled)
    .digest();
}

/** What was kept; `undefined` if there is nothing, or if it is not just what was written (C2). */
function readCompiled(file: string, source: Buffer): Buffer | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    return undefined;
  }
  const compiled = bytes.subarray(digestBytes);
  const isWhole = digestOf(source, compiled).equals(bytes.subarray(0, digestBytes));
  return isWhole ? compiled : undefined;
}

/** C1, C3. No sync and no rename: a file that was cut short is told by its digest. */
function keepCompiled(home: string, file: string, source: Buffer, script: Script): void {
  try {
    const user = process.geteuid?.();
    if (user !== undefined && statSync(home).uid !== user) return;
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o755 });
    // Opened first: where that fails, the data need not be made.
    const fd = openSync(file, "w", 0o644);
    try {
      const compiled = script.createCachedData();
      writeFileSync(fd, Buffer.concat([digestOf(source, compiled), compiled]));
    } catch {
      // On a full disk a piece of it would only take room.
      rmSync(file, { force: true });
    } finally {
      closeSync(fd);
    }
  } catch {
    // The next edit tries again.
  }
}

/**
 * Runs the command of this process; resolves when it has ended. `home` is the folder of this
 * package, and `require` finds what the code needs. Rejects with what the code throws while it
 * loads.
 */
export async function start(home: string, require: NodeJS.Require): Promise<void> {
  const filename = path.join(home, "dist", "main.cjs");
  const source = readFileSync(filename);
  const file = cacheFileOf(home);
  const cachedData = file === undefined ? undefined : readCompiled(file, source);
  // The line of the wrapper is not one of the code.
  const script = new Script(`(function (exports, require, module) {\n${source}\n})`, {
    ...{ filename, lineOffset: -1 },
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  const body: Body = script.runInThisContext();
  const module = { exports: { main: (): Promise<void> => Promise.resolve() } };
  body(module.exports, require, module);
  await module.exports.main();
  const isUsed = cachedData !== undefined && script.cachedDataRejected !== true;
  // After an edit that was made, all is compiled that the next one needs.
  const { argv, exitCode } = process;
  const hasEdited = argv[2] === "edit" && !argv.includes("--dry-run") && exitCode === 0;
  if (file !== undefined && !isUsed && hasEdited) keepCompiled(home, file, source, script);
}
