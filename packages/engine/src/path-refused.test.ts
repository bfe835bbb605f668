// Paths that only Windows gives a meaning of their own, refused by their text: the port's rule in
// place of its own resolving, so that the answer of the engine is tested on every system.
import { checkWindowsPath, createNodeOs } from "@fe/native";
import { interceptOs } from "@fe/native/testing";
import { describe, expect, it } from "vitest";
import { failureOf, Place } from "../test/place.ts";

describe("edit() of a path that Windows reads in another way", () => {
  const swap = { oldString: "x", newString: "y" };

  it.each([
    ["a.txt:s", "names a stream of a file, not the file", "without the colon"],
    ["NUL.txt", "stands for a device", "Rename the file"],
    ["\\\\?\\GLOBALROOT\\x", "leads past the file system", "Name the file by its drive"],
    ["a.txt.", "Windows drops the dot or space", "as it stands in its folder"],
    ["C:a.txt", "whatever folder is current on a drive", "backslash behind the colon"],
  ])(
    "Q5 refuses %j before the system is asked for anything, roots or none",
    async (path, why, do_) => {
      const place = new Place();
      for (const roots of [undefined, [place.work]]) {
        const asked: string[] = [];
        const os = interceptOs(createNodeOs(), (call) => {
          const isThisPath = call.name === "os.resolveRealPath" && call.args[0] === path;
          // The pause before the late sync, which an idle engine makes at any time.
          const isOfEdit = isThisPath || (asked.length > 0 && call.name !== "os.sleep");
          if (isOfEdit) asked.push(call.name);
          // Other forms of the path, which may have been meant, are judged by their text as well.
          const isForm = isOfEdit && call.name === "os.resolveRealPath";
          if (isForm) checkWindowsPath("resolveRealPath", String(call.args[0]));
          return call.proceed();
        });
        const engine = await place.engine(roots === undefined ? {} : { roots }, os);
        const failure = await failureOf(engine.edit({ path, ...swap }));
        expect(failure).toMatchObject({ code: "FE_INVALID_REQUEST", effect: "none" });
        expect(failure.message).toContain(why);
        expect(failure.hint).toContain(do_);
        const forms = ["os.resolveRealPath", "os.environment"];
        expect(asked.filter((name) => !forms.includes(name))).toEqual([]);
        expect(place.storeNames()).toEqual([]);
      }
    },
  );
});
