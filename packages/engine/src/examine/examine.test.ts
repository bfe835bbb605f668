import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createNodeOs, type FileStatus } from "@fe/native";
import { describe, expect, it } from "vitest";
import { needs } from "../../../../native/test/abilities.ts";
import { strandEdit } from "../../test/orphans.ts";
import { failureOf, Place } from "../../test/place.ts";
import { adviceFor } from "./advice.ts";
import type { IdentityReport } from "./identify.ts";
import { examinationToJson, identityReportToJson } from "./json.ts";

describe("identify()", () => {
  it("B3 tells identity and permission, through a link, and changes nothing", async (context) => {
    needs(context, "symlinks", "modes");
    const place = new Place();
    const path = place.path("f");
    writeFileSync(path, "a\n", { mode: 0o640 });
    chmodSync(path, 0o640);
    linkSync(path, place.path("g"));
    symlinkSync("f", place.path("link"));
    const engine = await place.engine({ roots: [place.work] });
    const report = await engine.identify(place.path("link"));
    const { ino, mtimeNs, size } = statSync(path, { bigint: true });
    expect(report).toMatchObject({
      realPath: path,
      kind: "regular",
      sizeBytes: Number(size),
      linkCount: 2,
      permission: { mode: 0o640, accessList: null },
      parent: { file: statSync(place.work, { bigint: true }).ino },
    });
    expect(report.identity.file).toBe(ino);
    expect(identityReportToJson(report)).toMatchObject({
      identity: { file: String(ino) },
      permission: { mode: "0640", access_list_sha256: null },
    });
    expect(statSync(path, { bigint: true }).mtimeNs).toBe(mtimeNs);
    expect(existsSync(place.store)).toBe(false);
    expect((await engine.identify(place.work)).kind).toBe("directory");
  });

  it("Q5 refuses what is not there, and what is outside of the roots", async () => {
    const place = new Place();
    const engine = await place.engine({ roots: [place.work] });
    expect((await failureOf(engine.identify(place.path("none")))).code).toBe("FE_NOT_FOUND");
    expect((await failureOf(engine.identify(place.userData))).code).toBe("FE_OUTSIDE_ROOT");
    const free = await place.engine();
    for (const path of ["", "a\0", undefined as unknown as string]) {
      expect((await failureOf(free.identify(path))).code).toBe("FE_INVALID_REQUEST");
    }
    expect((await failureOf(engine.examine(place.path("none")))).code).toBe("FE_NOT_FOUND");
  });
});

describe("examine()", () => {
  it("I9 makes no store, and says that there is none", async () => {
    const place = new Place();
    const engine = await place.engine();
    const found = await engine.examine();
    expect(found.store).toEqual({ path: place.store, state: "absent" });
    expect(found.addonPath).toMatch(/\.node$/u);
    expect(found.process.pid).toBe(process.pid);
    expect(existsSync(place.store)).toBe(false);
  });

  it("D5 tries locks, unnamed files and syncs of a store, and leaves nothing in it", async () => {
    const place = new Place();
    const path = place.path("f");
    writeFileSync(path, "a\n");
    await strandEdit(place, path, { oldString: "a", newString: "b" }, "torn");
    const names = place.storeNames();
    const found = await (await place.engine()).examine(path);
    expect(found.store).toMatchObject({
      state: "usable",
      locks: true,
      directorySync: true,
      records: 1,
    });
    expect(found.advice.join()).toMatch(/1 recovery record/u);
    expect(examinationToJson(found)).toMatchObject({
      store: { state: "usable", locks: true },
      target: { kind: "regular" },
    });
    expect(place.storeNames()).toEqual(names);
  });

  it("S32 says why a store cannot be used", async (context) => {
    needs(context, "modes");
    const place = new Place();
    mkdirSync(place.store, { mode: 0o700 });
    chmodSync(place.store, 0o755);
    const found = await (await place.engine()).examine();
    expect(found.store.state).toBe("unusable");
    expect(found.store.why).toMatch(/private|others/u);
    expect(found.advice[0]).toMatch(/^No edit is possible/u);
  });

  it("advises about what a file or a system lacks", async () => {
    const place = new Place();
    writeFileSync(place.path("f"), "a");
    const engine = await place.engine();
    const { target } = await engine.examine(place.path("f"));
    if (target === undefined) throw new Error("no target");
    const os = createNodeOs();
    const adviceOn = (changes: Partial<Omit<IdentityReport, keyof FileStatus>> | object): string =>
      adviceFor({ pid: 1 }, { path: "/s", state: "usable" }, { ...target, ...changes }, 10).join(
        "\n",
      );
    expect(adviceOn({ kind: "fifo" })).toMatch(/cannot be edited/u);
    expect(adviceOn({ sizeBytes: 11 })).toMatch(/11 bytes, more than/u);
    expect(adviceOn({ linkCount: 3 })).toMatch(/3 names/u);
    expect(adviceOn({ filesystem: { type: "nfs", class: "network" } })).toMatch(/no local/u);
    expect(adviceOn({ filesystem: { type: "overlay", class: "local" } })).toMatch(
      /copies the file/u,
    );
    expect(adviceOn({ filesystem: { type: "proc", class: "pseudo" } })).toMatch(/makes the files/u);
    expect(adviceOn({})).toMatch(/does not tell: boot id, host id, start time/u);
    const store = { path: "/s", state: "usable", locks: false, unnamedFiles: false } as const;
    const network = { type: "nfs", class: "network" } as const;
    const poor = adviceFor(
      await os.self(),
      { ...store, directorySync: false, filesystem: network },
      undefined,
      1,
    );
    expect(poor.length).toBeGreaterThanOrEqual(4);
  });
});
