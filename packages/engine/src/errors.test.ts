// The class of the public error, as loggers and programs with two copies of the package meet it.
import { describe, expect, it, vi } from "vitest";
import { strandEdit } from "../test/orphans.ts";
import { failureOf, placeWithFile } from "../test/place.ts";
import { FeError } from "./errors.ts";

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

  it("is an instance of the class of another copy of the package; nothing else is", async () => {
    vi.resetModules();
    const other = (await import("./errors.ts")).FeError;
    expect(other).not.toBe(FeError);
    const error = new other("FE_BUSY", "busy");
    expect(error instanceof FeError).toBe(true);
    expect(Object.getPrototypeOf(error)).not.toBe(FeError.prototype);
    class Special extends FeError {}
    expect(error instanceof Special).toBe(false);
    expect(new Special("FE_BUSY", "busy") instanceof Special).toBe(true);
    for (const value of [new Error("x"), { code: "FE_BUSY" }, null, "FE_BUSY", undefined]) {
      expect((value as unknown) instanceof FeError).toBe(false);
    }
  });
});
