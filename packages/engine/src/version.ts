/** The version that records name; scripts/engine-version.mjs keeps it equal to the package's. */
export const engineVersion: string = "0.0.0";
