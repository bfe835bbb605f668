// Programs that meet at one profile, and those of two profiles, which do not (S31).
//
// Method: a desktop program (the library with Electron's `appData`), a daemon (the library with
// nothing but its environment) and the command, each a process of its own, in one home directory.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommandFolder, replace } from "./harness/command.ts";
import { editOf, endOwners, killedOwner, Owner, type OwnerPlan } from "./harness/owner.ts";

const require = createRequire(import.meta.url);
const command = path.join(path.dirname(require.resolve("@fe/cli/package.json")), "bin", "fe.js");

const appName = "My Editor";
const before = "one two three\n";

let folder: CommandFolder;
let file: string;
let env: Record<string, string>;

beforeEach(async () => {
  folder = await CommandFolder.create();
  file = await folder.write("f", before);
  // The second is where Windows keeps what the first leads to elsewhere.
  const APPDATA = path.join(folder.dataPath, ".config");
  env = { PATH: process.env.PATH ?? "", HOME: folder.dataPath, APPDATA };
});

afterEach(async () => {
  await endOwners();
  await folder[Symbol.asyncDispose]();
});

/** The library in an Electron program, whose `app` is of this shape. */
function desktopPlan(profile: string, more: Partial<OwnerPlan> = {}): OwnerPlan {
  const app = { name: appName, getPath: () => path.join(folder.dataPath, ".config") };
  const engine = { electronAppData: app.getPath(), appName: app.name, profile };
  const edit = { oldString: "one", newString: "1" };
  return { path: file, userData: "", edit, engine, ...more };
}

/** The command, told the app's name and the profile. */
function fe(
  profile: string,
  ...parameters: readonly string[]
): { exit: number | null; out: string } {
  const options = ["--app", appName, "--profile", profile, "--json"];
  const { status, stdout } = spawnSync(process.execPath, [command, ...parameters, ...options], {
    cwd: folder.path,
    env,
    encoding: "utf8",
  });
  return { exit: status, out: stdout };
}

describe("desktop, command and daemon", () => {
  it.each(["default", "work"])("S31 S9 of profile %s exclude each other", async (profile) => {
    const desktop = await new Owner(desktopPlan(profile, { stops: [{ at: "target.overwrite" }] }), {
      env,
    }).stopped();
    const refused = fe(profile, ...replace(file, "two", "2"));
    expect(JSON.parse(refused.out).error.code).toBe("FE_BUSY");
    const daemonEnv = { ...env, FE_APP_NAME: appName, FE_PROFILE: profile };
    const edit = { oldString: "three", newString: "3" };
    const plan = { path: file, userData: "", edit, engine: {} };
    expect((await editOf(plan, { env: daemonEnv })).status).toBe("FE_BUSY");
    expect((await desktop.finish()).status).toBe("applied");
    expect(fe(profile, ...replace(file, "two", "2")).exit).toBe(0);
    expect((await editOf(plan, { env: daemonEnv })).status).toBe("applied");
    expect(readFileSync(file, "utf8")).toBe("1 2 3\n");
  });

  it("S31 of one profile see each other's records, of another profile none", async () => {
    await killedOwner(desktopPlan("work"), { env });
    const listed = (profile: string): unknown[] =>
      JSON.parse(fe(profile, "recovery", "list").out).records;
    expect(listed("work")).toMatchObject([{ path: file, phase: "prepared" }]);
    expect(listed("default")).toEqual([]);
    expect(listed("Work")).toEqual([]);
    const other = fe("default", ...replace(file, "two", "2"));
    expect(JSON.parse(other.out)).toMatchObject({ status: "applied" });
    expect(JSON.parse(other.out).recovered).toBeUndefined();
    // The record of the first profile is as it was; the file is neither of its versions now.
    const same = fe("work", ...replace(file, "three", "3"));
    expect(JSON.parse(same.out)).toMatchObject({ status: "recovery_required" });
  });
});
