import { type Examination, FeError, type IdentityReport } from "@fe/engine";
import { describe, expect, it } from "vitest";
import { type Behaviour, fe } from "../../test/fake-world.ts";

const report: IdentityReport = {
  path: "f",
  realPath: "/home/someone/f\u001b",
  kind: "regular",
  sizeBytes: 7,
  linkCount: 2,
  identity: { volume: 5n, file: 18_014_398_509_481_985n, device: 3n, generation: 9n },
  parent: { volume: 5n, file: 2n, device: 3n },
  permission: { mode: 0o644, owner: "0", group: "0", accessList: null, capabilities: null },
  filesystem: { type: "ext4", class: "local" },
};

const examination: Examination = {
  engineVersion: "1.2.3",
  addonPath: "/lib/fe.node",
  process: { pid: 7, bootId: "b" },
  store: { path: "/s", state: "usable", locks: true, unnamedFiles: false, records: 0 },
  target: report,
  exclusion: { offers: "kernel", othersWaitMs: 45_000 },
  refusals: [],
  advice: ["Do this"],
};

const behaviour: Behaviour = {
  engine: { identify: async () => report, examine: async () => examination },
};

describe("run() with identity and doctor", () => {
  it("B3 prints every part of an identity, names made safe", async () => {
    const { exit, out } = await fe(["identity", "f"], behaviour);
    expect(exit).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "/home/someone/f\\x1b
        kind          regular, 7 bytes, 2 names
        volume        5 (device 3 in this boot)
        file          18014398509481985
        generation    9
        directory     volume 5, file 2
        mode          0644
        owner         0, group 0
        access list   none beside the mode
        capabilities  none
        filesystem    ext4, local
      "
    `);
    const json = JSON.parse((await fe(["identity", "f", "--json"], behaviour)).out);
    expect(json.identity).toEqual({
      volume: "5",
      file: "18014398509481985",
      generation: "9",
      device: "3",
    });
    expect((await fe(["identity"], behaviour)).exit).toBe(2);
  });

  it("D5 prints what the system can do, and what to do about it", async () => {
    const { exit, out } = await fe(["doctor", "f"], behaviour);
    expect(exit).toBe(0);
    expect(out).toContain("  addon          /lib/fe.node\n");
    expect(out).toContain("  locks          exclude\n");
    expect(out).toContain("  unnamed files  no\n");
    expect(out).toContain("  exclusion     kernel: others wait while an edit runs, 45 s at most\n");
    expect(out).toMatch(/\nAdvice\n {2}- Do this\n$/u);
    const json = JSON.parse((await fe(["doctor", "--json"], behaviour)).out);
    expect(json).toMatchObject({
      engine_version: "1.2.3",
      store: { locks: true },
      exclusion: { offers: "kernel", others_wait_ms: 45_000 },
      advice: ["Do this"],
    });
  });

  it("B2 prints that others do not wait but are refused, where the system does that", async () => {
    const exclusion = { offers: "kernel" } as const;
    const examine = async () => ({ ...examination, exclusion });
    const { out } = await fe(["doctor", "f"], { engine: { examine } });
    expect(out).toContain(
      "  exclusion     kernel: who asks to write while an edit runs is refused\n",
    );
  });

  it("B2 prints why others cannot be kept out of a file", async () => {
    const exclusion = {
      offers: "cooperative",
      reason: "open-elsewhere",
      why: "just now the file is open elsewhere, perhaps in this program",
    } as const;
    const held: Behaviour = { engine: { examine: async () => ({ ...examination, exclusion }) } };
    const { out } = await fe(["doctor", "f"], held);
    expect(out).toContain(
      "  exclusion     cooperative: just now the file is open elsewhere, perhaps in this program",
    );
    const json = JSON.parse((await fe(["doctor", "f", "--json"], held)).out);
    expect(json.exclusion).toEqual(exclusion);
  });

  it("says where a store would be made, and that an edit is refused", async () => {
    const filesystem = { type: "ext4", class: "local" } as const;
    const place = { path: "/home/s\u001b", owner: "7", mode: 0o700, filesystem };
    const refusals = [
      { code: "FE_PERMISSION_DENIED", why: "no", hint: "`recovery.list`" },
    ] as const;
    const store = { path: "/s", state: "absent", place } as const;
    const examine = async () => ({ ...examination, store, refusals });
    const { out } = await fe(["doctor", "f"], { engine: { examine } });
    expect(out).toContain("below /home/s\\x1b (owner 7, mode 0700, ext4)\n");
    expect(out).toMatch(/ {2}edit +refused: FE_PERMISSION_DENIED, see below\n/u);
    const json = JSON.parse((await fe(["doctor", "f", "--json"], { engine: { examine } })).out);
    expect(json.refusals).toEqual([
      { code: "FE_PERMISSION_DENIED", why: "no", hint: "`fe recovery list`" },
    ]);
    expect(json.store.place).toMatchObject({ owner: "7", mode: "0700" });
  });

  it("B10 names the record of a refusal, and the store, in the commands", async () => {
    const id = "0123456789abcdef".repeat(4);
    const [why, hint] = ["no", "Look (`recovery.show`), and resolve it (`recovery.resolve`)"];
    const refusals = [{ code: "FE_RECOVERY_REQUIRED", why, hint, recordId: id }] as const;
    const advice = [`An edit is refused: ${why}. ${hint}`, "See `recovery.list`"];
    const examine = async () => ({ ...examination, refusals, advice });
    const told =
      "Look (`fe recovery show 0123456789ab --version VERSION --app x`), and resolve it " +
      "(`fe recovery resolve 0123456789ab --keep VERSION --app x`)";
    const { out } = await fe(["doctor", "f", "--app", "x"], { engine: { examine } });
    expect(out).toContain(`  - An edit is refused: no. ${told}\n`);
    expect(out).toContain("  - See `fe recovery list --app x`\n");
    const json = await fe(["doctor", "f", "--app", "x", "--json"], { engine: { examine } });
    expect(JSON.parse(json.out).refusals[0].hint).toBe(told);
  });

  it("tells of the system also if the file is not there, but with --json", async () => {
    const examine = async (file: string | undefined): Promise<Examination> => {
      if (file !== undefined) throw new FeError("FE_NOT_FOUND", "There is none");
      return examination;
    };
    const { exit, out, err } = await fe(["doctor", "g"], { engine: { examine } });
    expect(exit).toBe(6);
    expect(out).toContain("  addon          /lib/fe.node\n");
    expect(err).toMatch(/FE_NOT_FOUND/u);
    // What went wrong follows, so "nothing to advise" would be wrong.
    const calm = async (file: string | undefined) => ({ ...(await examine(file)), advice: [] });
    expect((await fe(["doctor", "g"], { engine: { examine: calm } })).out).not.toContain("advise");
    expect((await fe(["doctor"], { engine: { examine: calm } })).out).toContain(
      "Nothing to advise",
    );
    const json = await fe(["doctor", "g", "--json"], { engine: { examine } });
    expect([json.exit, JSON.parse(json.out).error.code]).toEqual([6, "FE_NOT_FOUND"]);
  });
});
