/** Finds the addon. What `load` returns has a shape that only this package knows. */
declare const binding: {
  /** Where `build/` and `prebuilds/` are looked for; unknown in an ES module made by a bundler. */
  readonly directory: string | undefined;
  /** Throws if there is no addon for this system. */
  readonly load: () => unknown;
  /** The file that `load` takes. Throws likewise. */
  readonly path: () => string;
};
export = binding;
