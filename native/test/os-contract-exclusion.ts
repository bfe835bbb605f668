/** The part of the contract about keeping others out, where a world can. */
import { describe, expect, type TestContext, test } from "vitest";
import type { OpenedTarget, TargetFile } from "../lib/index.ts";
import { codeOf, type World } from "./contract-world.ts";

interface Held extends OpenedTarget {
  readonly file: TargetFile;
  letGo(): Promise<void>;
}

/** A file, open for writing; skips where nobody can be kept out. */
async function openAlone({ os, root, ...w }: World, context: TestContext): Promise<Held> {
  await w.writeFile(`${root}/f`, "text");
  const opened = await os.openTarget(`${root}/f`);
  const file = await opened.target.openForWriting();
  const letGo = async (): Promise<void> => {
    await Promise.all([file.close(), opened.target.close(), opened.parent.close()]);
  };
  const answer = await file.probeExclusion();
  if (!answer.granted && answer.reason === "unsupported") {
    await letGo();
    context.skip("this world has no exclusion");
  }
  return { ...opened, file, letGo };
}

export function exclusionContract(world: () => World): void {
  describe("exclusion of a target", () => {
    test("B2 keeps others out until it is ended, and notices who asks", async (context) => {
      const { file, target, letGo } = await openAlone(world(), context);
      const answer = await file.startExclusion();
      expect(answer).toMatchObject({ granted: true });
      expect(answer.granted && answer.holdsMs).toBeGreaterThanOrEqual(5_000);
      expect(await file.isExclusionUnbroken()).toBe(true);
      const { keepsReadersOut } = world().has;
      if (keepsReadersOut) expect(await codeOf(target.openForReading())).toBe("EAGAIN");
      else await (await target.openForReading()).close();
      expect(await codeOf(target.openForWriting())).toBe(keepsReadersOut ? "EAGAIN" : "EBUSY");
      // Where the others have to wait, somebody waits now.
      expect(await file.isExclusionUnbroken()).toBe(!keepsReadersOut);
      // Its own handle still does everything.
      expect((await file.status()).sizeBytes).toBe(4);
      expect(await file.overwrite(Buffer.from("T"), 0)).toBe(1);
      await file.endExclusion();
      await file.endExclusion();
      expect(await file.isExclusionUnbroken()).toBe(false);
      await (await target.openForWriting()).close();
      expect(await file.startExclusion()).toMatchObject({ granted: true });
      await letGo();
    });

    test("B2 ends with the handle", async (context) => {
      const { file, target, letGo } = await openAlone(world(), context);
      await file.startExclusion();
      await file.close();
      await (await target.openForWriting()).close();
      await letGo();
    });

    test("B2 is refused while another is open; pinned ones do not count", async (context) => {
      const { os, root, has } = world();
      const { file, target, letGo } = await openAlone(world(), context);
      const pinned = await os.openTarget(`${root}/f`);
      const other = await (has.keepsReadersOut ? target.openForReading() : target.openForWriting());
      const refused = { granted: false, reason: "open-elsewhere" };
      expect(await file.startExclusion()).toEqual(refused);
      expect(await file.startExclusion(100)).toEqual(refused);
      expect(await file.probeExclusion()).toEqual(refused);
      await other.close();
      expect(await file.startExclusion()).toMatchObject({ granted: true });
      await Promise.all([pinned.target.close(), pinned.parent.close()]);
      await letGo();
    });

    test("probeExclusion() tells what would be answered, and keeps nobody out", async (context) => {
      const { file, target, letGo } = await openAlone(world(), context);
      await file.close();
      const reader = await target.openForReading();
      expect(await reader.probeExclusion()).toMatchObject({ granted: true });
      await (await target.openForWriting()).close();
      await reader.close();
      await letGo();
    });
  });
}
