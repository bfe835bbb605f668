/** The version that records name; a test holds it equal to the package's. */
export const engineVersion: string = "0.1.0";
