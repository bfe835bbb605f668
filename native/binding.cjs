// Loads the addon: a fresh build if there is one, else the prebuilt file for this system. Both the
// ESM and the CJS build import this file, so they share one instance of the addon. A function, so
// that importing the package never fails; lib/load.ts explains a failure.
"use strict";
module.exports = {
  directory: __dirname,
  load: () => require("node-gyp-build")(__dirname),
  path: () => require("node-gyp-build").path(__dirname),
};
