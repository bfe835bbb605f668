/** The part of the contract about paths. */
import { describe, expect, test } from "vitest";
import { codeOf, noSymlinks, realPathIn, systemRoot, type World } from "./contract-world.ts";

export function pathContract(world: () => World): void {
  describe("resolveRealPath()", () => {
    const follow = { followLast: true };
    const keepLast = { followLast: false };

    test("resolves dots and double slashes", async () => {
      const { os, root, ...w } = world();
      const real = (path: string): string => realPathIn(world(), path);
      await w.makeDirectory(`${root}/d`);
      await w.writeFile(`${root}/d/f`, "x");
      for (const options of [follow, keepLast]) {
        expect(await os.resolveRealPath(`${root}//d/./../d/f`, options)).toBe(real("d/f"));
        expect(await os.resolveRealPath(`${root}/d/`, options)).toBe(real("d"));
        expect(await os.resolveRealPath(`${root}/d/..`, options)).toBe(root);
      }
      const top = systemRoot(world());
      expect(await os.resolveRealPath(top, follow)).toBe(top);
    });

    test("resolves links", async (context) => {
      const { os, root, ...w } = world();
      if (!w.has.symlinks) return context.skip(noSymlinks);
      await w.makeDirectory(`${root}/d`);
      await w.writeFile(`${root}/d/f`, "x");
      await w.makeSymlink("d", `${root}/l`);
      expect(await os.resolveRealPath(`${root}//l/./../l/f`, follow)).toBe(`${root}/d/f`);
      expect(await os.resolveRealPath(`${root}/l/`, follow)).toBe(`${root}/d`);
    });

    test("leaves the last component as it is when asked to", async (context) => {
      const { os, root, ...w } = world();
      if (!w.has.symlinks) return context.skip(noSymlinks);
      await w.makeDirectory(`${root}/d`);
      await w.writeFile(`${root}/d/f`, "x");
      await w.makeSymlink("d", `${root}/l`);
      await w.makeSymlink("f", `${root}/d/to-f`);
      expect(await os.resolveRealPath(`${root}/l/to-f`, keepLast)).toBe(`${root}/d/to-f`);
      expect(await os.resolveRealPath(`${root}/l/to-f`, follow)).toBe(`${root}/d/f`);
    });

    test("follows a last link before a slash, as the kernel does", async (context) => {
      const { os, root, ...w } = world();
      if (!w.has.symlinks) return context.skip(noSymlinks);
      await w.makeDirectory(`${root}/d`);
      await w.makeSymlink("d", `${root}/l`);
      expect(await os.resolveRealPath(`${root}/l/`, keepLast)).toBe(`${root}/d`);
      expect(await os.resolveRealPath(`${root}/l/.`, keepLast)).toBe(`${root}/d`);
      expect(await os.resolveRealPath(`${root}/l/..`, keepLast)).toBe(root);
      expect(await os.resolveRealPath("/", keepLast)).toBe("/");
    });

    test("refuses what is not there, and a file taken for a directory", async () => {
      const { os, root, ...w } = world();
      await w.writeFile(`${root}/f`, "x");
      for (const options of [follow, keepLast]) {
        expect(await codeOf(os.resolveRealPath(`${root}/no/f`, options))).toBe("ENOENT");
        for (const end of ["/", "/.", "/..", "/x", "//"]) {
          expect(await codeOf(os.resolveRealPath(`${root}/f${end}`, options))).toBe("ENOTDIR");
        }
        expect(await codeOf(os.resolveRealPath("", options))).toBe("EINVAL");
        expect(await codeOf(os.resolveRealPath(`${root}/a\0b`, options))).toBe("EINVAL");
        expect(await codeOf(os.resolveRealPath(`${root}/\ud800`, options))).toBe("EINVAL");
        const long = `${root}/${"x".repeat(300)}/f`;
        expect(await codeOf(os.resolveRealPath(long, options))).toBe("ENAMETOOLONG");
      }
      expect(await codeOf(os.resolveRealPath(`${root}/no`, follow))).toBe("ENOENT");
    });

    test("refuses links that lead in a circle", async (context) => {
      const { os, root, ...w } = world();
      if (!w.has.symlinks) return context.skip(noSymlinks);
      await w.makeSymlink("loop", `${root}/loop`);
      expect(await codeOf(os.resolveRealPath(`${root}/loop`, follow))).toBe("ELOOP");
      expect(await codeOf(os.resolveRealPath(`${root}/loop/f`, keepLast))).toBe("ELOOP");
    });

    test("keeps a name that is not UTF-8", async (context) => {
      const { os, root, ...w } = world();
      if (!w.has.byteNames) return context.skip("every name is text here");
      const name = "caf\udce9";
      await w.makeDirectory(`${root}/${name}`);
      await w.writeFile(`${root}/${name}/f`, "x");
      await w.makeSymlink(name, `${root}/l`);
      expect(await os.resolveRealPath(`${root}/l/f`, follow)).toBe(`${root}/${name}/f`);
      const opened = await os.openTarget(`${root}/${name}/f`);
      await Promise.all([opened.parent.close(), opened.target.close()]);
    });
  });

  describe("paths", () => {
    test("isWithin() compares whole components", () => {
      const { paths } = world().os;
      const top = systemRoot(world());
      const [a, ab] = [paths.join(top, "a"), paths.join(top, "ab")];
      const below = paths.join(a, "b");
      expect(paths.isWithin(a, a)).toBe(true);
      expect(paths.isWithin(a, below)).toBe(true);
      expect(paths.isWithin(a, ab)).toBe(false);
      expect(paths.isWithin(below, a)).toBe(false);
      expect(paths.isWithin(top, a)).toBe(true);
      expect(paths.isWithin(top, top)).toBe(true);
      expect(paths.isWithin(a, top)).toBe(false);
    });

    test("mayBeWithin() finds all that isWithin() finds", () => {
      const { paths } = world().os;
      const top = systemRoot(world());
      const a = paths.join(top, "a");
      expect(paths.mayBeWithin(a, a)).toBe(true);
      expect(paths.mayBeWithin(a, paths.join(a, "b"))).toBe(true);
      expect(paths.mayBeWithin(top, a)).toBe(true);
      expect(paths.mayBeWithin(a, paths.join(top, "ab"))).toBe(false);
    });

    test("takes paths apart and puts them together", () => {
      const { paths } = world().os;
      const top = systemRoot(world());
      for (const names of [["a"], ["a", "b"], ["a b", "c.d"]]) {
        const path = names.reduce((above, name) => paths.join(above, name), top);
        expect(paths.join(paths.parentOf(path), paths.nameOf(path))).toBe(path);
        expect(paths.isAbsolute(path)).toBe(true);
      }
      expect(paths.parentOf(paths.join(top, "a"))).toBe(top);
      expect(paths.isAbsolute("a/b")).toBe(false);
    });
  });
}
