// A record whose key a file has got that was made after its own was removed.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { FileStatus } from "@fe/native";
import { describe, expect, it } from "vitest";
import { needs } from "../../../../native/test/abilities.ts";
import { strandEdit } from "../../test/orphans.ts";
import { failureOf, placeWithFile } from "../../test/place.ts";

const edit = { oldString: "two", newString: "zwei" };

/**
 * `s` with a record, and `q`, which has its number. A system gives a number again when it likes, so
 * `q` is `s` renamed, and the port tells another time of birth.
 */
async function numberGivenAgain() {
  const { place, path } = placeWithFile("one\ntwo\n", "s");
  const id = await strandEdit(place, path, edit, "torn");
  const fresh = place.path("q");
  renameSync(path, fresh);
  writeFileSync(fresh, "one\ntwo\n");
  const reborn = await place.watched(async (call) => {
    const answer = await call.proceed();
    if (!/^(pinned|reader|target)\.status$/u.test(call.name)) return answer;
    const { identity } = answer as FileStatus;
    const birthTimeNs = (identity.birthTimeNs ?? 0n) + 1n;
    return { ...(answer as FileStatus), identity: { ...identity, birthTimeNs } };
  });
  const hasBirthTime = (await reborn.identify(fresh)).identity.birthTimeNs !== undefined;
  return { place, path, fresh, id, reborn, hasBirthTime };
}

describe("an edit of a file that got the number of another", () => {
  it.for(["gone", "another file by now"])(
    "S17 says whose record it is (that is %s)",
    async (state, context) => {
      needs(context, "birthTimes");
      const { place, path, fresh, id, reborn, hasBirthTime } = await numberGivenAgain();
      expect(hasBirthTime).toBe(true);
      if (state !== "gone") writeFileSync(path, "new");
      for (const attempt of [
        () => reborn.edit({ path: fresh, ...edit }),
        () => reborn.preview({ path: fresh, ...edit }),
      ]) {
        const failure = await failureOf(attempt());
        expect(failure).toMatchObject({ code: "FE_RECOVERY_REQUIRED", effect: "none" });
        expect(failure.record).toMatchObject({ id, path, choices: ["current"] });
        expect(failure.message).toContain(
          `an edit of "${path}" was interrupted, and that is ${state}`,
        );
      }
      const { movedRecordTo = "" } = await reborn.recovery.resolve(id, { keep: "current" });
      expect(existsSync(movedRecordTo)).toBe(true);
      const plain = await place.engine();
      expect((await plain.edit({ path: fresh, ...edit })).status).toBe("applied");
      expect(readFileSync(fresh, "utf8")).toBe("one\nzwei\n");
    },
  );

  it("S17 does not say so of the same file under another name", async () => {
    const { place, fresh } = await numberGivenAgain();
    writeFileSync(fresh, "neither");
    const failure = await failureOf((await place.engine()).edit({ path: fresh, ...edit }));
    expect(failure.message).not.toContain("was made since");
    expect(failure.record?.choices).toContain("before");
  });
});
