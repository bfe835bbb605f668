// The public error, as loggers meet it. Copies of its class: error-copies.test.ts.
import { describe, expect, it } from "vitest";
import { strandEdit } from "../test/orphans.ts";
import { failureOf, placeWithFile } from "../test/place.ts";

describe("FeError", () => {
  it("can be put into JSON with the record that it is about, 64-bit numbers as text", async () => {
    const { place, path } = placeWithFile("one\n");
    const id = await strandEdit(place, path, { oldString: "one", newString: "1" }, "torn");
    const engine = await place.engine();
    const failure = await failureOf(engine.edit({ path, oldString: "torn", newString: "x" }));
    // So it is the record's identity that makes the difference.
    expect(() => JSON.stringify(failure.record)).toThrow(/BigInt/u);
    const { code, message, hint, effect } = failure;
    expect(JSON.parse(JSON.stringify({ failure }))).toMatchObject({
      failure: { name: "FeError", code, message, hint, effect, path, record: { id, path } },
    });
    const { identity } = JSON.parse(JSON.stringify(failure)).record;
    expect(identity.file).toBe(failure.record?.identity?.file.toString());
  });
});
