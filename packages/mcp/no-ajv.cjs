// Stands in for ajv and ajv-formats in the built server; tsup.config.ts says why.
module.exports = function Ajv() {};
