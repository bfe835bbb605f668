import { encodeUtf16 } from "@fe/engine/display";
import { describe, expect, it } from "vitest";
import { record } from "../../../engine/test/samples.ts";
import { fe, shown } from "../../test/fake-world.ts";
import { mergeOf } from "../output/merge.ts";
import { maxJsonContentBytes } from "./recovery.ts";

describe("run() with recovery", () => {
  it("lists", async () => {
    expect((await fe(["recovery", "list"])).out).toMatch(/^0123456789ab {2}prepared {2}\/home/);
    const { out } = await fe(["recovery", "list", "--json", "--root", "r"]);
    expect(JSON.parse(out)).toMatchObject({
      records: [{ id: record.id, phase: "prepared" }],
      resolved: [{ id: record.id, saved_bytes: 77, record: { id: record.id } }],
    });
  });

  it("B10 lists what can be taken back, for whoever closed the window", async () => {
    const recovery = { list: async () => [] };
    const { out } = await fe(["recovery", "list", "--app", "x"], { engine: { recovery } });
    const saved = "/home/someone/.config/fe/edit-recovery/saved";
    expect(out).toBe(
      [
        "No recovery records in /home/someone/.config/fe/edit-recovery",
        "",
        "Resolved; each can be taken back while its file holds what was written:",
        "",
        "0123456789ab  resolved  /home/someone/notes.md",
        "  when    2023-11-14T22:13:21.000Z",
        `  held    77 bytes until then: ${saved}/1.bytes`,
        "  undo    fe recovery undo 0123456789ab --app x",
        `  record  ${saved}/1.fer`,
        "  or      fe recovery undo 0123456789ab --keep before --app x",
        "  or      fe recovery undo 0123456789ab --keep after --app x",
        "",
      ].join("\n"),
    );
    const none = { list: async () => [], listResolved: async () => [] };
    const nothing = await fe(["recovery", "list"], { engine: { recovery: none } });
    expect(nothing.out).toBe("No recovery records in /home/someone/.config/fe/edit-recovery\n");
  });

  it("shows the bytes as they are, and their hash beside them", async () => {
    const content = Uint8Array.of(0x00, 0xff, 0x0a);
    const behaviour = { engine: { recovery: { show: async () => shown(content) } } };
    const show = ["recovery", "show", "01234567", "--version", "before"];
    const { exit, out, err } = await fe(show, behaviour);
    expect([exit, out]).toEqual([0, "\u0000\u00ff\n"]);
    expect(err).toMatch(/^before: 3 bytes, sha256 [0-9a-f]{64}\n$/);
    expect((await fe([...show, "--quiet"], behaviour)).err).toBe("");
    expect(JSON.parse((await fe([...show, "--json"], behaviour)).out)).toMatchObject({
      version: "before",
      bytes: 3,
      content_base64: "AP8K",
    });
  });

  it("gives no object with a content that is too long for one", async () => {
    const long = shown(new Uint8Array(1), maxJsonContentBytes + 1);
    const { exit, out } = await fe(
      ["recovery", "show", "01234567", "--version", "before", "--json"],
      { engine: { recovery: { show: async () => long } } },
    );
    expect(exit).toBe(2);
    expect(JSON.parse(out)).toMatchObject({
      error: { hint: expect.stringContaining("Leave --json off") },
    });
  });

  it("resolves", async () => {
    const argv = ["recovery", "resolve", "01234567", "--keep", "before", "--expect-sha256", "ff"];
    const { exit, out, calls } = await fe(argv);
    expect(exit).toBe(0);
    expect(out).toMatch(/^\/home\/someone\/notes\.md now holds the version before the edit\n/);
    const options = { keep: "before", expectSha256: "ff", signal: expect.any(AbortSignal) };
    expect(calls[1]).toEqual(["resolve", "01234567", options]);
    expect(await fe([...argv, "--quiet"])).toMatchObject({ exit: 0, out: "", err: "" });
    expect(JSON.parse((await fe([...argv, "--json"])).out)).toMatchObject({ kept: "before" });
  });

  it("B10 resolves with the bytes of a file, and says how to take that back", async () => {
    const argv = ["recovery", "resolve", "01234567", "--with", "merged", "--app", "x"];
    const { exit, err, calls } = await fe(argv);
    expect(exit).toBe(0);
    expect(calls[1]).toEqual([
      "resolve",
      "01234567",
      { content: new TextEncoder().encode("text\n"), signal: expect.any(AbortSignal) },
    ]);
    expect(err).toBe(
      "To take this back: fe recovery undo 0123456789ab --app x\n" +
        "To have version after instead: fe recovery undo 0123456789ab --keep after --app x\n",
    );
    expect((await fe([...argv, "--keep", "before"])).exit).toBe(2);
    expect((await fe(["recovery", "resolve", "01234567"])).exit).toBe(2);
  });

  it("I10 says what closing the engine met after a resolution and an undo", async () => {
    const close = (): Promise<void> => Promise.reject(new Error("the late sync failed"));
    for (const argv of [
      ["recovery", "resolve", "01234567", "--keep", "before"],
      ["recovery", "undo", "01234567"],
    ]) {
      const { exit, out, err } = await fe([...argv, "--json"], { engine: { close } });
      expect([exit, err]).toEqual([0, "warning: the late sync failed\n"]);
      expect(JSON.parse(out)).toMatchObject({ status: "applied" });
    }
  });

  it("B10 takes a resolution back, if the file holds what was expected", async () => {
    const expecting = ["recovery", "undo", "01234567", "--expect-sha256", "ff"];
    expect((await fe(expecting)).calls[1]).toMatchObject([
      ...["undo", "01234567", { expectSha256: "ff" }],
    ]);
    const argv = ["recovery", "undo", "01234567"];
    const { exit, out, calls } = await fe(argv);
    expect(exit).toBe(0);
    expect(out).toMatch(/^\/home\/someone\/notes\.md holds again what it held before/u);
    const signal = expect.any(AbortSignal);
    expect(calls[1]).toEqual(["undo", "01234567", { signal, waitMs: 0 }]);
    const waiting = await fe([...argv, "--wait", "2s"]);
    expect(waiting.calls[1]).toEqual(["undo", "01234567", { signal, waitMs: 2000 }]);
    expect((await fe([...argv, "--wait", "soon"])).exit).toBe(2);
    expect(JSON.parse((await fe([...argv, "--json"])).out)).toMatchObject({
      record_id: record.id,
      saved_path: expect.stringContaining("saved"),
    });
    expect(await fe([...argv, "--quiet"])).toMatchObject({ exit: 0, out: "", err: "" });
  });

  it("B10 puts a version that was not chosen into the file", async () => {
    const argv = ["recovery", "undo", "01234567", "--keep"];
    const { exit, out, calls } = await fe([...argv, "after"]);
    expect([exit, calls[1]]).toMatchObject([0, ["undo", "01234567", { keep: "after" }]]);
    expect(out).toMatch(/^\/home\/someone\/notes\.md now holds the version after the edit\n/u);
    for (const none of ["current", ""]) {
      const refused = await fe([...argv, none]);
      expect([refused.exit, refused.err]).toEqual([
        2,
        expect.stringContaining("Give one of: before, after"),
      ]);
    }
  });
});

describe("run() with recovery diff", () => {
  const versions = (from: string, to: string) => ({
    engine: {
      recovery: {
        show: async (_id: string, version: string) =>
          shown(Buffer.from(version === "before" ? from : to, "latin1")),
      },
    },
  });
  const argv = ["recovery", "diff", "01234567"];

  it("B10 prints what differs, byte for byte, or coloured and safe on a terminal", async () => {
    const behaviour = versions("a\r\n\xe4\nx", "a\r\n\xe5\nx\n");
    const { exit, out, err } = await fe(argv, behaviour);
    expect([exit, err]).toEqual([0, ""]);
    expect(out).toBe(
      "--- /home/someone/notes.md (before)\n+++ /home/someone/notes.md (current)\n" +
        "@@ -1,3 +1,3 @@\n a\r\n-\xe4\n-x\n\\ No newline at end of file\n+\xe5\n+x\n",
    );
    const world = { stdoutIsTerminal: true };
    expect((await fe(argv, { ...behaviour, world })).out).toContain("\n-\\xe4\n");
    expect(JSON.parse((await fe([...argv, "--json"], behaviour)).out)).toMatchObject({
      from: "before",
      to: "current",
      same: false,
      diff_base64: Buffer.from(out, "latin1").toString("base64"),
    });
  });

  it("B10 says that versions are the same, or no text, or too large", async () => {
    expect(await fe(argv, versions("a", "a"))).toMatchObject({
      out: "",
      err: "The versions before and current are the same\n",
    });
    const noText = await fe(argv, versions("a\0", "b"));
    expect(noText.err).toMatch(
      /differ: they are not text: they hold NULs.*\nTo look at them .*--tool/u,
    );
    const json = JSON.parse((await fe([...argv, "--json"], versions("a\0", "b"))).out);
    expect(json).toMatchObject({ same: false, no_diff: expect.stringContaining("NULs") });
    const large = await fe(argv, versions("a", "b".repeat(4 * 1024 * 1024 + 1)));
    expect(large.exit).toBe(2);
    expect(large.err).toContain("version current: it has more than 4194304 bytes\n");
    expect(large.err).toContain(
      "fe recovery diff 0123456789ab --from before --to current --tool PROGRAM\n",
    );
    expect((await fe([...argv, "--from", "old"])).exit).toBe(2);
  });
});

describe("run() with recovery diff of UTF-16", () => {
  const argv = ["recovery", "diff", "01234567"];
  const versions = (from: Buffer, to: Buffer) => ({
    engine: {
      recovery: {
        show: async (_id: string, version: string) => shown(version === "before" ? from : to),
      },
    },
  });

  it.each(["le", "be"] as const)("B10 is to be read, and says so (%s)", async (order) => {
    const from = encodeUtf16("one\n\u0a05 größe\n", order);
    const to = encodeUtf16("one\n\u0a05 maß\n", order);
    const result = await fe(argv, versions(from, to));
    expect(Buffer.from(result.out, "latin1").toString()).toBe(
      "--- /home/someone/notes.md (before)\n+++ /home/someone/notes.md (current)\n" +
        "@@ -1,2 +1,2 @@\n one\n-\u0a05 größe\n+\u0a05 maß\n",
    );
    expect(result.err).toContain(`the file is utf-16${order}, its diff is in UTF-8`);
    // What was cut short within a character is shown as far as it goes.
    const { out } = await fe([...argv, "--json"], versions(from, to.subarray(0, -1)));
    const torn = JSON.parse(out);
    expect(torn).toMatchObject({ diff_transcoded_from: `utf-16${order}` });
    expect(torn.diff).toMatch(/\n\+\u0a05 maß\\x[0-9a-f]{2}\n\\ No newline/u);
  });
});

describe("run() with recovery merge", () => {
  const versions = (texts: Readonly<Record<string, string>>) => ({
    engine: {
      recovery: {
        show: async (_id: string, version: string) => shown(Buffer.from(texts[version] ?? "")),
      },
    },
  });
  const argv = ["recovery", "merge", "01234567"];

  it("B10 writes a merge of what both sides changed", async () => {
    const apart = versions({ before: "a\nb\nc\n", after: "x\nb\nc\n", current: "a\nb\ny\n" });
    expect(await fe(argv, apart)).toMatchObject({ exit: 0, out: "x\nb\ny\n", err: "" });
    const json = JSON.parse((await fe([...argv, "--json"], apart)).out);
    expect(json).toMatchObject({
      bytes: 6,
      content_base64: Buffer.from("x\nb\ny\n").toString("base64"),
    });
  });

  it("B10 proposes nothing of a file that holds only part of the edit's own writing", async () => {
    const before = "one\ntwo\nthree\nfour\n";
    const after = `zero\n${before}`;
    const torn = `${after.slice(0, 12)}${before.slice(12)}`;
    const { exit, out, err } = await fe(
      [...argv, "--app", "x"],
      versions({ before, after, current: torn }),
    );
    expect([exit, out]).toEqual([5, ""]);
    const id = "0123456789ab";
    expect(err).toContain("cut short in its writing");
    expect(err).toContain(`\`fe recovery resolve ${id} --keep after --app x\` as the edit meant`);
    expect(err).toContain(`\`fe recovery resolve ${id} --keep before --app x\` as it was\n`);
    // Lines alone do not show it: half of one would be what somebody is said to have written.
    const blind = await mergeOf(Buffer.from(before), Buffer.from(after), Buffer.from(torn));
    expect(blind).toMatchObject({ kind: "merged", bytes: Buffer.from(torn) });
  });

  it("B10 says in its own words that a version is too large, with commands that work", async () => {
    const after = "b".repeat(4 * 1024 * 1024 + 1);
    const stored = [...argv, "--app", "x y"];
    const large = await fe(stored, versions({ before: "a", after, current: "a" }));
    expect([large.exit, large.out]).toEqual([2, ""]);
    expect(large.err).toContain(
      'Cannot propose a merge of "/home/someone/notes.md": version after has more than 4194304',
    );
    expect(large.err).toContain("--from current --to after --tool PROGRAM --app 'x y', and");
    expect(large.err).toContain("resolve 0123456789ab --with MERGED --app 'x y'\n");
  });

  it("B10 says where both sides changed the same, and writes nothing", async () => {
    const met = versions({ before: "a\nb\n", after: "a\nx\n", current: "a\ny\n" });
    const { exit, out, err } = await fe([...argv, "--app", "x"], met);
    expect([exit, out]).toEqual([5, ""]);
    expect(err).toContain("both sides changed what stood at line 2\nhint: ");
    const id = "0123456789ab";
    expect(err).toContain(
      "If nobody else changed the file, take a whole version: " +
        `\`fe recovery resolve ${id} --keep after --app x\` as the edit meant it to be, ` +
        `\`fe recovery resolve ${id} --keep before --app x\` as it was. Otherwise merge them`,
    );
    expect(err).toContain("diff 0123456789ab --from current --to after --tool PROGRAM --app x`");
    expect(err).toContain("`fe recovery resolve 0123456789ab --with MERGED --app x`\n");
  });
});
