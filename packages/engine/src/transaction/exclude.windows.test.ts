// Everyone else kept out on Windows: who asks to write is refused at once, who reads is let in.
import { closeSync, openSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { createNodeOs } from "@fe/native";
import { interceptOs } from "@fe/native/testing";
import { describe, expect, it } from "vitest";
import { failureOf, Place } from "../../test/place.ts";

const before = `${"a".repeat(3000)}needle${"z".repeat(3000)}`;
const edit = { oldString: "needle", newString: "a much longer text" };
const edited = before.replace(edit.oldString, edit.newString);

/** The code with which Node refuses to do it; `undefined`: it was done. */
function refusalOf(act: () => unknown): unknown {
  try {
    act();
    return undefined;
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error;
  }
}

describe("an edit with others kept out", () => {
  it("B2 refuses writers, a rename and a removal at every point, and lets readers in", async () => {
    const place = new Place();
    const path = place.path("a");
    writeFileSync(path, before);
    const points: string[] = [];
    let isKept = false;
    const os = interceptOs(createNodeOs(), async (call) => {
      const answer = await call.proceed();
      if (call.name === "target.startExclusion") isKept = true;
      if (!isKept || call.name === "directory.finishRecord") return answer;
      if (call.name === "target.close") isKept = false;
      if (!isKept) return answer;
      points.push(call.name);
      expect(
        refusalOf(() => openSync(path, "r+")),
        call.name,
      ).toBe("EBUSY");
      expect(
        refusalOf(() => renameSync(path, place.path("b"))),
        call.name,
      ).toBe("EBUSY");
      expect(
        refusalOf(() => unlinkSync(path)),
        call.name,
      ).toBe("EBUSY");
      closeSync(openSync(path, "r"));
      return answer;
    });
    const engine = await place.engine({}, os);
    const result = await engine.edit({ path, ...edit }, { exclusive: "require" });
    expect(result.exclusion).toBe("kernel");
    for (const name of ["target.read", "file.sync", "target.overwrite", "target.sync"]) {
      expect(points).toContain(name);
    }
    expect(readFileSync(path, "utf8")).toBe(edited);
    closeSync(openSync(path, "r+"));
  });

  it("B2 without it a writer is let in, and the edit sees what it did", async () => {
    const place = new Place();
    const path = place.path("a");
    writeFileSync(path, before);
    const engine = await place.before("target.overwrite", () => closeSync(openSync(path, "r+")));
    const result = await engine.edit({ path, ...edit }, { exclusive: "off" });
    expect(result.exclusion).toBe("cooperative");
    const appending = await place.beforeNext(["target.read", "file.sync"], () =>
      writeFileSync(path, `${edited}from outside\n`),
    );
    const back = { oldString: edit.newString, newString: edit.oldString };
    const failure = await failureOf(appending.edit({ path, ...back }, { exclusive: "off" }));
    expect(failure.code).toBe("FE_CONTENT_CHANGED");
    expect(readFileSync(path, "utf8")).toBe(`${edited}from outside\n`);
  });
});
