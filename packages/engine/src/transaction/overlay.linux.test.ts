// Overlayfs: opening for writing copies the file up and gives file and directory another identity.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Place } from "../../test/place.ts";

/** Mounts an overlay whose lower layer has `d/a`; `undefined` where this process may not. */
function mountOverlay(place: Place): string | undefined {
  const [lower, upper, work, merged] = ["lower", "upper", "scratch", "merged"].map((name) => {
    mkdirSync(place.path(name));
    return place.path(name);
  });
  mkdirSync(`${lower}/d`);
  writeFileSync(`${lower}/d/a`, "one two\n");
  const layers = `lowerdir=${lower},upperdir=${upper},workdir=${work}`;
  try {
    execFileSync("mount", ["-t", "overlay", "-o", layers, "overlay", String(merged)], {
      stdio: "ignore",
    });
  } catch {
    return undefined;
  }
  return merged;
}

describe("edit() on overlayfs", () => {
  it("S1 3C-10 applies the first edit below a directory of the lower layer", async (context) => {
    const place = new Place();
    const merged = mountOverlay(place);
    if (merged === undefined) {
      context.skip("overlayfs cannot be mounted here (needs root)");
      return;
    }
    try {
      const engine = await place.engine();
      const path = `${merged}/d/a`;
      const result = await engine.edit({ path, oldString: "two", newString: "2" });
      expect(result.status).toBe("applied");
      expect(readFileSync(path, "utf8")).toBe("one 2\n");
      expect(readFileSync(place.path("lower/d/a"), "utf8")).toBe("one two\n");
      expect(place.storeNames()).toEqual([]);
    } finally {
      execFileSync("umount", [merged]);
    }
  });
});
