// Faults that are planted in the code under test, to show that the targets would find such a one:
// `find` stands once in the file, and is replaced.

/**
 * @typedef {object} Mutant
 * @property {string} name what is left out or wrong
 * @property {string} target
 * @property {string} file
 * @property {string} find
 * @property {string} replace
 */

const codec = "packages/journal/src/record-codec.ts";
const reader = "packages/journal/src/record-reader.ts";
const members = "packages/journal/src/member-reader.ts";
const metadata = "packages/journal/src/metadata-codec.ts";
const legacy = "packages/journal/src/legacy-record.ts";
const splice = "packages/journal/src/splice.ts";
const names = "packages/journal/src/file-names.ts";
const request = "packages/cli/src/settings/request.ts";

/** @type {readonly Mutant[]} */
export const mutants = [
  {
    name: "an access list may reach beyond the descriptor",
    target: "descriptor",
    file: "native/lib/windows/security-descriptor.ts",
    find: "  if (end > view.byteLength) return cutOff;\n",
    replace: "",
  },
  {
    name: "a SID may reach beyond the descriptor",
    target: "descriptor",
    file: "native/lib/windows/sid.ts",
    find: "count > 15 || !isWhole) return",
    replace: "count > 15) return",
  },
  {
    name: "checksum of the header not compared",
    target: "record",
    file: codec,
    find: "!sha256(header.subarray(0, headerSumAt), text).equals(sum)",
    replace: "sum.length === 0",
  },
  {
    name: "trailer not compared",
    target: "record",
    file: reader,
    find: "if (!trailer.equals(encodeTrailer(sizeBytes, changesDigest)))",
    replace: "if (changesDigest.length === 0)",
  },
  {
    name: "checksum of the before-image not compared",
    target: "record",
    file: reader,
    find: 'check("before-image", beforeHash.digest("hex"), metadata.before.sha256);',
    replace: "",
  },
  {
    name: "length of the file: one byte more is taken",
    target: "record",
    file: codec,
    find: "layout.totalBytes !== sizeBytes",
    replace: "Math.abs(layout.totalBytes + 0.5 - sizeBytes) > 0.5",
  },
  {
    name: "end of a splice: off by one",
    target: "record",
    file: reader,
    find: "offset + removed > shape.beforeBytes",
    replace: "offset + removed > shape.beforeBytes + 1",
  },
  {
    name: "order of splices not looked at",
    target: "record",
    file: reader,
    find: "offset < end || offset + removed",
    replace: "offset + removed",
  },
  {
    name: "table allocated before the length was compared",
    target: "record",
    file: codec,
    find: "  const shape = decodeShape(header);\n",
    replace:
      "  const shape = decodeShape(header);\n" +
      "  new Uint32Array(shape.places + shape.beforeBytes);\n",
  },
  {
    name: "a form that nobody knows is taken",
    target: "record",
    file: codec,
    find: "form <= 1 &&",
    replace: "form <= 2 &&",
  },
  {
    name: "the number that is to be 0 is not looked at",
    target: "record",
    file: codec,
    find: "header.readUInt32LE(36) === 0 &&",
    replace: "",
  },
  {
    name: "checksum of the phase block not compared",
    target: "record",
    file: codec,
    find: "if (!isWhole || !isIts ||",
    replace: "if (!isIts ||",
  },
  {
    name: "two equal images are taken",
    target: "record",
    file: codec,
    find: "if (before.sha256 === after.sha256)",
    replace: "if (before.sha256 === after.sha256 && before.sizeBytes < 0)",
  },
  {
    name: "the text may be another than the one that writing gives",
    target: "metadata",
    file: metadata,
    find: "if (encodeMetadata(metadata) !== text)",
    replace: "if (encodeMetadata(metadata).length > 10 * text.length)",
  },
  {
    name: "no upper bound for whole numbers",
    target: "metadata",
    file: members,
    find: "!Number.isSafeInteger(value) || value < 0 || value > max",
    replace: "!Number.isSafeInteger(value) || value < 0",
  },
  {
    name: "no upper bound for numbers in strings",
    target: "metadata",
    file: members,
    find: "if (value < min || value > max) throw",
    replace: "if (value < min) throw",
  },
  {
    name: "a path of more than 4096 bytes is taken",
    target: "metadata",
    file: metadata,
    find: '|| path.includes("\\0") || pathToBytes(path).length > maxPathBytes',
    replace: '|| path.includes("\\0")',
  },
  {
    name: "checksum not compared",
    target: "legacy-record",
    file: legacy,
    find: 'if (sha256(JSON.stringify(covered)).toString("hex") !== checksum)',
    replace: "if (covered === undefined)",
  },
  {
    name: "base64 that is not canonical is taken",
    target: "legacy-record",
    file: legacy,
    find: 'bytes.length > maxImageBytes || bytes.toString("base64") !== base64',
    replace: "bytes.length > maxImageBytes",
  },
  {
    name: "a member too many is taken",
    target: "legacy-record",
    file: legacy,
    find: "!isComplete || names.length !== always.length + optional.length",
    replace: "!isComplete",
  },
  {
    name: "a record of another file is taken",
    target: "legacy-record",
    file: legacy,
    find: "legacyStem({ volume: 0n, device, file: inode }) !== stem",
    replace: "stem.length === 0",
  },
  {
    name: "what is read from the middle of an inserted piece begins at its start",
    target: "splices",
    file: splice,
    find: "reader.fill(buffer, at(starts, index) + skip)",
    replace: "reader.fill(buffer, at(starts, index))",
  },
  {
    name: "two splices may overlap by a byte",
    target: "splices",
    file: splice,
    find: "offsetBytes >= end &&",
    replace: "offsetBytes >= end - 1 &&",
  },
  {
    name: "a file that ends early is not noticed",
    target: "splices",
    file: "packages/journal/src/window-reader.ts",
    find: "if (count < buffer.length) throw new",
    replace: "if (count > buffer.length) throw new",
  },
  {
    name: "a tombstone whose name goes on is taken",
    target: "names",
    file: names,
    find: "\\\\.[0-9a-f]{1,32}\\\\.reap$`",
    replace: "\\\\.[0-9a-f]{1,32}\\\\.reap`",
  },
  {
    name: "bytes that are no character are dropped from a path",
    target: "names",
    file: "native/lib/path-text.ts",
    find: "at + length <= buffer.length && isUtf8(buffer.subarray(at, at + length))",
    replace: "at + length <= buffer.length",
  },
  {
    name: "a member that nobody knows is taken",
    target: "request",
    file: request,
    find: "!known.includes(name))",
    replace: "!known.includes(name.toLowerCase()))",
  },
  {
    name: "longest wait: off by one",
    target: "request",
    file: request,
    find: "waitMs <= maxDurationMs",
    replace: "waitMs <= maxDurationMs + 1",
  },
  {
    name: "bytes that are not UTF-8 are replaced",
    target: "request",
    file: request,
    find: '"utf-8", { fatal: true }',
    replace: '"utf-8", { fatal: false }',
  },
  {
    name: "a relative directory of the store stays relative",
    target: "command-line",
    file: "packages/cli/src/settings.ts",
    find: "return path.resolve(reader.cwd(), directory);",
    replace: "return path.normalize(directory);",
  },
  {
    name: "the old text is read for the new one",
    target: "command-line",
    file: "packages/cli/src/settings.ts",
    find: 'settleText("new", options.newString, options.newFile, reader)',
    replace: 'settleText("new", options.newString, options.oldFile ?? options.newFile, reader)',
  },
  {
    name: "two spellings of one thing: the later counts",
    target: "call",
    file: "packages/mcp/src/tools/aliases.ts",
    find: "if (other !== undefined) {",
    replace: "if (other === spelling) {",
  },
  {
    name: "half of a surrogate pair is taken",
    target: "call",
    file: "packages/mcp/src/tools/input.ts",
    find: "if (loneSurrogate.test(text)) {",
    replace: "if (text === undefined) {",
  },
  {
    name: "a member named __proto__ is assigned",
    target: "call",
    file: "packages/mcp/src/tools/aliases.ts",
    find: "    Object.defineProperty(result, name, {",
    replace: "    result[name] = value;\n    Object.defineProperty({}, name, {",
  },
  {
    name: "longest line: not looked at",
    target: "stream",
    file: "packages/mcp/src/line-joiner.ts",
    find: "if (this.#sizeBytes > this.#maxBytes) {",
    replace: "if (this.#sizeBytes > 2 * this.#maxBytes) {",
  },
  {
    name: "an argument may make a line of its own",
    target: "stream",
    file: "packages/mcp/src/arguments.ts",
    find: "message: escapeText(error.message)",
    replace: "message: error.message",
  },
];
