/** The packed packages that scripts/package-test.mjs has laid out, and what is in them. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export interface Packed {
  readonly name: string;
  readonly tarball: string;
  readonly sizeBytes: number;
  /** Content by name within the package. */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly manifest: Manifest;
}

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly engines?: { readonly node?: string };
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** A place or file that the script named; without it, the tests were not started by the script. */
export function given(name: "FE_TARBALLS" | "FE_PNPM" | "FE_PACKAGE_CHECKS"): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set; run \`npm run test:package\``);
  return value;
}

export function readPackages(): readonly Packed[] {
  const folder = given("FE_TARBALLS");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".tgz"))
    .sort()
    .map((name) => unpack(path.join(folder, name)));
}

/** Those that a program can import. */
export function libraries(packages: readonly Packed[]): readonly Packed[] {
  return packages.filter(({ manifest }) => manifest.exports?.["."] !== undefined);
}

function unpack(tarball: string): Packed {
  const folder = mkdtempSync(path.join(tmpdir(), "fe-unpacked-"));
  try {
    mkdirSync(folder, { recursive: true });
    execFileSync("tar", ["-xzf", tarball, "-C", folder]);
    const root = path.join(folder, "package");
    const files = new Map(filesBelow(root).map((name) => [name, readFileSync(`${root}/${name}`)]));
    const text = files.get("package.json")?.toString();
    if (text === undefined) throw new Error(`${tarball} has no package.json`);
    const manifest: Manifest = JSON.parse(text);
    const sizeBytes = readFileSync(tarball).length;
    return { name: manifest.name, tarball, sizeBytes, files, manifest };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.posix.join(path.relative(folder, entry.parentPath), entry.name))
    .sort();
}
