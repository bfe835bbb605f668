// What reading a shown version can meet.
import { writeFileSync } from "node:fs";
import { OsError } from "@fe/native";
import { describe, expect, it } from "vitest";
import { strandEdit } from "../../test/orphans.ts";
import { failureOf, Place } from "../../test/place.ts";
import type { Version } from "../record-report.ts";
import type { ShownVersion } from "../result.ts";

/** More than is kept in memory. */
const before = `one two\n${"x".repeat(9 * 1024 * 1024)}\n`;
const edit = { oldString: "one", newString: "1" };

async function readAll(shown: ShownVersion): Promise<string> {
  let text = "";
  for await (const chunk of shown.chunks()) text += Buffer.from(chunk).toString();
  return text;
}

/** A version of a record, shown; from `fail` on every reading of the system fails so. */
async function shownThatFails(version: Version, code: string) {
  const place = new Place();
  const path = place.path("a");
  writeFileSync(path, before);
  const id = await strandEdit(place, path, edit, "torn");
  let isFailing = false;
  const engine = await place.watched((call) => {
    const isReading = call.name === "reader.read" || call.name === "file.read";
    if (isFailing && isReading) throw new OsError(code, "pread", { path });
    return call.proceed();
  });
  const shown = await engine.recovery.show(id, version);
  return {
    path,
    shown,
    fail: () => {
      isFailing = true;
    },
  };
}

describe("ShownVersion.chunks()", () => {
  it.each(["before", "after", "current"] as const)(
    "Q5 rejects with an FeError if a read of %s fails",
    async (version) => {
      const { shown, path, fail } = await shownThatFails(version, "EIO");
      fail();
      const failure = await failureOf(readAll(shown));
      expect(failure).toMatchObject({ code: "FE_IO", effect: "none", path, operation: "pread" });
      expect(failure.message).toContain(`Cannot read version "${version}" of "${path}"`);
      expect(failure.hint).toMatch(/system's log/u);
      expect(failure.cause).toBeInstanceOf(OsError);
      await shown.close();
    },
  );

  it("Q5 is FE_CLOSED after close", async () => {
    const { shown } = await shownThatFails("current", "EIO");
    await shown.close();
    await shown.close();
    const failure = await failureOf(readAll(shown));
    expect(failure).toMatchObject({ code: "FE_CLOSED", effect: "none", hint: "Show it again" });
  });

  it("leaves an error of the loop's own body as it is, and can be read again", async () => {
    const { shown } = await shownThatFails("before", "EIO");
    const own = new RangeError("of the caller");
    const reading = (async () => {
      for await (const _ of shown.chunks()) throw own;
    })();
    await expect(reading).rejects.toBe(own);
    expect(await readAll(shown)).toBe(before);
    await shown.close();
  });
});
