// Why no test here proves a line of docs/requirements.md, or what about it the tests leave open.
// scripts/traceability.mjs puts this into docs/traceability.md.

/** @type {Readonly<Record<string, string>>} */
export const notProven = {};
