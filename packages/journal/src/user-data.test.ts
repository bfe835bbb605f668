import type { ProcessEnvironment } from "@fe/native";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resolveUserDataDirectory, UserDataError } from "./index.ts";

type Variables = Readonly<Record<string, string | undefined>>;

const linux = (variables: Variables = {}): ProcessEnvironment => ({
  platform: "linux",
  homeDirectory: "/home/user",
  variables,
});
const darwin: ProcessEnvironment = {
  platform: "darwin",
  homeDirectory: "/Users/user",
  variables: {},
};
const windows = (variables: Variables = {}): ProcessEnvironment => ({
  platform: "win32",
  homeDirectory: "C:\\Users\\user",
  variables,
});

/** Has the members of Electron's `app`, with the paths that its documentation gives. */
function electronApp(
  { platform, homeDirectory, variables }: ProcessEnvironment,
  name: string,
): { readonly name: string; getPath(name: "appData" | "userData"): string } {
  const appData = {
    linux: variables.XDG_CONFIG_HOME ?? `${homeDirectory}/.config`,
    darwin: `${homeDirectory}/Library/Application Support`,
    win32: variables.APPDATA ?? "",
  }[platform];
  const separator = platform === "win32" ? "\\" : "/";
  return {
    name,
    getPath: (which) => (which === "appData" ? appData : `${appData}${separator}${name}`),
  };
}

describe("resolveUserDataDirectory()", () => {
  test.each([
    ["Linux", linux(), "/home/user/.config/fe"],
    ["Linux with XDG_CONFIG_HOME", linux({ XDG_CONFIG_HOME: "/x" }), "/x/fe"],
    ["Linux, relative XDG_CONFIG_HOME", linux({ XDG_CONFIG_HOME: "x" }), "/home/user/.config/fe"],
    ["macOS", darwin, "/Users/user/Library/Application Support/fe"],
    ["Windows", windows({ APPDATA: "D:\\Roaming" }), "D:\\Roaming\\fe"],
    ["Windows without APPDATA", windows(), "C:\\Users\\user\\AppData\\Roaming\\fe"],
  ])("S31 follows the rule of the platform: %s", (_, environment, wanted) => {
    expect(resolveUserDataDirectory(environment)).toBe(wanted);
  });

  test("S31 gives desktop, command line and daemon of one profile the same directory", () => {
    const desktop = resolveUserDataDirectory(linux(), {
      electronAppData: "/home/user/.config",
      appName: "My Editor",
      profile: "work",
    });
    const commandLine = resolveUserDataDirectory(linux(), {
      appName: "My Editor",
      profile: "work",
    });
    const daemon = resolveUserDataDirectory(
      linux({ FE_APP_NAME: "My Editor", FE_PROFILE: "work" }),
    );
    expect(desktop).toBe("/home/user/.config/My Editor/profiles/work");
    expect(commandLine).toBe(desktop);
    expect(daemon).toBe(desktop);
  });

  test.each([
    ["Linux", linux()],
    ["Linux with XDG_CONFIG_HOME", linux({ XDG_CONFIG_HOME: "/x" })],
    ["macOS", darwin],
    ["Windows", windows({ APPDATA: "D:\\Roaming" })],
  ])("S31 finds without Electron what Electron's app.getPath says: %s", (_, environment) => {
    const app = electronApp(environment, "My Editor");
    for (const profile of ["default", "work"]) {
      const named = { appName: app.name, profile };
      const desktop = { ...named, electronAppData: app.getPath("appData") };
      const found = resolveUserDataDirectory(environment, desktop);
      expect(resolveUserDataDirectory(environment, named)).toBe(found);
      const variables = { ...environment.variables, FE_APP_NAME: app.name, FE_PROFILE: profile };
      expect(resolveUserDataDirectory({ ...environment, variables })).toBe(found);
      // Electron has no profiles; the default one is its own directory.
      if (profile === "default") expect(found).toBe(app.getPath("userData"));
      else expect(found.startsWith(app.getPath("userData"))).toBe(true);
    }
  });

  test("S31 asks option, then FE_USER_DATA_DIR, then Electron, then the platform", () => {
    const environment = linux({ FE_USER_DATA_DIR: "/from/variable" });
    const electronAppData = "/from/electron";
    const userDataDirectory = "/from/option";
    const all = { userDataDirectory, electronAppData };
    expect(resolveUserDataDirectory(environment, all)).toBe("/from/option");
    expect(resolveUserDataDirectory(environment, { electronAppData })).toBe("/from/variable");
    expect(resolveUserDataDirectory(linux(), { electronAppData })).toBe("/from/electron/fe");
    const empty = linux({ FE_USER_DATA_DIR: "", FE_APP_NAME: "", FE_PROFILE: "" });
    expect(resolveUserDataDirectory(empty)).toBe("/home/user/.config/fe");
  });

  test("S31 an explicit directory takes no app name, but a profile", () => {
    const options = { userDataDirectory: "/data/", appName: "x", profile: "p" };
    expect(resolveUserDataDirectory(linux(), options)).toBe("/data/profiles/p");
  });

  test.each([
    ["default", "/d"],
    ["work", "/d/profiles/work"],
    ["a.b_c-1", "/d/profiles/a.b_c-1"],
    ["Work", "/d/profiles/work-104ab921"],
    ["Default", "/d/profiles/default-21b111cb"],
    ["a/b", "/d/profiles/a-b-c14cddc0"],
    ["../../etc", "/d/profiles/..-..-etc-74ccf3c5"],
  ])("S31 profile %j is %s", (profile, wanted) => {
    const options = { userDataDirectory: "/d", profile };
    expect(resolveUserDataDirectory(linux(), options)).toBe(wanted);
  });

  test("S31 two profile ids never share a directory, and none leaves the root", () => {
    const id = fc
      .string({ unit: "binary", minLength: 1, maxLength: 90 })
      .filter((text) => !text.endsWith("."));
    const resolve = (profile: string): string | undefined => {
      try {
        return resolveUserDataDirectory(linux(), { userDataDirectory: "/d", profile });
      } catch (error) {
        if (error instanceof UserDataError) return undefined;
        throw error;
      }
    };
    fc.assert(
      fc.property(id, id, (one, other) => {
        const first = resolve(one);
        if (one !== other && first !== undefined) expect(resolve(other)).not.toBe(first);
        expect(first ?? "/d/profiles/x").toMatch(/^\/d(?:$|\/profiles\/[a-z0-9._-]{1,73}$)/);
      }),
    );
    expect(resolve("x".repeat(65))).not.toBe(resolve("x".repeat(66)));
  });

  test.each(["", ".", "..", "a.", "con", "NUL", "com1.txt", "LPT9", "aux.", "conin$"])(
    "S31 refuses profile and app name %j on every system",
    (bad) => {
      for (const environment of [linux(), darwin, windows()]) {
        for (const options of [{ profile: bad }, { appName: bad }]) {
          expect(() => resolveUserDataDirectory(environment, options)).toThrow(UserDataError);
        }
      }
    },
  );

  test.each(["a/b", "a\\b", "a:b", "a\0b", "a\nb", "x".repeat(65)])(
    "refuses app name %j, which names no directory on some system",
    (appName) => {
      expect(() => resolveUserDataDirectory(linux(), { appName })).toThrow(UserDataError);
    },
  );

  test("refuses a directory that is not absolute, with a hint", () => {
    for (const options of [{ userDataDirectory: "data" }, { electronAppData: "data" }]) {
      expect(() => resolveUserDataDirectory(linux(), options)).toThrow("not an absolute path");
    }
    const environment = { ...linux(), homeDirectory: "" };
    expect(() => resolveUserDataDirectory(environment)).toThrow(UserDataError);
    expect(() => resolveUserDataDirectory(linux({ FE_USER_DATA_DIR: "x" }))).toThrow(UserDataError);
  });

  test("keeps a root as it is", () => {
    expect(resolveUserDataDirectory(linux(), { userDataDirectory: "/" })).toBe("/");
    expect(resolveUserDataDirectory(windows(), { userDataDirectory: "C:\\" })).toBe("C:\\");
    expect(resolveUserDataDirectory(windows(), { userDataDirectory: "C:/x/" })).toBe("C:\\x");
  });
});
