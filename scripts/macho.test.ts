import { readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { checkMacho, parseMacho } from "./prebuilt/macho.mjs";
import { type Target, targets } from "./prebuilt/targets.mjs";

/**
 * Two functions in C that call `napi_throw`, `getenv` and `strlen`, compiled with `zig cc -target
 * aarch64-macos.11.0 -shared -O2 -s -Wl,-undefined,dynamic_lookup`, and the same for x86_64.
 */
const recorded = (arch: string): Buffer => {
  const name = `test/fixtures/darwin-${arch}.macho.gz.base64`;
  const text = readFileSync(path.join(import.meta.dirname, name), "latin1");
  return gunzipSync(Buffer.from(text, "base64"));
};
const arm64 = recorded("arm64");
const targetOf = (name: string): Target => {
  const target = targets.find((one) => one.name === name);
  if (target === undefined) throw new Error(name);
  return target;
};
const forArm64 = targetOf("darwin-arm64");
const good = parseMacho(arm64);
const check = (change: Partial<typeof good> = {}, target = forArm64, sizeBytes = 50_000): string =>
  checkMacho({ ...good, ...change }, target, sizeBytes).join("\n");

describe("parseMacho()", () => {
  test("B13 reads what a file for arm64 says of itself", () => {
    expect(good).toEqual({
      machine: "arm64",
      oldestSystem: "11.0",
      isSigned: true,
      libraries: ["/usr/lib/libSystem.B.dylib"],
      searchPaths: [],
      exported: [
        "__dso_handle",
        "_mh_dylib_header",
        "napi_register_module_v1",
        "node_api_module_get_api_version_v1",
      ],
      fromLibraries: ["dyld_stub_binder", "getenv", "strlen"],
      fromAnywhere: ["napi_throw"],
    });
  });

  test("B13 reads what a file for x64 says of itself", () => {
    const { machine, isSigned, fromAnywhere, exported } = parseMacho(recorded("x64"));
    expect({ machine, isSigned, fromAnywhere }).toEqual({
      machine: "x86_64",
      isSigned: false,
      fromAnywhere: ["napi_throw"],
    });
    expect(exported).toEqual(good.exported);
  });

  test("finds a name that was changed in the bytes", () => {
    const changed = Buffer.from(
      arm64.toString("latin1").replaceAll("_napi_throw", "_uv_run_xyz"),
      "latin1",
    );
    expect(parseMacho(changed).fromAnywhere).toEqual(["uv_run_xyz"]);
  });

  test("refuses what is no such file, or is cut off", () => {
    expect(() => parseMacho(Buffer.alloc(0))).toThrow("No Mach-O");
    expect(() => parseMacho(Buffer.from("\x7fELF".padEnd(64)))).toThrow("No Mach-O");
    for (const length of [40, 400, 4_000]) {
      expect(() => parseMacho(arm64.subarray(0, length)), `${length}`).toThrow();
    }
  });
});

describe("checkMacho()", () => {
  test("B13 is content with both recorded files", () => {
    expect(check()).toBe("");
    const x64 = targetOf("darwin-x64");
    expect(checkMacho(parseMacho(recorded("x64")), x64, 17_000)).toEqual([]);
  });

  const bad: readonly [string, Partial<typeof good>, string][] = [
    ["another processor", { machine: "x86_64" }, "for x86_64; expected arm64"],
    ["a newer system", { oldestSystem: "14.0" }, "for macOS 14.0; expected 11.0"],
    ["no system", { oldestSystem: "" }, "for macOS of no version; expected 11.0"],
    ["no signature", { isSigned: false }, "is not signed"],
    [
      "the system's C++ library",
      { libraries: [...good.libraries, "/usr/lib/libc++.1.dylib"] },
      "needs the libraries /usr/lib/libc++.1.dylib",
    ],
    ["a folder of this machine", { searchPaths: ["/opt/lib"] }, "looks in /opt/lib"],
    ["more than its entry", { exported: [...good.exported, "_ZN2fe5FlushEi"] }, "exports _ZN2fe5F"],
    ["no entry", { exported: [] }, "does not export napi_register_module_v1, node_api_module_get"],
    ["a symbol of nobody", { fromAnywhere: ["uv_run"] }, "needs uv_run of nobody that is known"],
  ];

  test.each(bad)("B13 refuses %s", (_, change, problem) => {
    expect(check(change)).toContain(problem);
  });

  test("refuses a file that is too large", () => {
    expect(check({}, forArm64, 9_000_000)).toContain("9000000 bytes");
  });
});
