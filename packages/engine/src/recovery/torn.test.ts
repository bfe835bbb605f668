// Which files only an interrupted writing of ours leaves.
import { readFileSync, writeFileSync } from "node:fs";
import { OsError } from "@fe/native";
import { describe, expect, it } from "vitest";
import { failureOf, placeWithFile } from "../../test/place.ts";
import { isTorn } from "./torn.ts";

const bytes = (text: string): Buffer => Buffer.from(text);
const before = "one\ntwo\nthree\nfour\n";

describe("isTorn()", () => {
  it.each([
    ["longer", { oldString: "two", newString: "a pair of" }],
    ["shorter", { oldString: "two\nthree", newString: "2" }],
    ["as long", { oldString: "two", newString: "2wo" }],
  ])("B10 knows every file that an edit leaves which is stopped (%s)", async (_, edit) => {
    const { place, path } = placeWithFile(before);
    const engine = await place.engine();
    await engine.edit({ path, ...edit });
    const after = readFileSync(path);
    for (let done = 0; done <= after.length; done++) {
      writeFileSync(path, before);
      let left: Buffer | undefined;
      const stopped = await place.watched((call) => {
        if (call.name !== "target.overwrite") return call.proceed();
        // What a kill leaves in the middle of this very call. It is not written: the edit that
        // fails here finds its before-image, and leaves no record.
        const [piece, position] = call.args as [Uint8Array, number];
        const written = Buffer.from(piece.subarray(0, done));
        const file = bytes(before);
        const rest = file.subarray(position + written.length);
        left = Buffer.concat([file.subarray(0, position), written, rest]);
        throw new OsError("EIO", "pwrite", { path });
      });
      await failureOf(stopped.edit({ path, ...edit }));
      const isWhole = left?.equals(after) || left?.equals(bytes(before));
      expect(isTorn(bytes(before), after, left ?? after), `${done}: ${left}`).toBe(!isWhole);
    }
  });

  it("is none of a whole version, of other bytes, or of an end that was cut off", () => {
    const [old, made] = [bytes("a\nb\nc\n"), bytes("a\nxyz\nc\n")];
    expect(isTorn(old, made, bytes("a\nxyc\n"))).toBe(true);
    for (const text of ["a\nb\nc\n", "a\nxyz\nc\n", "a\nq\nc\n", "a\nx", "", "a\nxyz\nc\nd\n"]) {
      expect(isTorn(old, made, bytes(text)), JSON.stringify(text)).toBe(false);
    }
  });
});
