import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { checkElf, compareVersions, glibcFloor, parseReadelf } from "./prebuilt/elf.mjs";
import { readBuildPlan } from "./prebuilt/gyp.mjs";
import { machinePaths } from "./prebuilt/machine-paths.mjs";
import { fileName, targets } from "./prebuilt/targets.mjs";

const root = path.resolve(import.meta.dirname, "..");
const read = (name: string): string => readFileSync(path.join(root, name), "utf8");
const gyp = read("native/binding.gyp");
const goodGlibc = read("scripts/test/fixtures/glibc.readelf");
const [glibc, musl] = targets;

describe("readBuildPlan()", () => {
  test("B13 takes the sources and flags of a system from binding.gyp", () => {
    const plan = readBuildPlan(gyp, "linux");
    expect(plan.name).toBe("fe_native");
    expect(plan.sources).toEqual(expect.arrayContaining(["src/addon.cc", "src/walk_linux.cc"]));
    expect(plan.defines).toContain("NAPI_VERSION=9");
    expect(plan.flags).toContain("-Werror");
    expect(plan.flags.join()).not.toContain("sanitize");
    expect(plan.cxxFlags).toEqual(["-std=c++20"]);
    expect(readBuildPlan(gyp, "win").sources).not.toContain("src/walk_linux.cc");
    const forMacos = readBuildPlan(gyp, "mac").sources;
    expect(forMacos).toEqual(expect.arrayContaining(["src/walk_darwin.cc", "src/lock_posix.cc"]));
    expect(forMacos.join()).not.toContain("_linux");
  });

  test("takes the other branch of a condition that does not hold", () => {
    const text = `{ "targets": [{ "target_name": "a",
      # a comment
      "conditions": [["OS!='win'", { "sources": ["posix"] }, { "sources": ["win"] }]] }] }`;
    expect(readBuildPlan(text, "linux").sources).toEqual(["posix"]);
    expect(readBuildPlan(text, "win").sources).toEqual(["win"]);
  });

  test("refuses a condition that it does not understand", () => {
    const text = `{ "targets": [{ "conditions": [["OS in ['a']", {}]] }] }`;
    expect(() => readBuildPlan(text, "linux")).toThrow("unknown condition");
  });
});

/** `name/count` of each function that is declared or defined at the start of a line. */
function functionsIn(text: string, end: RegExp): Set<string> {
  const head = /^(?:[A-Za-z][\w:<>, ]*[ >&*])([A-Z]\w+)\(/gmu;
  const found = new Set<string>();
  for (const { 0: all, 1: name, index } of text.matchAll(head)) {
    const rest = text.slice(index + all.length);
    const close = rest.search(end);
    const between = close === -1 ? "" : rest.slice(0, close);
    if (close === -1 || /[;{}]/u.test(between)) continue;
    const count = between.trim() === "" ? 0 : between.split(",").length;
    found.add(`${name}/${count}`);
  }
  return found;
}

// Nobody compiles for macOS in daily work, so what the others need of it is compared as text.
describe("os.h", () => {
  const declared = functionsIn(read("native/src/os.h"), /\)\s*;/u);
  const missingIn = (sources: readonly string[]): string[] => {
    const ofSystem = sources.filter((source) => !source.includes("/js_"));
    const texts = ofSystem.map((source) => functionsIn(read(`native/${source}`), /\)\s*\{/u));
    const defined = new Set(texts.flatMap((names) => [...names]));
    return [...declared].filter((one) => !defined.has(one));
  };

  test.each(["linux", "mac"] as const)("has all its functions on %s", (system) => {
    expect(declared.size).toBeGreaterThan(30);
    expect(missingIn(readBuildPlan(gyp, system).sources)).toEqual([]);
  });

  test("lacks those of a file that is not listed", () => {
    const { sources } = readBuildPlan(gyp, "mac");
    const others = sources.filter((source) => !source.endsWith("flush_darwin.cc"));
    expect(missingIn(others)).toEqual(["Flush/1"]);
  });
});

// Nor for musl. What its headers do not name, though glibc's do, is known from files that failed.
test("B13 the sources for Linux name nothing that musl lacks", () => {
  const lacking = /\b(?:off64_t|loff_t|\w+64(?= ?\()|error_t|TEMP_FAILURE_RETRY|gnu_\w+)/u;
  expect("static_cast<off64_t>(position)").toMatch(lacking);
  for (const source of readBuildPlan(gyp, "linux").sources) {
    const code = read(`native/${source}`).replaceAll(/\/\/.*$/gmu, "");
    expect(lacking.exec(code)?.[0], source).toBeUndefined();
  }
});

describe("checkElf()", () => {
  const check = (text: string, target = glibc, sizeBytes = 400_000): string => {
    if (target === undefined) throw new Error("no target");
    return checkElf(parseReadelf(text), target, sizeBytes).join("\n");
  };
  const withSymbol = (text: string): string =>
    `${goodGlibc}   200: 0000000000000000     0 ${text}\n`;

  test("B13 is content with a file for glibc 2.28 or older", () => {
    expect(glibcFloor(parseReadelf(goodGlibc))).toBe("2.17");
    expect(check(goodGlibc)).toBe("");
  });

  test("B13 refuses a file that needs a newer glibc than 2.28", () => {
    const newer = goodGlibc.replaceAll("GLIBC_2.17", "GLIBC_2.29");
    expect(check(newer)).toBe("needs glibc 2.29, not 2.28");
    expect(check(goodGlibc.replaceAll("GLIBC_2.17", "GLIBC_2.28"))).toBe("");
  });

  test("B13 refuses the system's C++ library, by name or by symbol", () => {
    const library = "(NEEDED)             Shared library: [libm.so.6]";
    expect(check(goodGlibc.replace(library, library.replace("libm.so.6", "libstdc++.so.6")))).toBe(
      "needs the libraries libstdc++.so.6",
    );
    expect(check(goodGlibc.replaceAll("GLIBC_2.14", "GLIBCXX_3.4.29"))).toBe(
      "needs GLIBCXX_3.4.29 of the system's C++ library",
    );
  });

  test("refuses a file that shows more than its entry", () => {
    expect(check(withSymbol("FUNC    WEAK   DEFAULT   15 _ZdlPv"))).toContain("exports _ZdlPv,");
  });

  test("refuses a symbol that nobody is known to have", () => {
    expect(check(withSymbol("FUNC    GLOBAL DEFAULT  UND uv_run"))).toContain("needs uv_run");
    expect(check(withSymbol("FUNC    GLOBAL DEFAULT  UND napi_throw"))).toBe("");
  });

  test("refuses another processor, an executable stack, and a file that is too large", () => {
    expect(check(goodGlibc.replace("Advanced Micro Devices X86-64", "AArch64"))).toContain(
      "AArch64",
    );
    expect(check(goodGlibc.replace(/(GNU_STACK.*)RW /u, "$1RWE"))).toContain("executable stack");
    expect(check(goodGlibc, glibc, 9_000_000)).toContain("9000000 bytes");
  });

  test("B13 refuses, for musl, a file for glibc, and functions that older musl lacks", () => {
    expect(check(goodGlibc, musl)).toContain("which musl lacks");
    expect(check(withSymbol("FUNC    GLOBAL DEFAULT  UND statx"), musl)).toContain("needs statx,");
  });
});

test("compareVersions() orders by number", () => {
  const sorted = ["GLIBC_2.2.5", "GLIBC_2.4", "GLIBC_2.17"];
  expect([...sorted].reverse().sort(compareVersions)).toEqual(sorted);
});

test("B13 the files have names that node-gyp-build tells apart", () => {
  expect(targets.map(fileName)).toEqual([
    "linux-x64/@fe+native.glibc.node",
    "linux-x64/@fe+native.musl.node",
    "linux-arm64/@fe+native.glibc.node",
    "linux-arm64/@fe+native.musl.node",
    "darwin-arm64/@fe+native.node",
    "darwin-x64/@fe+native.node",
    "win32-x64/@fe+native.node",
  ]);
});

test("machinePaths() finds a path between other bytes", () => {
  const content = Buffer.from("\0\0/home/ada/x.cc\0");
  expect(machinePaths(content, ["/home/"]).join()).toContain("/home/ada/x.cc");
  expect(machinePaths(content, ["/root/"])).toEqual([]);
});
