#!/usr/bin/env node
// CommonJS, as package.json beside it says, since that starts faster.
require("../dist/start.cjs").start(require("node:path").dirname(__dirname), require);
