import { OsError } from "@fe/native";
import { expect, test } from "vitest";
import { renamePatiently } from "./patient-rename.ts";

/** Renames that are refused so often with this code; returns tries and ms slept, and the error. */
async function refused(
  code: string,
  times: number,
): Promise<{ tries: number; sleptMs: number; error: unknown }> {
  const told = { tries: 0, sleptMs: 0, error: undefined as unknown };
  const os = {
    async sleep(milliseconds: number) {
      told.sleptMs += milliseconds;
    },
  };
  const rename = async (): Promise<void> => {
    told.tries += 1;
    if (told.tries <= times) throw new OsError(code, "rename");
  };
  told.error = await renamePatiently(os, rename).catch((error: unknown) => error);
  return told;
}

test("renamePatiently() waits for nothing where nothing is refused", async () => {
  expect(await refused("EBUSY", 0)).toEqual({ tries: 1, sleptMs: 0, error: undefined });
});

test.each(["EPERM", "EACCES", "EBUSY"])("renamePatiently() tries again after %s", async (code) => {
  expect(await refused(code, 3)).toEqual({ tries: 4, sleptMs: 70, error: undefined });
});

test("renamePatiently() gives up within a third of a second, with the system's error", async () => {
  const { tries, sleptMs, error } = await refused("EBUSY", 99);
  expect([tries, sleptMs]).toEqual([6, 310]);
  expect(error).toMatchObject({ code: "EBUSY" });
});

test.each(["ENOENT", "EEXIST", "EIO"])("renamePatiently() takes %s as it is", async (code) => {
  expect(await refused(code, 1)).toMatchObject({ tries: 1, sleptMs: 0, error: { code } });
});
