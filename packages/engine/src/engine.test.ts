// What an open engine says of itself.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { failureOf, Place } from "../test/place.ts";

describe("Engine.roots", () => {
  it("has real paths, in the order in which the roots were given", async () => {
    const place = new Place();
    for (const name of ["one", "two"]) mkdirSync(place.path(name));
    symlinkSync(place.path("one"), place.path("link"));
    const engine = await place.engine({ roots: [place.path("two"), place.path("link")] });
    expect(engine.roots).toEqual([place.path("two"), place.path("one")]);
  });

  it("stays when the link that led to a root is turned elsewhere", async () => {
    const place = new Place();
    for (const name of ["one", "two"]) {
      mkdirSync(place.path(name));
      writeFileSync(place.path(`${name}/f`), "a\n");
    }
    const link = place.path("link");
    symlinkSync(place.path("one"), link);
    const engine = await place.engine({ roots: [link] });
    rmSync(link);
    symlinkSync(place.path("two"), link);
    expect(engine.roots).toEqual([place.path("one")]);
    const edit = engine.edit({ path: `${link}/f`, oldString: "a", newString: "b" });
    expect((await failureOf(edit)).code).toBe("FE_OUTSIDE_ROOT");
  });

  it("is undefined without a limit", async () => {
    const place = new Place();
    expect((await place.engine()).roots).toBeUndefined();
  });
});
