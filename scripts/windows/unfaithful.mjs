// Tests that fail under Wine because it is not as Windows, by a part of their title.

const opensReadOnly = "run by root, it opens a file for writing that is protected against that";

/** @type {Readonly<Record<string, string>>} */
export const unfaithful = {
  "S1 pins the object, whatever happens to its name":
    "it opens an object again by its name; the port notices that and answers ESTALE",
  "3A-23 is refused as it is": opensReadOnly,
  "B6 checkWritable() refuses nothing that may be opened for writing": opensReadOnly,
};
