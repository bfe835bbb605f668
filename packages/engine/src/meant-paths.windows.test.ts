// A path as POSIX layers of Windows and URLs write it: refused by its text, and the file is named.
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { failureOf, placeWithFile } from "../test/place.ts";

const edit = { oldString: "x", newString: "y" };

describe("an edit of a path in another form, on Windows", () => {
  it.each([
    ["a URI", (path: string) => pathToFileURL(path).href],
    ["the path of a URL", (path: string) => pathToFileURL(path).pathname],
    ["a URI with its colon encoded", (path: string) => `file:///${path.replace(":", "%3A")}`],
    ["a directory for the drive", (path: string) => `/${path.replace(":", "")}`],
    ["a mounted drive", (path: string) => `/mnt/${path.replace(":", "")}`],
    ["a backslash and quotes", (path: string) => path.replace(/a$/, '"a"').replaceAll("/", "\\")],
  ])("names the file that is there: %s", async (_what, other) => {
    const { place, path } = placeWithFile("x\n");
    const engine = await place.engine({ roots: [place.root] });
    const asked = other(path.replaceAll("\\", "/"));
    const failure = await failureOf(engine.edit({ path: asked, ...edit }));
    expect(failure.code).toBe("FE_INVALID_REQUEST");
    const hint = `"${path}" is there; name it so`.replaceAll("\\", "/");
    expect(failure.hint?.replaceAll("\\", "/")).toBe(hint);
  });
});
