import path from "node:path";
import { errorToJson, FeError } from "@fe/engine";
import { quoteForShell } from "@fe/engine/display";
import { describe, expect, it } from "vitest";
import { editResult, record, recoveryRequired } from "../../engine/test/samples.ts";
import { type Behaviour, edit, fe, shown } from "../test/fake-world.ts";
import { OutputError } from "./run.ts";

const fails = (error: unknown): Behaviour => ({
  engine: {
    edit: async () => {
      throw error;
    },
  },
});

describe("run() with edit", () => {
  it("edits, prints to stdout, and closes the engine", async () => {
    const { exit, out, err, calls } = await fe([...edit, "--wait", "2s"]);
    expect([exit, err]).toEqual([0, ""]);
    expect(out).toBe("Replaced 2 places in notes.md\n  at     3:7, 9:1\n  bytes  200 -> 202\n");
    const request = { path: "notes.md", oldString: "a", newString: "b" };
    const options = { signal: expect.any(AbortSignal), waitMs: 2000 };
    expect(calls).toEqual([["open", {}], ["edit", request, options], "close"]);
  });

  it("previews with --dry-run", async () => {
    const { exit, out, calls } = await fe([...edit, "--dry-run"]);
    expect(exit).toBe(0);
    expect(out).toContain("Would replace");
    const options = { signal: expect.any(AbortSignal), waitMs: 0 };
    expect(calls[1]).toEqual(["preview", expect.anything(), options]);
  });

  it("says nothing with --quiet, but prints the object with --json", async () => {
    expect(await fe([...edit, "--quiet"])).toMatchObject({ exit: 0, out: "", err: "" });
    const { out } = await fe([...edit, "--quiet", "--json"]);
    expect(JSON.parse(out)).toMatchObject({ status: "applied", replacements: 2 });
  });

  it("prints one JSON object on one line", async () => {
    const { out, err } = await fe([...edit, "--json"]);
    expect(out.match(/\n/g)).toHaveLength(1);
    expect(err).toBe("");
    expect(JSON.parse(out)).toMatchInlineSnapshot(`
      {
        "after_sha256": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "before_sha256": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
        "bytes_after": 202,
        "bytes_before": 200,
        "durability": "synced",
        "exclusion": "cooperative",
        "file_path": "notes.md",
        "identity": {
          "file": "18014398509481985",
          "volume": "66306",
        },
        "line_endings": "not-examined",
        "matches": [
          {
            "byte_offset": 41,
            "column": 7,
            "line": 3,
          },
          {
            "byte_offset": 120,
            "column": 1,
            "line": 9,
          },
        ],
        "metadata_changes": [],
        "replacements": 2,
        "status": "applied",
        "warnings": [],
      }
    `);
  });

  it("B6 prints the diff and nothing else to stdout, raw or made safe for a terminal", async () => {
    const bytes = Buffer.from("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\u001b\n+\u00e9\n", "latin1");
    const result = { ...editResult, diff: { bytes, truncated: true } };
    const engine = { edit: async () => result };
    const piped = await fe([...edit, "--diff"], { engine });
    expect(Buffer.from(piped.out, "latin1")).toEqual(bytes);
    expect(piped.err).toMatch(/^warning: the diff is not whole/);
    expect(piped.err).toContain("Replaced 2 places");
    const world = { stdoutIsTerminal: true, stdoutTakesColor: true };
    const onTerminal = await fe([...edit, "--diff", "--quiet"], { engine, world });
    expect(onTerminal.out).toContain("\u001b[31m-a\\x1b\u001b[39m");
    expect(onTerminal.out).toContain("+\\xe9");
    const json = await fe([...edit, "--diff", "--json"], { engine });
    expect(JSON.parse(json.out)).toMatchObject({
      diff_base64: bytes.toString("base64"),
      diff_truncated: true,
    });
  });

  it("stops the edit at a signal, and exits as a shell says it", async () => {
    for (const [signal, expected] of [
      ["SIGINT", 130],
      ["SIGTERM", 143],
    ] as const) {
      let stopped = 0;
      const { exit, err } = await fe(edit, {
        engine: {
          edit: (_request, options) =>
            new Promise((_resolve, reject) => {
              const { signal: own } = options ?? {};
              own?.addEventListener("abort", () =>
                reject(new FeError("FE_ABORTED", `Stopped: ${own.reason.message}`)),
              );
            }),
        },
        world: {
          watchSignals: (onSignal) => {
            setTimeout(() => onSignal(signal), 1);
            return {
              stop: () => {
                stopped += 1;
              },
            };
          },
        },
      });
      const said = `error FE_ABORTED: Stopped: ${signal} stopped it\n`;
      expect([exit, err, stopped]).toEqual([expected, said, 1]);
    }
  });
});

describe("run() with a failure", () => {
  it("prints it to stderr, nothing to stdout, and exits by its code", async () => {
    const error = new FeError("FE_NO_MATCH", 'Cannot edit "f": not found', { hint: "Look again" });
    expect(await fe(edit, fails(error))).toMatchObject({
      exit: 3,
      out: "",
      err: 'error FE_NO_MATCH: Cannot edit "f": not found\nhint: Look again\n',
    });
  });

  it("prints one JSON object to stdout with --json, nothing to stderr", async () => {
    const { exit, out, err } = await fe([...edit, "--json"], fails(recoveryRequired));
    expect([exit, err]).toEqual([7, ""]);
    expect(JSON.parse(out)).toMatchObject({
      status: "recovery_required",
      record: { id: record.id },
      error: { code: "FE_RECOVERY_REQUIRED", effect: "none", retryable: false },
    });
  });

  it("is an error also with --quiet", async () => {
    expect((await fe([...edit, "--quiet"], fails(recoveryRequired))).err).toContain("error FE_");
  });

  it("carries the options of the store into the commands it shows", async () => {
    const { err } = await fe(
      [...edit, "--user-data-dir", "d", "--app", "x"],
      fails(recoveryRequired),
    );
    const directory = quoteForShell(path.resolve("/home/someone/d"));
    expect(err).toContain(`fe recovery list --user-data-dir ${directory} --app x\n`);
  });

  it("reports a wrong command line as FE_INVALID_REQUEST, and opens nothing", async () => {
    const human = await fe(["edit", "f", "--bogus"]);
    expect(human).toMatchObject({ exit: 2, out: "", calls: [] });
    expect(human.err).toBe(
      "error FE_INVALID_REQUEST: Unknown option '--bogus'\nhint: See: fe edit --help\n",
    );
    const json = await fe(["edit", "f", "--bogus", "--json"]);
    expect(json).toMatchObject({ exit: 2, err: "" });
    expect(JSON.parse(json.out)).toMatchObject({
      status: "rejected",
      error: { code: "FE_INVALID_REQUEST", effect: "none" },
    });
    // Written without the engine, and yet the same object.
    const hint = "See: fe edit --help";
    const same = new FeError("FE_INVALID_REQUEST", "Unknown option '--bogus'", { hint });
    expect(JSON.parse(json.out)).toEqual(errorToJson(same));
    expect(JSON.parse((await fe(["--json"])).out)).toMatchObject({ status: "rejected" });
  });

  it("says honestly that a fault of its own is one", async () => {
    const human = await fe(edit, fails(new TypeError("x is not a function\n")));
    expect(human).toMatchObject({ exit: 1, out: "" });
    expect(human.err).toMatch(
      /^error INTERNAL: Internal fault: TypeError: x is not a function\\n\nhint: /,
    );
    const json = await fe([...edit, "--json"], fails(new TypeError("x")));
    expect(json).toMatchObject({ exit: 1, err: "" });
    expect(JSON.parse(json.out)).toMatchObject({
      status: "failed",
      warnings: [],
      error: { code: "INTERNAL", effect: "unknown", retryable: false },
    });
  });

  it("reports the first error where closing fails too", async () => {
    const { exit, err } = await fe(edit, {
      engine: {
        ...fails(new FeError("FE_BUSY", "Busy")).engine,
        close: async () => {
          throw new Error("close");
        },
      },
    });
    expect([exit, err]).toEqual([75, "error FE_BUSY: Busy\n"]);
  });
});

describe("run() and its streams", () => {
  it("stops at a reader that is gone, without an error", async () => {
    let chunks = 0;
    const { exit, err } = await fe(["recovery", "show", "01234567", "--version", "before"], {
      engine: {
        recovery: {
          show: async () => ({
            ...shown(new Uint8Array(1)),
            async *chunks() {
              for (;;) {
                chunks += 1;
                yield new Uint8Array(1);
              }
            },
          }),
        },
      },
      world: { writeOut: async () => false },
    });
    expect([exit, err, chunks]).toEqual([0, "", 1]);
  });

  it("reports an answer that cannot be written", async () => {
    const writeOut = async (): Promise<boolean> => {
      throw new OutputError("ENOSPC: no space left on device, write");
    };
    for (const argv of [edit, [...edit, "--json"]]) {
      const { exit, err } = await fe(argv, { world: { writeOut } });
      expect(exit).toBe(1);
      expect(err).toMatch(/^error: Cannot write the answer to standard output: ENOSPC/);
    }
  });

  it("answers help and version without an engine", async () => {
    expect(await fe(["--version"])).toMatchObject({ exit: 0, out: "1.2.3\n", calls: [] });
    expect(JSON.parse((await fe(["--version", "--json"])).out)).toEqual({ version: "1.2.3" });
    expect((await fe(["--help"])).out).toContain("Usage: fe");
    expect(JSON.parse((await fe(["--json", "edit", "--help"])).out)).toHaveProperty("help");
  });
});
