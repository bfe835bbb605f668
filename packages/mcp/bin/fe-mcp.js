#!/usr/bin/env node
// CommonJS, as package.json beside it says, since that starts faster.
require("../dist/server.cjs").main();
