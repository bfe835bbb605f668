// Stands in for node:child_process in the built command; tsup.config.ts says why.
module.exports = {};
