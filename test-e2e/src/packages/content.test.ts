/** What is in the packed packages: all that a consumer needs, and nothing else. */
import { execFileSync } from "node:child_process";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { Results } from "../harness/results.ts";
import { given, libraries, readPackages } from "./tarballs.ts";

const packages = readPackages();
const results = new Results("packages");
const names = ["@fe/cli", "@fe/engine", "@fe/journal", "@fe/mcp", "@fe/native", "@fe/reconcile"];
const everywhere = /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|THIRD-PARTY\.md)$/u;
const built = /^dist\/[\w-]+(?:\.d)?\.(?:js|cjs|ts|cts)(?:\.map)?$/u;
const ofPages = /^docs\/(?:errors|platforms|protocol|recovery)\.md$/u;
const ofCommands = /^bin\/(?:[\w-]+\.js|package\.json)$/u;
const ofNative =
  /^(?:binding\.(?:cjs|d\.cts|gyp)|src\/\w+\.(?:cc|h)|prebuilds\/[\w-]+\/[^/]+\.node)$/u;

/** Names of files in a comment; one in quotes is of an example or an import. */
function filesNamed(text: string): string[] {
  return text.match(/(?<!["'\w./-])[\w./-]*\w\.(?:ts|mjs|cjs|cc|h|md|gyp|hex)\b(?!["'(])/gu) ?? [];
}

function linksOf(page: string): { readonly text: string; readonly target: string }[] {
  return [...page.matchAll(/\[([^\]]*)\]\(([^)\s]+)\)/gu)].map(([, text = "", target = ""]) => ({
    text,
    target,
  }));
}

/** Throws, with what the tool found, if that is an error. */
function runCheck(tool: "attw" | "publint", parameters: readonly string[]): string {
  const command = path.join(given("FE_PACKAGE_CHECKS"), ".bin", tool);
  return execFileSync(command, parameters, { encoding: "utf8" });
}

test("D5 all public packages are packed", () => {
  expect(packages.map(({ name }) => name)).toEqual(names);
});

describe.each(packages)("$name", ({ name, tarball, sizeBytes, files, manifest }) => {
  test("D5 has a licence, a page and the Node that it needs", () => {
    const unpacked = [...files.values()].reduce((sum, { length }) => sum + length, 0);
    const sizes = { name, packedBytes: sizeBytes, unpackedBytes: unpacked };
    results.add(`size of ${name}`, sizes);
    const size = `${Math.ceil(sizeBytes / 1024)} KiB packed, ${Math.ceil(unpacked / 1024)} KiB`;
    console.log(`${name}: ${size} in ${files.size} files`);
    expect([...files.keys()]).toEqual(expect.arrayContaining(["LICENSE", "README.md"]));
    expect(manifest).toMatchObject({ license: "MIT", engines: { node: ">=20.19" } });
  });

  test("D5 holds no tests and no sources but those of the addon", () => {
    const wanted = [everywhere, built, ofPages, ...(manifest.bin ? [ofCommands] : [])];
    if (name === "@fe/native") wanted.push(ofNative);
    const unwanted = [...files.keys()].filter((file) => !wanted.some((form) => form.test(file)));
    expect(unwanted).toEqual([]);
  });

  test("D5 its types name no file that is not in it", () => {
    const types = [...files].filter(([file]) => /\.d\.c?ts$/u.test(file));
    const missing = types.flatMap(([file, content]) =>
      filesNamed(content.toString())
        .filter((named) => !files.has(named))
        .map((named) => `${file}: ${named}`),
    );
    expect(missing).toEqual([]);
  });

  test("D5 the links of its pages lead to what is installed, or say that they do not", () => {
    const pages = [...files].filter(([file]) => /^(?:README|docs\/\w+)\.md$/u.test(file));
    const dead = pages.flatMap(([file, content]) =>
      linksOf(content.toString())
        .filter(({ text, target }) => !leads(file, text, target))
        .map(({ target }) => `${file}: ${target}`),
    );
    expect(dead).toEqual([]);
  });

  /** Whether a consumer finds what is linked, or is told that it is not here. */
  function leads(page: string, text: string, target: string): boolean {
    const [goal = ""] = target.split("#");
    if (goal === "" || /^https?:/u.test(goal) || text.endsWith("of the repository")) return true;
    if (files.has(path.posix.join(path.posix.dirname(page), goal))) return true;
    // In the repository the pages stand once, above the packages.
    const shared =
      page === "README.md" ? /^(?:\.\.\/)+(docs\/[\w-]+\.md)$/u.exec(goal)?.[1] : undefined;
    if (shared !== undefined) return files.has(shared);
    const neighbour = /^\.\.\/(\w+)\/README\.md$/u.exec(goal)?.[1];
    return manifest.dependencies?.[`@fe/${neighbour}`] !== undefined;
  }

  test("D5 names no place of the machine that made it, nor its registry", () => {
    const registry = new URL(execFileSync("npm", ["config", "get", "registry"]).toString().trim());
    const workspace = path.resolve(import.meta.dirname, "..", "..", "..");
    const places = [
      workspace,
      `${homedir()}/`,
      `${tmpdir()}/`,
      registry.host,
      "registry.npmjs.org",
    ];
    const found = [...files].flatMap(([file, content]) =>
      places.filter((place) => content.includes(place)).map((place) => `${file}: ${place}`),
    );
    expect(found).toEqual([]);
  });

  test("D5 depends on the other packages by range, and on all else by exact version", () => {
    const versions = new Map(packages.map((other) => [other.name, other.manifest.version]));
    for (const [other, range] of Object.entries(manifest.dependencies ?? {})) {
      const version = versions.get(other);
      if (version !== undefined) expect(range, other).toBe(`^${version}`);
      else expect(range, other).toMatch(/^\d+\.\d+\.\d+$/u);
    }
  });

  test("D5 satisfies publint", () => {
    expect(runCheck("publint", [tarball, "--strict"])).toContain("All good!");
  });
});

describe.each(libraries(packages))("$name", ({ tarball }) => {
  test("D5 gives right types to every way of resolving it", () => {
    expect(runCheck("attw", [tarball, "--format", "ascii"])).toContain("No problems found");
  });
});

test("D2 B13 the addon's prebuilt file is packed, by the name that node-gyp-build finds", () => {
  const native = packages.find(({ name }) => name === "@fe/native");
  const prebuilt = [...(native?.files ?? [])].filter(([file]) => file.endsWith(".node"));
  for (const [file, { length }] of prebuilt) console.log(`${file}: ${length} bytes`);
  const libc = process.platform === "linux" ? "\\.(?:glibc|musl)" : "";
  const form = `^prebuilds/${process.platform}-${process.arch}/@fe\\+native${libc}\\.node$`;
  expect(prebuilt.map(([file]) => file)).toContainEqual(expect.stringMatching(new RegExp(form)));
});
