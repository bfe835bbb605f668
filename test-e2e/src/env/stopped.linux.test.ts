// A process that is stopped (SIGSTOP) while it keeps others out of a file: the kernel lets them in
// after `lease-break-time`, and the edit notices when it goes on.
//
// Method: real processes; a shell that appends a line is the other program. As root the setting is
// made the shortest that is used at all, and put back.
// Fault model: the process does not run for longer than the kernel waits.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CommandFolder, replace } from "../harness/command.ts";
import { type StopPlan, type StoppedEdit, stoppedEdit } from "../harness/stopped-edit.ts";

const setting = "/proc/sys/fs/lease-break-time";
/** Below this no exclusion is offered (lease_linux.cc). */
const shortestMs = 5_000;
/** What a busy machine may take on top to start a shell and to let it run. */
const slackMs = 15_000;

let breakMs = 0;
let asFound: string | undefined;
let folder: CommandFolder;
let edit: StoppedEdit | undefined;

beforeAll(() => {
  const found = readFileSync(setting, "utf8");
  breakMs = 1000 * Number(found);
  if (breakMs <= shortestMs || process.getuid?.() !== 0) return;
  asFound = found;
  writeFileSync(setting, String(shortestMs / 1000));
  breakMs = shortestMs;
});

afterAll(() => {
  if (asFound !== undefined) writeFileSync(setting, asFound);
});

beforeEach(async () => {
  folder = await CommandFolder.create();
});

afterEach(async () => {
  await edit?.kill();
  edit = undefined;
  await folder[Symbol.asyncDispose]();
});

/** Stops an edit at a call, lets the other program append, and says how long that took. */
async function appendWhileStopped(plan: Partial<StopPlan> & Pick<StopPlan, "at">): Promise<{
  readonly path: string;
  readonly tookMs: number;
}> {
  const path = await folder.write("f", "one two\n");
  edit = await stoppedEdit({
    path,
    userData: folder.dataPath,
    edit: { oldString: "one", newString: "ONE" },
    ...plan,
  });
  process.kill(edit.pid, "SIGSTOP");
  const startedMs = performance.now();
  const append = spawn("sh", ["-c", 'printf "from outside\\n" >> "$1"', "sh", path]);
  await once(append, "close");
  return { path, tookMs: performance.now() - startedMs };
}

async function goOn(): Promise<string> {
  process.kill(edit?.pid ?? 0, "SIGCONT");
  return String(await edit?.goOn());
}

function whyNot(): string | undefined {
  if (breakMs < shortestMs) return `no exclusion is offered with a ${setting} under 5 s`;
  if (breakMs > 2 * shortestMs) return `others would wait for ${breakMs} ms; root shortens it`;
  return undefined;
}

describe("a process that is stopped while it keeps others out", () => {
  it("B2 makes them wait for lease-break-time at most, and ends as a conflict", async (context) => {
    const why = whyNot();
    if (why !== undefined) context.skip(why);
    // After the bytes were compared, before the first one changes.
    const { path, tookMs } = await appendWhileStopped({ at: "os.inspectTarget" });
    expect(tookMs).toBeGreaterThan(breakMs - 1_000);
    expect(tookMs).toBeLessThan(breakMs + slackMs);
    expect(await goOn()).toMatch(/^FE_CONTENT_CHANGED$|^FE_BUSY$/u);
    expect(await readFile(path, "utf8")).toBe("one two\nfrom outside\n");
    expect(await folder.storeFiles()).toEqual([]);
    expect((await folder.fe(replace("f", "one", "ONE"))).exit).toBe(0);
    expect(await readFile(path, "utf8")).toBe("ONE two\nfrom outside\n");
  });

  it("B2 does not say kernel if it was stopped right before its write", async (context) => {
    const why = whyNot();
    if (why !== undefined) context.skip(why);
    const plan = { at: "target.overwrite", tellsExclusion: true };
    const { path, tookMs } = await appendWhileStopped(plan);
    expect(tookMs).toBeLessThan(breakMs + slackMs);
    // What the other program appended makes the file longer than planned, which step 12 sees.
    expect(await goOn()).toBe("FE_OUTCOME_UNKNOWN");
    expect(await readFile(path, "utf8")).toBe("ONE two\nfrom outside\n");
    expect((await folder.storeFiles()).filter((name) => name.endsWith(".fer"))).toHaveLength(1);
  });

  it("B2 keeps nobody waiting without exclusion, so it is the lease that does", async () => {
    const options = { exclusive: "off" } as const;
    const { path } = await appendWhileStopped({ at: "os.inspectTarget", options });
    // It came in while the edit was stopped, and so does a look that does not wait.
    expect(await readFile(path, "utf8")).toBe("one two\nfrom outside\n");
    expect(await goOn()).toBe("FE_CONTENT_CHANGED");
  });
});
