// Loads the addon: a fresh build if there is one, else the prebuilt file for this system. Both the
// ESM and the CJS build import this file, so they share one instance of the addon.
"use strict";
module.exports = require("node-gyp-build")(__dirname);
