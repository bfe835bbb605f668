// Hooks: what may change while they think, and what their answer does. No lock is held meanwhile.
import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { createNodeOs } from "@fe/native";
import { interceptOs } from "@fe/native/testing";
import { describe, expect, it } from "vitest";
import { failureOf, type Place, placeWithFile } from "../../test/place.ts";

const swap = { oldString: "two", newString: "2" };

describe("an edit that asks hooks", () => {
  const path = (place: Place): string => place.path("d/a");

  it("S6 keeps an independent change made meanwhile", async () => {
    const { place } = placeWithFile("one\ntwo\nthree\n", "d/a");
    const engine = await place.engine({
      beforeCommit: () => {
        writeFileSync(path(place), "ONE\nand more\ntwo\nthree\n");
        return true;
      },
    });
    const result = await engine.edit({ path: path(place), ...swap });
    expect(result.status).toBe("applied");
    expect(readFileSync(path(place), "utf8")).toBe("ONE\nand more\n2\nthree\n");
    expect(result.matches).toEqual([{ line: 3, column: 1, byteOffset: 13 }]);
  });

  it("S6 is a conflict when the text is gone or ambiguous after it", async () => {
    for (const text of ["one\nthree\n", "one\ntwo\ntwo\n"]) {
      const { place } = placeWithFile("one\ntwo\nthree\n", "d/a");
      const engine = await place.engine({
        beforeCommit: () => {
          writeFileSync(path(place), text);
          return true;
        },
      });
      const failure = await failureOf(engine.edit({ path: path(place), ...swap }));
      expect(failure.code).toBe("FE_CONTENT_CHANGED");
      expect(readFileSync(path(place), "utf8")).toBe(text);
      expect(place.storeNames()).toEqual([]);
    }
  });

  it("S7 replaceAll needs the count that it saw first", async () => {
    const { place } = placeWithFile("one\ntwo\nthree\n", "d/a");
    const engine = await place.engine({
      beforeCommit: () => {
        appendFileSync(path(place), "two\n");
        return true;
      },
    });
    const failure = await failureOf(engine.edit({ path: path(place), ...swap, replaceAll: true }));
    expect(failure.code).toBe("FE_CONTENT_CHANGED");
    expect(readFileSync(path(place), "utf8")).toBe("one\ntwo\nthree\ntwo\n");
  });

  it("S7 replaceAll goes on when the count is the same elsewhere", async () => {
    const { place } = placeWithFile("one\ntwo\nthree\n", "d/a");
    const engine = await place.engine({
      beforeCommit: () => {
        writeFileSync(path(place), "two\nmoved up\n");
        return true;
      },
    });
    const result = await engine.edit({ path: path(place), ...swap, replaceAll: true });
    expect(result.replacements).toBe(1);
    expect(readFileSync(path(place), "utf8")).toBe("2\nmoved up\n");
  });

  it("S4 stops when authorize says no, the first or the second time", async () => {
    for (const answers of [[false], [true, false]]) {
      const { place } = placeWithFile("one\ntwo\nthree\n", "d/a");
      const asked: boolean[] = [];
      const engine = await place.engine({
        authorize: () => {
          const answer = answers[asked.length] ?? true;
          asked.push(answer);
          return answer;
        },
      });
      const failure = await failureOf(engine.edit({ path: path(place), ...swap }));
      expect(failure.code).toBe("FE_POLICY_DENIED");
      expect(asked).toEqual(answers);
      expect(readFileSync(path(place), "utf8")).toBe("one\ntwo\nthree\n");
      expect(place.storeNames()).toEqual([]);
    }
  });

  it("S4 stops when the mode changed while a hook was thinking", async () => {
    const { place } = placeWithFile("one\ntwo\nthree\n", "d/a");
    const engine = await place.engine({
      beforeCommit: () => {
        chmodSync(path(place), 0o400);
        return true;
      },
    });
    const failure = await failureOf(engine.edit({ path: path(place), ...swap }));
    expect(failure.code).toBe("FE_PERMISSION_CHANGED");
  });

  it("S2 S3 stops when target or parent changed while a hook was thinking", async () => {
    const { place } = placeWithFile("one\ntwo\nthree\n", "d/a");
    const engine = await place.engine({
      beforeCommit: () => {
        renameSync(place.path("d"), place.path("old"));
        mkdirSync(place.path("d"));
        linkSync(place.path("old/a"), place.path("d/a"));
        return true;
      },
    });
    const failure = await failureOf(engine.edit({ path: path(place), ...swap }));
    expect(failure.code).toBe("FE_PARENT_REPLACED");
  });

  it("treats a throw and a missing answer as no, and holds no lock while it asks", async () => {
    const { place } = placeWithFile("one\ntwo\nthree\n", "d/a");
    const throwing = await place.engine({
      beforeCommit: () => {
        expect(place.storeNames()).toEqual([]);
        throw new Error("not today");
      },
    });
    const failure = await failureOf(throwing.edit({ path: path(place), ...swap }));
    expect(failure.code).toBe("FE_POLICY_DENIED");
    const os = interceptOs(createNodeOs(), (call) =>
      call.name === "os.sleep" && call.args[0] === 5000 ? undefined : call.proceed(),
    );
    let questions = 0;
    const silent = await place.engine(
      {
        authorize: () => {
          questions += 1;
          return questions === 1 ? true : new Promise<boolean>(() => {});
        },
      },
      os,
    );
    const late = await failureOf(silent.edit({ path: path(place), ...swap }));
    expect(late.message).toMatch(/no answer within 5 s/);
    expect(place.storeNames()).toEqual([]);
  });

  it("is busy at once when a hook edits the same file, and lets it edit another", async () => {
    const { place } = placeWithFile("one\ntwo\nthree\n", "d/a");
    writeFileSync(place.path("d/b"), "two");
    const codes: string[] = [];
    const engine = await place.engine({
      beforeCommit: async ({ path: asked }) => {
        if (asked === place.path("d/b")) return true;
        linkSync(path(place), place.path("d/link"));
        codes.push((await failureOf(engine.edit({ path: place.path("d/link"), ...swap }))).code);
        await engine.edit({ path: place.path("d/b"), ...swap });
        return true;
      },
    });
    await engine.edit({ path: path(place), ...swap });
    expect(codes).toEqual(["FE_BUSY"]);
    expect(readFileSync(place.path("d/b"), "utf8")).toBe("2");
  });

  it("shows beforeCommit what would be written", async () => {
    const { place } = placeWithFile("one\ntwo\nthree\n", "d/a");
    const seen: unknown[] = [];
    const engine = await place.engine({
      beforeCommit: (question) => {
        seen.push(question);
        return true;
      },
    });
    const result = await engine.edit({ path: path(place), ...swap });
    const { beforeSha256, afterSha256 } = result;
    expect(seen).toMatchObject([{ beforeSha256, afterSha256, replacements: 1 }]);
    const written = createHash("sha256").update("one\n2\nthree\n").digest("hex");
    expect(afterSha256).toBe(written);
  });
});
