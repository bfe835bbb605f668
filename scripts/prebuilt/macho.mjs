// What a Mach-O file says of itself, and whether that is as it should be. Pure: reads bytes, so
// that a file for macOS can be inspected anywhere.
//
// Sources: <mach-o/loader.h> and <mach/machine.h> of macOS.
import { exportedSymbols, largestFileBytes, nodeFunction } from "./targets.mjs";

/**
 * @typedef {object} MachoFacts
 * @property {string} machine
 * @property {string} oldestSystem such as `11.0`; empty if it names none
 * @property {boolean} isSigned at least by itself, which arm64 demands
 * @property {string[]} libraries that it needs
 * @property {string[]} searchPaths folders in which it looks for libraries
 * @property {string[]} exported
 * @property {string[]} fromLibraries symbols that it wants of the libraries above
 * @property {string[]} fromAnywhere symbols that whoever is loaded has to give
 */

/** @typedef {{ at: number }} Cursor */

const magic = 0xfeedfacf;
/** @type {Readonly<Record<number, string>>} */
const machines = { 16777223: "x86_64", 16777228: "arm64" };
const headerBytes = 32;
const command = {
  library: 0xc,
  weakLibrary: 0x80000018,
  searchPath: 0x8000001c,
  reexportedLibrary: 0x8000001f,
  signature: 0x1d,
  oldForm: 0x24,
  buildVersion: 0x32,
  loaderInfo: 0x80000022,
  newLoaderInfo: 0x80000034,
};

/**
 * @param {number} packed `xxxx.yy.zz` in four bytes
 * @returns {string} without a last zero
 */
function version(packed) {
  const patch = packed & 0xff;
  return `${packed >>> 16}.${(packed >>> 8) & 0xff}${patch === 0 ? "" : `.${patch}`}`;
}

/**
 * Reads a text up to its NUL.
 *
 * @param {Buffer} content
 * @param {Cursor} cursor left behind the NUL
 */
function readText(content, cursor) {
  const end = content.indexOf(0, cursor.at);
  if (end === -1) throw new Error("A text does not end");
  const text = content.toString("latin1", cursor.at, end);
  cursor.at = end + 1;
  return text;
}

/**
 * Reads a number in the form LEB128, unsigned.
 *
 * @param {Buffer} content
 * @param {Cursor} cursor
 */
function readNumber(content, cursor) {
  let number = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = content.readUInt8(cursor.at++);
    number += (byte & 0x7f) * factor;
    if (byte < 0x80) return number;
  }
}

/**
 * Every name of C begins with an underscore there.
 *
 * @param {string} name
 */
function plain(name) {
  return name.replace(/^_/u, "");
}

/**
 * What the loader is told to put where: a small program, of which only names and places count here.
 *
 * @param {Buffer} content
 * @param {number} start
 * @param {number} sizeBytes
 * @param {(name: string, library: number) => void} bind `library`: above 0, its place in the list;
 *   -2, whoever is loaded
 */
function readBinds(content, start, sizeBytes, bind) {
  const cursor = { at: start };
  let [name, library] = ["", 0];
  while (cursor.at < start + sizeBytes) {
    const byte = content.readUInt8(cursor.at++);
    const low = byte & 0x0f;
    switch (byte & 0xf0) {
      case 0x10:
        library = low;
        break;
      case 0x20:
        library = readNumber(content, cursor);
        break;
      case 0x30:
        library = low === 0 ? 0 : low - 16;
        break;
      case 0x40:
        name = plain(readText(content, cursor));
        break;
      // Where it goes in memory.
      case 0x60:
      case 0x70:
      case 0x80:
        readNumber(content, cursor);
        break;
      case 0x90:
      case 0xb0:
        bind(name, library);
        break;
      case 0xa0:
        bind(name, library);
        readNumber(content, cursor);
        break;
      case 0xc0:
        bind(name, library);
        readNumber(content, cursor);
        readNumber(content, cursor);
        break;
      default:
    }
  }
}

/**
 * The names that others can see stand in a tree, each branch with the next letters.
 *
 * @param {Buffer} content
 * @param {number} root where the tree begins
 * @param {number} branch where the branch stands, from there
 * @param {string} soFar
 * @returns {string[]}
 */
function readExports(content, root, branch, soFar) {
  const cursor = { at: root + branch };
  const leafBytes = readNumber(content, cursor);
  const names = leafBytes === 0 ? [] : [plain(soFar)];
  cursor.at += leafBytes;
  for (let left = content.readUInt8(cursor.at++); left > 0; left--) {
    const letters = readText(content, cursor);
    const next = readNumber(content, cursor);
    // Else a spoiled file could lead in a circle.
    if (letters === "") throw new Error("A branch without a letter");
    names.push(...readExports(content, root, next, soFar + letters));
  }
  return names;
}

/**
 * @param {Buffer} content
 * @param {number} at where the command stands
 * @param {MachoFacts} facts
 */
function readLoaderInfo(content, at, facts) {
  /** @param {number} place */
  const word = (place) => content.readUInt32LE(at + place);
  const [libraries, anywhere] = [new Set(), new Set()];
  for (const place of [16, 32]) {
    readBinds(content, word(place), word(place + 4), (name, library) => {
      (library > 0 ? libraries : anywhere).add(name);
    });
  }
  facts.fromLibraries = [...libraries].sort();
  facts.fromAnywhere = [...anywhere].sort();
  if (word(44) > 0) facts.exported = readExports(content, word(40), 0, "").sort();
}

/**
 * @param {Buffer} content
 * @param {number} at where a load command stands
 * @param {MachoFacts} facts
 */
function readCommand(content, at, facts) {
  const named = () => readText(content, { at: at + content.readUInt32LE(at + 8) });
  switch (content.readUInt32LE(at)) {
    case command.library:
    case command.weakLibrary:
    case command.reexportedLibrary:
      facts.libraries.push(named());
      break;
    case command.searchPath:
      facts.searchPaths.push(named());
      break;
    case command.signature:
      facts.isSigned = true;
      break;
    case command.oldForm:
      facts.oldestSystem = version(content.readUInt32LE(at + 8));
      break;
    case command.buildVersion:
      facts.oldestSystem = version(content.readUInt32LE(at + 12));
      break;
    case command.loaderInfo:
      readLoaderInfo(content, at, facts);
      break;
    case command.newLoaderInfo:
      throw new Error("Symbols in a form that is not read here (chained fixups)");
    default:
  }
}

/**
 * @param {Buffer} content
 * @returns {MachoFacts}
 * @throws Error why it cannot be read
 */
export function parseMacho(content) {
  if (content.length < headerBytes || content.readUInt32LE(0) !== magic) {
    throw new Error("No Mach-O file of 64 bits");
  }
  const processor = content.readUInt32LE(4);
  /** @type {MachoFacts} */
  const facts = {
    machine: machines[processor] ?? `0x${processor.toString(16)}`,
    oldestSystem: "",
    isSigned: false,
    libraries: [],
    searchPaths: [],
    exported: [],
    fromLibraries: [],
    fromAnywhere: [],
  };
  let at = headerBytes;
  for (let left = content.readUInt32LE(16); left > 0; left--) {
    const sizeBytes = content.readUInt32LE(at + 4);
    if (sizeBytes < 8) throw new Error("A load command of no size");
    readCommand(content, at, facts);
    at += sizeBytes;
  }
  return facts;
}

/**
 * @param {MachoFacts} facts
 * @param {import("./targets.mjs").Target} target
 * @param {number} sizeBytes
 * @returns {string[]} what is wrong
 */
export function checkMacho(facts, target, sizeBytes) {
  /** @type {string[]} */
  const problems = [];
  /** @type {(isGood: boolean, problem: string) => void} */
  const demand = (isGood, problem) => {
    if (!isGood) problems.push(problem);
  };
  demand(sizeBytes <= largestFileBytes, `${sizeBytes} bytes; at most ${largestFileBytes}`);
  demand(facts.machine === target.machine, `for ${facts.machine}; expected ${target.machine}`);
  const oldest = target.triple.replace(/^.*macos\./u, "");
  demand(
    facts.oldestSystem === oldest,
    `for macOS ${facts.oldestSystem || "of no version"}; expected ${oldest}`,
  );
  // An arm64 kernel kills what is not; x64 does not ask.
  demand(facts.isSigned || target.machine !== "arm64", "is not signed");
  const foreign = facts.libraries.filter((name) => !target.libraries.includes(name));
  demand(foreign.length === 0, `needs the libraries ${foreign.join(", ")}`);
  demand(facts.searchPaths.length === 0, `looks in ${facts.searchPaths.join(", ")}`);
  const missing = exportedSymbols.filter((name) => !facts.exported.includes(name));
  demand(missing.length === 0, `does not export ${missing.join(", ")}`);
  const known = [...exportedSymbols, ...(target.alsoExported ?? [])];
  const shown = facts.exported.filter((name) => !known.includes(name));
  demand(shown.length === 0, `exports ${shown.join(", ")}`);
  const strangers = facts.fromAnywhere.filter((name) => !nodeFunction.test(name));
  demand(strangers.length === 0, `needs ${strangers.join(", ")} of nobody that is known`);
  return problems;
}
