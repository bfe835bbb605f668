/** The raw addon. Its shape is stated in lib/binding.ts. */
declare const binding: unknown;
export = binding;
