// Where the fuzz targets stand.

/**
 * @typedef {object} Place
 * @property {string} name
 * @property {string} folder of the package
 * @property {string} file
 */

const byPackage = {
  native: ["descriptor"],
  "packages/journal": ["record", "metadata", "legacy-record", "splices", "names"],
  "packages/cli": ["request", "command-line"],
  "packages/mcp": ["call", "stream"],
};

/** @type {readonly Place[]} */
export const targets = Object.entries(byPackage).flatMap(([folder, names]) =>
  names.map((name) => ({ name, folder, file: `${folder}/test/fuzz/${name}.ts` })),
);
