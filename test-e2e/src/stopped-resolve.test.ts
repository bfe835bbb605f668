// A resolution that a signal meets, and one on a disk that is really full.
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { abilities } from "../../native/test/abilities.ts";
import { CommandFolder } from "./harness/command.ts";
import { mountMemory, unmountAll } from "./harness/mounts.ts";
import { killedEdit } from "./harness/stopped-edit.ts";

let folder: CommandFolder;

beforeEach(async () => {
  folder = await CommandFolder.create();
});

afterEach(async () => {
  unmountAll();
  await folder[Symbol.asyncDispose]();
});

/** Leaves a file of which an edit had written most, and its record; returns the id. */
async function killedMidway(path: string, before: string): Promise<string> {
  await writeFile(path, before);
  const edit = { oldString: "needle", newString: "a long pin" };
  const options = { exclusive: "off" } as const;
  const stop = { at: "target.overwrite", partBytes: before.length - 1000 };
  await killedEdit({ path, userData: folder.dataPath, edit, options, ...stop });
  const [record] = await records();
  return record?.id ?? "";
}

async function records(): Promise<readonly { readonly id: string }[]> {
  const { out } = await folder.fe(["recovery", "list", "--json"]);
  return JSON.parse(out).records;
}

/**
 * Sends a signal to its own process: as soon as the file changes, or as soon as the place of saved
 * bytes is there. It looks between any two turns of the event loop.
 */
const sender = `
const fs = require("node:fs");
const { SIGNAL, WHEN, FILE, SAVED, SENT, DEAF } = process.env;
const changed = () => fs.statSync(FILE, { bigint: true }).mtimeNs;
const first = changed();
const look = () => {
  if (WHEN === "written" ? changed() === first : !fs.existsSync(SAVED)) return setImmediate(look);
  fs.writeFileSync(SENT, "");
  if (DEAF) process.removeAllListeners(SIGNAL);
  process.kill(process.pid, SIGNAL);
};
setImmediate(look).unref();
`;

describe.skipIf(!abilities.signals)("fe recovery resolve that a signal meets", () => {
  const before = `needle\n${"0123456789abcde\n".repeat(1_500_000)}`;

  async function resolveWith(settings: Readonly<Record<string, string>>) {
    const path = folder.file("f");
    const id = await killedMidway(path, before);
    const hook = await folder.write("sender.cjs", sender);
    const sent = folder.file("sent");
    const environment = {
      ...{ NODE_OPTIONS: `--require=${hook}`, FILE: path, SENT: sent },
      ...{ SAVED: `${folder.dataPath}/edit-recovery/saved`, WHEN: "written", SIGNAL: "SIGINT" },
      ...settings,
    };
    const torn = await readFile(path, "utf8");
    const resolve = ["recovery", "resolve", id, "--keep", "before"];
    const result = await folder.fe(resolve, { environment });
    expect(existsSync(sent), result.err).toBe(true);
    return { path, torn, resolve, result };
  }

  it.each(["SIGINT", "SIGTERM", "SIGHUP"])(
    "B15 goes to its end in its writing (%s)",
    async (SIGNAL) => {
      const { path, result } = await resolveWith({ SIGNAL });
      expect(result).toMatchObject({ exit: 0, signal: null });
      expect(await readFile(path, "utf8")).toBe(before);
      expect(await records()).toEqual([]);
    },
  );

  it("B15 would end without a word, and leave the record, if it did not listen", async () => {
    const { path, torn, resolve, result } = await resolveWith({ DEAF: "yes" });
    expect(result).toMatchObject({ signal: "SIGINT", out: "", err: "" });
    expect((await readFile(path, "utf8")) === torn).toBe(false);
    expect(await records()).toHaveLength(1);
    expect((await folder.fe(resolve)).exit).toBe(0);
    expect(await records()).toEqual([]);
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 143],
  ])("B15 changes nothing before its writing, and says so (%s)", async (SIGNAL, exit) => {
    const { path, torn, result } = await resolveWith({ SIGNAL, WHEN: "saved" });
    expect([result.exit, result.signal]).toEqual([exit, null]);
    expect(result.err).toMatch(/^error FE_ABORTED: .*\nhint: Nothing was changed\n$/u);
    expect(result.err).toContain(`${SIGNAL} stopped it`);
    expect(await readFile(path, "utf8")).toBe(torn);
    expect(await records()).toHaveLength(1);
  });
});

describe("fe recovery resolve on a full disk", () => {
  it("B10 exits with 1 and FE_NO_SPACE, file as it was, record kept", async (context) => {
    const mount = folder.file("small");
    await mkdir(mount);
    mountMemory(context, mount, 1024);
    const path = `${mount}/f`;
    const id = await killedMidway(path, `needle\n${"x".repeat(100_000)}\n`);
    const merged = await folder.write("merged", "y".repeat(700_000));
    await writeFile(`${mount}/other`, "z".repeat(600_000));
    const torn = await readFile(path);
    const resolve = ["recovery", "resolve", id, "--with", merged];
    const result = await folder.fe([...resolve, "--json"]);
    expect(result.exit).toBe(1);
    expect(JSON.parse(result.out).error).toMatchObject({ code: "FE_NO_SPACE", effect: "none" });
    expect((await readFile(path)).equals(torn)).toBe(true);
    await writeFile(`${mount}/other`, "");
    expect((await folder.fe(resolve)).exit).toBe(0);
    expect(await readFile(path, "utf8")).toBe("y".repeat(700_000));
  });
});
