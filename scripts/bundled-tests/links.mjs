// Wine's Node says that it has made a symbolic link, and has not. A test that goes on after that
// proves nothing; so here it is told what Windows tells who may not make links.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** @param {unknown} link */
function mustBeThere(link) {
  const file = /** @type {string} */ (link);
  if (fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true) return;
  const message = `EPERM: operation not permitted, symlink '${file}'`;
  throw Object.assign(new Error(message), { code: "EPERM", syscall: "symlink" });
}

/** From now on making a link fails if there is none afterwards. */
export function makeLinksHonest() {
  const { symlinkSync } = fs;
  const { symlink } = fs.promises;
  fs.symlinkSync = (target, link, type) => {
    symlinkSync(target, link, type);
    mustBeThere(link);
  };
  fs.promises.symlink = async (target, link, type) => {
    await symlink(target, link, type);
    mustBeThere(link);
  };
  syncBuiltinESMExports();
}
