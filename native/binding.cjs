// Loads the addon: a fresh build if there is one, else the prebuilt file for this system. Both the
// ESM and the CJS build import this file, so they share one instance of the addon. A function, so
// that importing the package never fails; lib/load.ts explains a failure.
// One by one, so that an ES module finds the names.
"use strict";
// There is none if a bundler has made this part of an ES module.
const directory = typeof __dirname === "string" ? __dirname : undefined;

function known() {
  // Without a folder node-gyp-build would look in the working directory, and run what is there.
  if (directory === undefined) throw new Error("its folder is not known");
  return directory;
}

exports.directory = directory;
exports.load = () => require("node-gyp-build")(known());
exports.path = () => require("node-gyp-build").path(known());
