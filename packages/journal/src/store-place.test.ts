import fs from "node:fs";
import path from "node:path";
import { createNodeOs, OsError } from "@fe/native";
import { interceptOs } from "@fe/native/testing";
import { describe, expect, test } from "vitest";
import { needs } from "../../../native/test/abilities.ts";
import { scratch } from "../test/scratch.ts";
import { openJournal, StoreNotPrivateError } from "./index.ts";
import { findStorePlace } from "./store-place.ts";

const node = createNodeOs();
const own = await node.effectiveOwner();

describe("storePlace()", () => {
  test("I9 names the nearest directory that is there, and makes nothing", async () => {
    const { root } = scratch();
    const userDataDirectory = path.join(root, "a", "b");
    const journal = await openJournal(node, { userDataDirectory, engineVersion: "1" });
    const place = await journal.storePlace();
    expect(place).toMatchObject({ path: root, owner: own });
    expect(place.filesystem.class).toBe("local");
    expect(place.refusal).toBeUndefined();
    expect(fs.existsSync(path.join(root, "a"))).toBe(false);
    await journal.close();
  });

  test("S32 says that a folder of somebody else is no place", async () => {
    const { root } = scratch();
    const { refusal } = await findStorePlace(node, path.join(root, "a", "s"), "4294967294");
    expect(refusal).toBeInstanceOf(StoreNotPrivateError);
    expect(refusal?.message).toMatch(/belongs to somebody else .*, so "a" is not made in it/u);
  });

  test("S32 says that the folder may not be written", async () => {
    const { root } = scratch();
    const os = interceptOs(node, async (call) => {
      if (call.name === "os.checkWritable") throw new OsError("EROFS", "checkWritable", {});
      return call.proceed();
    });
    const place = await findStorePlace(os, path.join(root, "s"), own);
    expect(place.refusal).toMatchObject({ code: "EROFS" });
  });

  test("S32 says that the kernel makes up the names there", async (context) => {
    needs(context, "unnamedFiles");
    const { path: found, refusal } = await findStorePlace(node, "/proc/fe/s", own);
    expect(found).toBe("/proc");
    expect(refusal).toMatchObject({ code: "ENOENT" });
  });
});
