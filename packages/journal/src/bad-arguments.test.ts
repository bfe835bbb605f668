// What a program in plain JavaScript can give, and the types forbid.
import { createNodeOs } from "@fe/native";
import { describe, expect, test } from "vitest";
import {
  type JournalOptions,
  openJournal,
  resolveUserDataDirectory,
  UserDataError,
} from "./index.ts";

describe("openJournal()", () => {
  test("says which options it needs", async () => {
    const needs = "openJournal needs userDataDirectory and engineVersion, both as text";
    for (const options of [{ userDataDirectory: "/x" }, { engineVersion: "1" }, {}]) {
      const opening = openJournal(createNodeOs(), options as JournalOptions);
      await expect(opening).rejects.toThrow(new TypeError(needs));
    }
  });
});

describe("openJournal() with an option that it does not have", () => {
  test("names it, since what it was to say would count for nothing", async () => {
    const options = { userDataDirectory: "/x", engineVersion: "1", profile: "work" };
    const opening = openJournal(createNodeOs(), options);
    await expect(opening).rejects.toThrow(new TypeError('openJournal has no option "profile"'));
  });
});

describe("resolveUserDataDirectory()", () => {
  test("refuses a name or directory that is no text", async () => {
    const environment = await createNodeOs().environment();
    for (const name of ["userDataDirectory", "appName", "profile", "electronAppData"]) {
      expect(() => resolveUserDataDirectory(environment, { [name]: 7 })).toThrow(UserDataError);
    }
  });
});
