// Loads the addon: a fresh build if there is one, else the prebuilt file for this system. Both the
// ESM and the CJS build import this file, so they share one instance of the addon. A function, so
// that importing the package never fails; lib/load.ts explains a failure.
// One by one, so that an ES module finds the names.
"use strict";
exports.directory = __dirname;
exports.load = () => require("node-gyp-build")(__dirname);
exports.path = () => require("node-gyp-build").path(__dirname);
