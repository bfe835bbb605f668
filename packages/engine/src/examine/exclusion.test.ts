import { execFileSync } from "node:child_process";
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createNodeOs, type ExclusionAnswer, type FilesystemFacts, OsError } from "@fe/native";
import { interceptOs } from "@fe/native/testing";
import { describe, expect, it } from "vitest";
import { abilities } from "../../../../native/test/abilities.ts";
import { Place, placeWithFile } from "../../test/place.ts";
import type { ExclusionReport } from "./exclusion.ts";
import { examinationToJson } from "./json.ts";

async function examined(place: Place, path: string): Promise<ExclusionReport | undefined> {
  return (await (await place.engine()).examine(path)).exclusion;
}

/** What is found where the system answers so. */
async function foundIf(
  answer: ExclusionAnswer | Error,
  filesystem: FilesystemFacts = { type: "ext4", class: "local" },
): Promise<ExclusionReport | undefined> {
  const { place, path } = placeWithFile("text\n");
  const os = interceptOs(createNodeOs(), async (call) => {
    if (call.name === "reader.probeExclusion") {
      if (answer instanceof Error) throw answer;
      return answer;
    }
    if (call.name !== "os.openTarget") return call.proceed();
    const opened = (await call.proceed()) as { targetStatus: object };
    return { ...opened, targetStatus: { ...opened.targetStatus, filesystem } };
  });
  return (await (await place.engine({}, os)).examine(path)).exclusion;
}

describe("examine() of a file's exclusion", () => {
  it("B2 says that the kernel can, for how long, and disturbs nobody", async () => {
    const { place, path } = placeWithFile("text\n");
    const before = statSync(path, { bigint: true });
    const engine = await place.engine();
    // Another test may set it meanwhile.
    const breakMs = (): number | undefined =>
      abilities.waitingForExclusion
        ? 1000 * Number(readFileSync("/proc/sys/fs/lease-break-time", "utf8"))
        : undefined;
    const possible: unknown[] = [breakMs()];
    const found = await engine.examine(path);
    possible.push(breakMs());
    expect(found.exclusion?.offers).toBe("kernel");
    const othersWaitMs = found.exclusion?.othersWaitMs;
    expect(possible).toContain(othersWaitMs);
    const waiting = othersWaitMs === undefined ? {} : { others_wait_ms: othersWaitMs };
    expect(examinationToJson(found).exclusion).toEqual({ offers: "kernel", ...waiting });
    closeSync(openSync(path, constants.O_RDWR | (constants.O_NONBLOCK ?? 0)));
    const after = statSync(path, { bigint: true });
    expect([after.mtimeNs, after.ctimeNs]).toEqual([before.mtimeNs, before.ctimeNs]);
    expect(existsSync(place.store)).toBe(false);
    expect((await engine.examine(place.work)).exclusion).toBeUndefined();
    expect((await engine.examine()).exclusion).toBeUndefined();
  });

  it("B2 says that the file is open elsewhere, or kept by somebody else, just now", async () => {
    const { place, path } = placeWithFile("text\n");
    const held = openSync(path, "r+");
    const open = { offers: "cooperative", reason: "open-elsewhere" };
    expect(await examined(place, path)).toMatchObject(open);
    closeSync(held);
    const opened = await createNodeOs().openTarget(path);
    const file = await opened.target.openForWriting();
    expect(await file.startExclusion()).toMatchObject({ granted: true });
    expect(await examined(place, path)).toMatchObject(open);
    // What it asked ended nothing of what the other has.
    expect(await file.overwrite(Buffer.from("T"), 0)).toBe(1);
    for (const handle of [file, opened.target, opened.parent]) await handle.close();
    expect(await examined(place, path)).toMatchObject({ offers: "kernel" });
  });

  it("B2 says that an edit might make others wait for too long", async () => {
    const { place, path } = placeWithFile("text\n");
    truncateSync(path, 64 * 1024 * 1024);
    expect(await examined(place, path)).toMatchObject({
      offers: "cooperative",
      reason: "too-large",
    });
  });

  it("B2 says that the file is another's, or the system's time too short", async () => {
    const owner = await foundIf({ granted: false, reason: "not-owner" });
    expect(owner).toMatchObject({ offers: "cooperative", reason: "not-owner" });
    expect(owner?.why).toMatch(/belongs to another user/);
    const brief = await foundIf({ granted: false, reason: "too-brief" });
    expect(brief).toMatchObject({ offers: "cooperative", reason: "too-brief" });
    expect(brief?.why).toMatch(/lease-break-time/);
  });

  it("B2 says what it is about the filesystem", async () => {
    const refused = { granted: false, reason: "unsupported" } as const;
    for (const [filesystem, why] of [
      [{ type: "nfs", class: "network" }, /on nfs, other hosts/],
      [{ type: "fuse", class: "fuse" }, /on fuse, a program decides/],
      [{ type: "overlay", class: "local" }, /on overlay, who has the file mapped/],
      [{ type: "ext4", class: "local" }, /offers no exclusion that can be relied on/],
    ] as const) {
      const found = await foundIf(refused, filesystem);
      expect(found).toMatchObject({ offers: "cooperative", reason: "unsupported" });
      expect(found?.why).toMatch(why);
    }
  });

  it("B2 says that the file may not be opened", async () => {
    const denied = await foundIf(new OsError("EACCES", "open", {}));
    expect(denied).toMatchObject({ offers: "cooperative", reason: "not-told" });
  });

  it("B2 says so of a file that really is on overlay", async (context) => {
    const place = new Place();
    for (const name of ["lower", "upper", "scratch", "merged"]) mkdirSync(place.path(name));
    writeFileSync(place.path("lower/f"), "x");
    const { work } = place;
    const layers = `lowerdir=${work}/lower,upperdir=${work}/upper,workdir=${work}/scratch`;
    const merged = place.path("merged");
    try {
      execFileSync("mount", ["-t", "overlay", "-o", layers, "overlay", merged], {
        stdio: "ignore",
      });
    } catch {
      context.skip("overlayfs cannot be mounted here (needs root)");
    }
    try {
      const found = await examined(place, `${merged}/f`);
      expect(found?.why).toMatch(/on overlay, who has the file mapped/);
      // It is still the file of the lower layer: nothing was copied up.
      expect(existsSync(place.path("upper/f"))).toBe(false);
    } finally {
      execFileSync("umount", [merged]);
    }
  });
});
