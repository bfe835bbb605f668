// Reports of faults that show after many edits only, which would make `npm test` long.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { failureOf, Place } from "../../../../packages/engine/test/place.ts";
import { readSizes } from "../../harness/read-sizes.ts";

const kib = 1024;
const edit = { oldString: "one", newString: "1" };

describe("many edits", () => {
  it("3A-2 applies 200 rounds of a longer and a shorter edit of 1 MiB, the end exact", async () => {
    const place = new Place();
    const engine = await place.engine();
    const long = "x".repeat(50 * kib);
    const middle = "0123456789abcdef".repeat(32 * kib);
    const textOf = (first: string, second: string): string =>
      `<a>${first}</a>${middle}<b>${second}</b>${middle}the last bytes`;
    const path = place.path("f");
    writeFileSync(path, textOf("", long));
    for (let round = 0; round < 200; round++) {
      const [isFirstLong, to] = round % 2 === 0 ? [false, long] : [true, ""];
      const from = isFirstLong ? long : "";
      const results = await Promise.all([
        engine.edit({ path, oldString: `<a>${from}</a>`, newString: `<a>${to}</a>` }),
        engine.edit({ path, oldString: `<b>${to}</b>`, newString: `<b>${from}</b>` }),
      ]);
      expect(results.map(({ status }) => status)).toEqual(["applied", "applied"]);
      const wanted = Buffer.from(textOf(to, from));
      expect(readFileSync(path).equals(wanted), `round ${round}`).toBe(true);
    }
    expect(place.storeNames()).toEqual([]);
  });

  it("3A-6 never finds no bytes when it reads at each event of a watcher", async () => {
    const place = new Place();
    const path = place.path("f");
    const texts = ["a line\n", `${"a longer line ".repeat(40)}\n`];
    const [short = "", long = ""] = texts;
    writeFileSync(path, short);
    const reader = await readSizes(path, "watch");
    const engine = await place.engine();
    for (let count = 0; count < 1000; count++) {
      const [oldString, newString] = count % 2 === 0 ? [short, long] : [long, short];
      await engine.edit({ path, oldString, newString });
    }
    const { reads, fewest } = await reader.stop();
    expect(reads).toBeGreaterThan(100);
    expect(fewest).toBe(short.length);
  });

  it("3C-8 leave no descriptor behind, 10,000 of them", async (context) => {
    const descriptors = "/proc/self/fd";
    const count = (): number => {
      try {
        return readdirSync(descriptors).length;
      } catch {
        return context.skip("there is no /proc");
      }
    };
    const place = new Place();
    const path = place.path("f");
    writeFileSync(path, "one one\n");
    mkdirSync(place.path("d"));
    const engine = await place.engine({ roots: [place.work] });
    const requests = [
      { path, oldString: "not there", newString: "x" },
      { path, ...edit },
      { path, ...edit, expectedSha256: "0".repeat(64) },
      { path: place.path("d"), ...edit },
      { path: place.path("nothing"), ...edit },
    ];
    for (const request of requests) await failureOf(engine.edit(request));
    const first = count();
    for (let round = 0; round < 10_000 / requests.length; round++) {
      for (const request of requests) await failureOf(engine.edit(request));
    }
    expect(count()).toBe(first);
    expect(place.storeNames()).toEqual([]);
  });
});
