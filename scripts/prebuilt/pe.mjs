// What a prebuilt file for Windows holds, and whether that is as it should be.
//
// Source: "PE Format" of the Windows documentation.
import { exportedSymbols, largestFileBytes, windowsLibrary } from "./targets.mjs";

/**
 * @typedef {object} PeFacts
 * @property {string} machine
 * @property {string[]} libraries that it needs
 * @property {string[]} exported
 * @property {number} characteristics bits of `DllCharacteristics`
 */

/** Bits of `DllCharacteristics`: a random address, also above 4 GiB, and no code in data. */
const wantedCharacteristics = 0x0020 | 0x0040 | 0x0100;

/**
 * What zig's unwinder marks as exported. Harmless: on Windows nobody takes a function from a
 * library that it does not name.
 */
const ofUnwinder = /^(?:_Unwind_|unw_|_GCC_specific_handler$)/u;

/** Reads numbers and texts by the addresses that they have once the file is loaded. */
class Image {
  /**
   * @param {Buffer} content
   * @param {{ start: number, sizeBytes: number, place: number }[]} sections
   */
  constructor(content, sections) {
    this.content = content;
    this.sections = sections;
  }

  /** @param {number} address */
  placeOf(address) {
    const section = this.sections.find(
      ({ start, sizeBytes }) => address >= start && address < start + sizeBytes,
    );
    if (section === undefined) throw new Error(`No section holds the address ${address}`);
    return address - section.start + section.place;
  }

  /** @param {number} address */
  number(address) {
    return this.content.readUInt32LE(this.placeOf(address));
  }

  /** @param {number} address */
  text(address) {
    const place = this.placeOf(address);
    return this.content.toString("latin1", place, this.content.indexOf(0, place));
  }
}

/** @param {Image} image @param {number} table address of the import directory */
function librariesIn(image, table) {
  const libraries = [];
  for (let entry = table; table !== 0; entry += 20) {
    const name = image.number(entry + 12);
    if (name === 0) break;
    libraries.push(image.text(name));
  }
  return libraries.sort();
}

/** @param {Image} image @param {number} table address of the export directory */
function namesIn(image, table) {
  if (table === 0) return [];
  const names = image.number(table + 32);
  return Array.from({ length: image.number(table + 24) }, (_, i) =>
    image.text(image.number(names + 4 * i)),
  ).sort();
}

/**
 * @param {Buffer} content
 * @returns {PeFacts}
 */
export function parsePe(content) {
  const header = content.readUInt32LE(0x3c);
  if (content.toString("latin1", header, header + 4) !== "PE\0\0") throw new Error("No PE file");
  const optional = header + 24;
  if (content.readUInt16LE(optional) !== 0x20b) throw new Error("No 64-bit PE file");
  const firstSection = optional + content.readUInt16LE(header + 20);
  const sections = Array.from({ length: content.readUInt16LE(header + 6) }, (_, i) => {
    const at = firstSection + 40 * i;
    return {
      sizeBytes: content.readUInt32LE(at + 8),
      start: content.readUInt32LE(at + 12),
      place: content.readUInt32LE(at + 20),
    };
  });
  const image = new Image(content, sections);
  return {
    machine: `0x${content.readUInt16LE(header + 4).toString(16)}`,
    characteristics: content.readUInt16LE(optional + 70),
    exported: namesIn(image, content.readUInt32LE(optional + 112)),
    libraries: librariesIn(image, content.readUInt32LE(optional + 120)),
  };
}

/**
 * @param {PeFacts} facts
 * @param {import("./targets.mjs").Target} target
 * @param {number} sizeBytes
 * @returns {string[]} what is wrong
 */
export function checkPe(facts, target, sizeBytes) {
  /** @type {string[]} */
  const problems = [];
  if (sizeBytes > largestFileBytes)
    problems.push(`${sizeBytes} bytes; at most ${largestFileBytes}`);
  if (facts.machine !== target.machine) {
    problems.push(`for ${facts.machine}; expected ${target.machine}`);
  }
  const foreign = facts.libraries.filter(
    (name) => !target.libraries.includes(name) && !windowsLibrary.test(name),
  );
  if (foreign.length > 0) problems.push(`needs the libraries ${foreign.join(", ")}`);
  const exported = facts.exported.filter((name) => !ofUnwinder.test(name));
  if (exported.join() !== exportedSymbols.join()) {
    problems.push(`exports ${exported.join(", ")}; expected ${exportedSymbols.join(", ")}`);
  }
  if ((facts.characteristics & wantedCharacteristics) !== wantedCharacteristics) {
    problems.push(`has the characteristics 0x${facts.characteristics.toString(16)}`);
  }
  return problems;
}
