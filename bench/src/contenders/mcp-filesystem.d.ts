// The package has no types of its own.
declare module "@modelcontextprotocol/server-filesystem/dist/lib.js" {
  /** Replaces each old text once, writes the file anew, and returns a diff. */
  export function applyFileEdits(
    filePath: string,
    edits: { readonly oldText: string; readonly newText: string }[],
  ): Promise<string>;
}
