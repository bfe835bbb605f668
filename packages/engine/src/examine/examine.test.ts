import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createNodeOs, type FileStatus, OsError } from "@fe/native";
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
    expect(found.store).toMatchObject({ path: place.store, state: "absent" });
    // The nearest one that is there; it asked for no more.
    expect(found.store.place?.path).toBe(existsSync(place.userData) ? place.userData : place.work);
    expect(examinationToJson(found).store).toMatchObject({ place: { mode: /^0[0-7]{3}$/u } });
    expect(found.advice[0]).toMatch(/the first edit makes it, below "/u);
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
    const [refusal, ...others] = found.refusals;
    expect(others).toEqual([]);
    expect(refusal).toMatchObject({
      code: "FE_RECOVERY_REQUIRED",
      recordId: place.records()[0]?.replace(/\.fer$/u, ""),
    });
    expect(refusal?.hint).toMatch(/resolve the record \(`recovery\.show`/u);
    expect(found.advice[0]).toMatch(
      /^An edit of it is refused with FE_RECOVERY_REQUIRED: .*record/u,
    );
    writeFileSync(place.path("other"), "");
    expect((await (await place.engine()).examine(place.path("other"))).refusals).toEqual([]);
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

  it("S32 says so of a store that the first edit could not make, as that edit does", async (c) => {
    needs(c, "modes");
    const place = new Place();
    writeFileSync(place.path("f"), "a");
    const check = async (userDataDirectory: string, wanted: RegExp): Promise<void> => {
      const engine = await place.engine({ userDataDirectory });
      const { store, advice } = await engine.examine();
      expect(store.state).toBe("unusable");
      expect(store.why).toMatch(wanted);
      expect(advice[0]).toMatch(/^No edit is possible/u);
      const path = place.path("f");
      const failure = await failureOf(engine.edit({ path, oldString: "a", newString: "b" }));
      expect(failure.message).toMatch(wanted);
      const found = await engine.examine(path);
      expect(found.refusals).toMatchObject([{ code: failure.code }]);
      expect(found.refusals[0]?.why).toMatch(wanted);
      expect(found.advice.join("\n").match(new RegExp(wanted, "gu"))).toHaveLength(1);
    };
    mkdirSync(place.path("open"));
    chmodSync(place.path("open"), 0o777);
    await check(place.path("open"), /can be written by others/u);
    await check(place.path("f"), /is not a directory|a part of the path is not/u);
    if (process.platform === "linux") await check("/proc/fe", /cannot be made where it should/u);
  });

  it("says that the file may not be written, as an edit does, and changes nothing", async () => {
    const place = new Place();
    const path = place.path("f");
    writeFileSync(path, "a\n");
    const denied = new OsError("EPERM", "access", {});
    const names = ["os.checkWritable", "pinned.openForWriting"];
    const engine = await place.watched((call) => {
      const isOfStore = call.args[0] !== undefined && call.args[0] !== path;
      if (names.includes(call.name) && !isOfStore) throw denied;
      return call.proceed();
    });
    const found = await engine.examine(path);
    const failure = await failureOf(engine.edit({ path, oldString: "a", newString: "b" }));
    expect(found.refusals).toEqual([
      { code: "FE_PERMISSION_DENIED", why: failure.message, hint: failure.hint },
    ]);
    expect(found.advice[0]).toMatch(/refused with FE_PERMISSION_DENIED: .*immutable/u);
    expect(examinationToJson(found).refusals).toMatchObject([{ code: "FE_PERMISSION_DENIED" }]);
  });

  it("Q5 says what can never be edited, as an edit does", async () => {
    const place = new Place();
    writeFileSync(place.path("large"), "0123456789a");
    const engine = await place.engine({ maxFileBytes: 10 });
    const paths = [
      place.path("large"),
      ...(process.platform === "linux" ? ["/proc/self/comm"] : []),
    ];
    for (const path of paths) {
      const { refusals } = await engine.examine(path);
      const failure = await failureOf(engine.edit({ path, oldString: "a", newString: "b" }));
      expect(refusals).toEqual([{ code: failure.code, why: failure.message, hint: failure.hint }]);
    }
  });

  it("says nothing of names of what cannot be edited anyway", async () => {
    const place = new Place();
    mkdirSync(place.path("d"));
    const { advice, refusals } = await (await place.engine()).examine(place.path("d"));
    expect(refusals).toMatchObject([{ code: "FE_NOT_REGULAR", why: /a directory/u }]);
    expect(advice[0]).toMatch(/^An edit of it is refused with FE_NOT_REGULAR: .*a directory/u);
    expect(advice.join()).not.toMatch(/names/u);
  });

  it("advises about what a file or a system lacks", async () => {
    const place = new Place();
    writeFileSync(place.path("f"), "a");
    const engine = await place.engine();
    const { target } = await engine.examine(place.path("f"));
    if (target === undefined) throw new Error("no target");
    const os = createNodeOs();
    const adviceOn = (changes: Partial<Omit<IdentityReport, keyof FileStatus>> | object): string =>
      adviceFor({ pid: 1 }, { path: "/s", state: "usable" }, { ...target, ...changes }).join("\n");
    expect(adviceOn({ linkCount: 3 })).toMatch(/3 names/u);
    expect(adviceOn({ filesystem: { type: "nfs", class: "network" } })).toMatch(/no local/u);
    expect(adviceOn({ filesystem: { type: "overlay", class: "local" } })).toMatch(
      /copies the file/u,
    );
    expect(adviceOn({})).toMatch(/does not tell: boot id, host id, start time/u);
    const store = { path: "/s", state: "usable", locks: false, unnamedFiles: false } as const;
    const network = { type: "nfs", class: "network" } as const;
    const poor = adviceFor(
      await os.self(),
      { ...store, directorySync: false, filesystem: network },
      undefined,
    );
    expect(poor.length).toBeGreaterThanOrEqual(4);
  });
});
