import { describe, expect, it } from "vitest";
import { fe, shown } from "../../test/fake-world.ts";
import { record } from "../../test/samples.ts";
import { maxJsonContentBytes } from "./recovery.ts";

describe("run() with recovery", () => {
  it("lists", async () => {
    expect((await fe(["recovery", "list"])).out).toMatch(/^0123456789ab {2}prepared {2}\/home/);
    const { out } = await fe(["recovery", "list", "--json", "--root", "r"]);
    expect(JSON.parse(out)).toMatchObject({ records: [{ id: record.id, phase: "prepared" }] });
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
    expect(calls[1]).toEqual(["resolve", "01234567", { keep: "before", expectSha256: "ff" }]);
    expect(await fe([...argv, "--quiet"])).toMatchObject({ exit: 0, out: "", err: "" });
    expect(JSON.parse((await fe([...argv, "--json"])).out)).toMatchObject({ kept: "before" });
  });
});
