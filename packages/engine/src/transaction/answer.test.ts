// Hooks that answer late, never, or by a rejection: what ends the wait, and that nobody is harmed.
import { readFileSync } from "node:fs";
import { createNodeOs, type Os } from "@fe/native";
import { interceptOs } from "@fe/native/testing";
import { describe, expect, it } from "vitest";
import { strandEdit } from "../../test/orphans.ts";
import { failureOf, placeWithFile } from "../../test/place.ts";
import { unhandledDuring } from "../../test/unhandled.ts";

const text = "one\ntwo\n";
const swap = { oldString: "two", newString: "2" };

/** A port on which 5 s are over at once, whoever waits for them. */
function impatientOs(): Os {
  return interceptOs(createNodeOs(), (call) =>
    call.name === "os.sleep" && call.args[0] === 5_000 ? undefined : call.proceed(),
  );
}

const never = (): Promise<boolean> => new Promise(() => {});

describe("answerOf()", () => {
  it("S4 close ends an edit whose hook never answers, and nothing was changed", async () => {
    for (const hook of ["authorize", "beforeCommit"] as const) {
      const { place, path } = placeWithFile(text);
      let isAsked = (): void => {};
      const asked = new Promise<void>((resolve) => {
        isAsked = resolve;
      });
      const silent = (): Promise<boolean> => {
        isAsked();
        return never();
      };
      const engine = await place.engine({ [hook]: silent }, impatientOs());
      const calls = [engine.edit({ path, ...swap }), engine.edit({ path, ...swap })];
      const failures = calls.map(failureOf);
      await asked;
      await engine.close();
      for (const failure of await Promise.all(failures)) {
        expect(failure).toMatchObject({ code: "FE_CLOSED", effect: "none", path });
        expect(failure.message).toContain(`${hook} gave no answer within 5 s`);
      }
      expect(readFileSync(path, "utf8")).toBe(text);
      expect(place.storeNames()).toEqual([]);
    }
  });

  it("S4 close ends a preview and a resolution that wait for authorize", async () => {
    const { place, path } = placeWithFile(text);
    const id = await strandEdit(place, path, swap, "torn");
    const engine = await place.engine({ authorize: never }, impatientOs());
    const request = { path, oldString: "torn", newString: "x" };
    const failures = [engine.preview(request), engine.recovery.resolve(id, { keep: "before" })].map(
      failureOf,
    );
    await engine.close();
    for (const { code } of await Promise.all(failures)) expect(code).toBe("FE_CLOSED");
    expect(readFileSync(path, "utf8")).toBe("torn");
    expect(place.records()).toHaveLength(1);
  });

  it("S4 close waits for a hook that does answer", async () => {
    const { place, path } = placeWithFile(text);
    const slow = async (): Promise<boolean> => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return true;
    };
    const engine = await place.engine({ authorize: slow, beforeCommit: slow });
    const edit = engine.edit({ path, ...swap });
    await engine.close();
    expect((await edit).status).toBe("applied");
  });

  it("B15 the signal ends the wait, and what the hook says then harms nobody", async () => {
    for (const hook of ["authorize", "beforeCommit"] as const) {
      const { place, path } = placeWithFile(text);
      const controller = new AbortController();
      let fail = (_: Error): void => {};
      const rejected = new Promise<boolean>((_, reject) => {
        fail = reject;
      });
      const engine = await place.engine({
        [hook]: () => {
          setImmediate(() => controller.abort());
          return rejected;
        },
      });
      const met = await unhandledDuring("unhandledRejection", async () => {
        const { signal } = controller;
        const failure = await failureOf(engine.edit({ path, ...swap }, { signal }));
        expect(failure).toMatchObject({ code: "FE_ABORTED", effect: "none" });
        fail(new Error("too late"));
      });
      expect(met).toEqual([]);
      expect(readFileSync(path, "utf8")).toBe(text);
    }
  });

  it("S4 a promise that rejects is a refusal, in edit, preview and resolve", async () => {
    const { place, path } = placeWithFile(text);
    const id = await strandEdit(place, path, swap, "torn");
    const cause = new Error("no server");
    const engine = await place.engine({ authorize: () => Promise.reject(cause) });
    const request = { path, oldString: "torn", newString: "x" };
    const met = await unhandledDuring("unhandledRejection", async () => {
      for (const attempt of [
        engine.edit(request),
        engine.preview(request),
        engine.recovery.resolve(id, { keep: "before" }),
      ]) {
        expect(await failureOf(attempt)).toMatchObject({ code: "FE_POLICY_DENIED", cause });
      }
    });
    expect(met).toEqual([]);
  });

  it("is no leak to Node, however many ask at once", async () => {
    const { place, path } = placeWithFile("x".repeat(40));
    const engine = await place.engine({ authorize: () => true });
    const warned: string[] = [];
    const watch = ({ name }: Error): number => warned.push(name);
    process.on("warning", watch);
    const request = { path, oldString: "x".repeat(40), newString: "y" };
    await Promise.all(Array.from({ length: 40 }, () => engine.preview(request)));
    await new Promise(setImmediate);
    process.off("warning", watch);
    expect(warned).toEqual([]);
  });
});
