import type { EditProgress, EditResult } from "@fe/engine";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { editResult } from "../../../engine/test/samples.ts";
import { edit, fe } from "../../test/fake-world.ts";
import { ProgressLine, quietMs } from "./progress.ts";

const clear = "\r\u001b[K";
const at = (doneBytes: number, step: EditProgress["step"] = "write"): EditProgress => ({
  ...{ step, doneBytes, totalBytes: 200 },
});

/** A terminal, and what was written to it. */
function terminal(columns = 80) {
  const written: string[] = [];
  const write = (text: string) => void written.push(text);
  return { written, line: { isTerminal: true, columns, write } };
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe("ProgressLine", () => {
  it("shows nothing of an edit that is over soon, and leaves nothing of one that is not", () => {
    const { written, line } = terminal();
    const quick = new ProgressLine(line, "f");
    quick.show(at(1));
    vi.advanceTimersByTime(quietMs - 1);
    quick.show(at(100));
    quick.end();
    vi.advanceTimersByTime(10_000);
    expect(written).toEqual([]);
    const slow = new ProgressLine(line, "f");
    slow.show(at(1));
    vi.advanceTimersByTime(quietMs);
    slow.show(at(101));
    slow.end();
    expect(written).toEqual([`${clear}Writing f: 0 %`, clear]);
  });

  it("is not written where there is no terminal, and does not ask for one before it is due", () => {
    const { written, line } = terminal();
    let asked = 0;
    const file = {
      ...line,
      get isTerminal() {
        asked += 1;
        return false;
      },
    };
    const progress = new ProgressLine(file, "f");
    vi.advanceTimersByTime(quietMs - 1);
    progress.show(at(1));
    expect(asked).toBe(0);
    vi.advanceTimersByTime(1000);
    progress.show(at(2));
    progress.end();
    expect([asked, written]).toEqual([1, []]);
  });

  it("is written at most ten times in a second", () => {
    const { written, line } = terminal();
    const progress = new ProgressLine(line, "f");
    vi.advanceTimersByTime(quietMs);
    for (let ms = 0; ms < 1000; ms += 10) {
      progress.show(at(ms / 5));
      vi.advanceTimersByTime(10);
    }
    expect(written.length).toBeGreaterThan(8);
    expect(written.length).toBeLessThan(12);
    expect(written.at(-1)).toMatch(/Writing f: 9\d %$/u);
    progress.end();
  });

  it("shows a step that tells nothing more, such as waiting", () => {
    const { written, line } = terminal();
    const progress = new ProgressLine(line, "f");
    progress.show({ step: "wait", doneBytes: 0, totalBytes: 0 });
    vi.advanceTimersByTime(quietMs);
    expect(written).toEqual([`${clear}Waiting for another edit of f`]);
    progress.end();
  });

  it("fits into a line, and cannot be made to do anything to the terminal", () => {
    const { written, line } = terminal(30);
    const progress = new ProgressLine(line, `\u001b[2J${"x".repeat(100)}\n`);
    progress.show(at(100, "confirm"));
    vi.advanceTimersByTime(quietMs);
    expect(written[0]?.slice(clear.length)).toMatch(/^Reading back \\…x+\\n: 50 %$/u);
    expect(written[0]?.length).toBe(clear.length + 29);
    progress.end();
    const wide = new ProgressLine(line, "文".repeat(30));
    wide.show(at(100));
    vi.advanceTimersByTime(quietMs);
    // Each of these takes two columns.
    expect(written.at(-1)).toBe(`${clear}Writing…: 50 %`);
    wide.end();
  });
});

describe("run() with a terminal as standard error", () => {
  const slowly = async (_request: unknown, options?: { onProgress?: unknown }) => {
    const onProgress = options?.onProgress as ((progress: EditProgress) => void) | undefined;
    onProgress?.(at(50));
    await vi.advanceTimersByTimeAsync(quietMs);
    onProgress?.(at(150));
    return editResult as EditResult;
  };

  it("shows progress, and clears it before the answer", async () => {
    const { written, line } = terminal();
    const world = { statusLine: line };
    const { out } = await fe(edit, { engine: { edit: slowly }, world });
    expect(written).toEqual([`${clear}Writing notes.md: 25 %`, clear]);
    expect(out).toContain("Replaced");
    const failing = async (...given: Parameters<typeof slowly>): Promise<EditResult> => {
      await slowly(...given);
      throw new Error("no");
    };
    await fe(edit, { engine: { edit: failing }, world });
    expect(written.at(-1)).toBe(clear);
  });

  it("shows none with --json or --quiet, or if it is no terminal", async () => {
    const { written, line } = terminal();
    for (const [flag, statusLine] of [
      ["--json", line],
      ["--quiet", line],
      ["--no-color", undefined],
    ] as const) {
      let asked: unknown = "nothing";
      const spying = (...given: Parameters<typeof slowly>) => {
        asked = given[1]?.onProgress;
        return slowly(...given);
      };
      await fe([...edit, flag], { engine: { edit: spying }, world: { statusLine } });
      expect(asked, flag).toBeUndefined();
    }
    expect(written).toEqual([]);
  });
});
