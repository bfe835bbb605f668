// The sync of the store's directory that nobody waits for.
import { writeFileSync } from "node:fs";
import { OsError } from "@fe/native";
import { expect, it } from "vitest";
import { failureOf, Place } from "../test/place.ts";

it("A4 a late sync that failed is told by close(), once, and never tried again", async () => {
  const place = new Place();
  const path = place.path("a");
  writeFileSync(path, "one\n");
  let isLate = false;
  let lateSyncs = 0;
  let wasTried: () => void = () => {};
  const tried = new Promise<void>((resolve) => {
    wasTried = resolve;
  });
  const engine = await place.watched((call) => {
    if (!isLate || call.name !== "directory.sync") return call.proceed();
    lateSyncs += 1;
    wasTried();
    throw new OsError("EIO", "fsync", {});
  });
  const { status } = await engine.edit({ path, oldString: "one", newString: "1" });
  isLate = true;
  expect(status).toBe("applied");
  await tried;
  const failure = await failureOf(engine.close());
  expect(failure).toMatchObject({ code: "FE_IO", effect: "none" });
  expect(failure.message).toMatch(/make the removal of a record durable/);
  expect(lateSyncs).toBe(1);
  place.forget(engine);
});
