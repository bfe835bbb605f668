// What an edit says of a file that is gone and has a record.
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { needs } from "../../../../native/test/abilities.ts";
import { strandEdit } from "../../test/orphans.ts";
import { failureOf, placeWithFile } from "../../test/place.ts";

const edit = { oldString: "two", newString: "zwei" };

async function recordOfMissing() {
  const { place, path } = placeWithFile("one\ntwo\n", "s");
  const id = await strandEdit(place, path, edit, "torn");
  unlinkSync(path);
  return { place, path, id };
}

type Missing = Awaited<ReturnType<typeof recordOfMissing>>;

async function expectNamed({ place, path, id }: Missing, asked: string): Promise<void> {
  const engine = await place.engine();
  for (const attempt of [
    () => engine.edit({ path: asked, ...edit }),
    () => engine.preview({ path: asked, ...edit }),
  ]) {
    const failure = await failureOf(attempt());
    expect(failure).toMatchObject({ code: "FE_NOT_FOUND", effect: "none", path: asked });
    expect(failure.record).toMatchObject({ id, path });
    expect(failure.hint).toContain(`Record ${id.slice(0, 12)} of an interrupted edit`);
    expect(failure.hint).toContain("`recovery.show`");
  }
  expect(place.records()).toHaveLength(1);
}

describe("an edit of a file that is gone", () => {
  it("S18 names the record that stands for just this path", async () => {
    const missing = await recordOfMissing();
    await expectNamed(missing, missing.path);
  });

  it("S18 names the record that stands for just this path, by a link too", async (context) => {
    needs(context, "symlinks");
    const missing = await recordOfMissing();
    const { place } = missing;
    symlinkSync(place.work, place.path("link"));
    await expectNamed(missing, `${place.work}/link/s`);
  });

  it("S18 says nothing of it for another name, or where it may not be told", async () => {
    const { place, path } = await recordOfMissing();
    const engine = await place.engine();
    const other = await failureOf(engine.edit({ path: place.path("other"), ...edit }));
    expect([other.code, other.record]).toEqual(["FE_NOT_FOUND", undefined]);
    mkdirSync(place.path("below"));
    const rooted = await place.engine({ roots: [place.path("below")] });
    const outside = await failureOf(rooted.edit({ path, ...edit }));
    expect([outside.code, outside.record]).toEqual(["FE_OUTSIDE_ROOT", undefined]);
    expect(outside.hint).not.toContain("Record");
  });

  it("Q5 says that there is no such file where the store cannot be used", async (context) => {
    needs(context, "modes");
    const { place, path } = await recordOfMissing();
    chmodSync(place.store, 0o755);
    const open = await failureOf((await place.engine()).edit({ path, ...edit }));
    expect([open.code, open.record]).toEqual(["FE_NOT_FOUND", undefined]);
    chmodSync(place.store, 0o700);
  });

  it("Q5 says that there is no such file where the store is gone", async () => {
    const { place, path } = await recordOfMissing();
    rmSync(place.store, { recursive: true });
    renameSync(place.userData, `${place.userData}.away`);
    const gone = await failureOf((await place.engine()).edit({ path, ...edit }));
    expect([gone.code, gone.record]).toEqual(["FE_NOT_FOUND", undefined]);
  });
});
