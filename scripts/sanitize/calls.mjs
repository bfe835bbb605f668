// Calls every function of the addon with random arguments:
//
//   node --expose-gc calls.mjs ADDON SEED CALLS
//
// A call answers, or throws a TypeError about an argument or an error of the system with its code;
// a sanitizer ends the process for anything else. Most calls have the types that they should, with
// odd values; the others have anything. All of it happens in a folder of its own.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";

const [addonFile = "", seedText = "1", callsText = "1000"] = process.argv.slice(2);
const addon = createRequire(import.meta.url)(addonFile);
const folder = mkdtempSync(path.join(os.tmpdir(), "fe-calls-"));

let state = Number(seedText) | 0;
/** From 0 to below 1 (mulberry32). */
function next() {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
}

/**
 * @template Item
 * @param {readonly Item[]} items
 * @returns {Item}
 */
function pick(items) {
  return /** @type {Item} */ (items[Math.floor(next() * items.length)]);
}

/** Names that stand nowhere else, so that a call about another directory harms nothing. */
const names = ["fe-calls-a", "fe-calls-b", "fe-calls-c", "fe-calls-link", "fe-calls-folder"];

function fill() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.join(folder, "fe-calls-folder"), { recursive: true });
  for (const name of names.slice(0, 2)) writeFileSync(path.join(folder, name), "content");
  symlinkSync("fe-calls-a", path.join(folder, "fe-calls-link"));
}

/** Numbers that were handles, and some that never were. */
const handles = [-1, 0, 1, 2, 2 ** 31 - 1, 2 ** 31, 2 ** 53];
/** @type {number[]} */
const open = [];

const oddNumbers = [
  ...[0, -0, 1, -1, 0.5, 7, 0o7777, 0o10000, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53],
  ...[-(2 ** 53), 1e300, Number.NaN, Number.POSITIVE_INFINITY, Number.MIN_VALUE],
];
const oddTexts = ["", "a", "\0", "\ud800", "a\udfff\0b", "\ufeff", "x".repeat(5000), "/", ".."];

/** Memory of every kind, also gone, shrunk or shared. */
function someMemory(bytes = pick([0, 1, 7, 8, 64, 104, 112, 120, 4096])) {
  const kind = Math.floor(next() * 7);
  if (kind === 0) return new SharedArrayBuffer(bytes);
  if (kind > 2) return new ArrayBuffer(bytes);
  if (kind === 1) {
    const gone = new ArrayBuffer(bytes);
    structuredClone(gone, { transfer: [gone] });
    return gone;
  }
  // The types of this compiler's library do not know of memory that changes its size.
  const Resizable = /** @type {any} */ (ArrayBuffer);
  return new Resizable(bytes, { maxByteLength: bytes * 2 });
}

/** @param {any} memory */
function shrink(memory) {
  if (memory.resizable && next() < 0.5) memory.resize(Math.floor(memory.byteLength * next()));
}

function someView() {
  const memory = /** @type {any} */ (someMemory());
  /** @type {any} Their constructors have no common type. */
  const View = pick([BigUint64Array, BigInt64Array, Uint8Array, Float64Array, DataView]);
  try {
    const view = next() < 0.7 ? new View(memory) : new View(memory, 8, 1);
    shrink(memory);
    return view;
  } catch {
    return memory;
  }
}

function someWords() {
  const memory = /** @type {any} */ (someMemory(pick([0, 8, 104, 112, 112, 112, 128])));
  try {
    const words = new BigUint64Array(memory);
    shrink(memory);
    return words;
  } catch {
    return new BigUint64Array(15);
  }
}

function someBytes() {
  const chance = next();
  if (chance < 0.5) return Buffer.from(pick(names));
  if (chance < 0.6) return Buffer.from(pick(oddTexts));
  if (chance < 0.7) return Buffer.from(Array.from({ length: 9 }, () => Math.floor(next() * 256)));
  if (chance < 0.8) return Buffer.alloc(pick([0, 255, 256, 4096, 70_000]), 0x61);
  return chance < 0.9 ? Buffer.from(path.join(folder, pick(names))) : Buffer.from(folder);
}

/** @type {any} */
const throwing = new Proxy(
  {},
  {
    get() {
      throw new RangeError("a getter of the caller");
    },
    getPrototypeOf() {
      throw new RangeError("a trap of the caller");
    },
  },
);

/** Names, in a list that may have holes, be longer than memory, or throw when it is read. */
function someList() {
  const list = Array.from({ length: Math.floor(next() * 6) }, someBytes);
  const chance = next();
  if (chance < 0.05) list.length = 2 ** 32 - 1;
  if (chance < 0.1) return new Proxy(list, {});
  if (chance < 0.2) delete list[1];
  if (chance > 0.9) Object.defineProperty(list, 0, { get: () => throwing.any });
  return list;
}

/** @type {(() => unknown)[]} */
const anything = [
  () => pick(oddNumbers),
  () => pick(open.length > 0 ? open : handles),
  () => pick(handles),
  () => pick([0n, -1n, 2n ** 64n, -(2n ** 200n)]),
  () => pick(oddTexts),
  () => pick([undefined, null, true, false, Symbol("s")]),
  () => pick([{}, [], () => 1, new Date(Number.NaN), /x/u, throwing, new Proxy([], {})]),
  () => new Proxy(Buffer.from("fe-calls-a"), {}),
  () => Object.create(Buffer.prototype),
  someList,
  someBytes,
  someView,
  someWords,
  someMemory,
];

const directory = () => pick(open.length > 0 && next() < 0.9 ? open : handles);
const mode = () => pick([0o600, 0o700, 0o777, 0o10000, -1, 0.5]);
const flag = () => pick([true, false]);
/** A size that a disk could really give would be taken from it. */
const size = () => pick([0, 1, 4096, 2 ** 50, 2 ** 53 - 1, -1, 0.5]);
const position = () => pick([0, 1, 512, 2 ** 53 - 1, 2 ** 53, -1]);
const filePath = () =>
  next() < 0.6 ? Buffer.from(path.join(folder, pick([...names, ""]))) : someBytes();

/** @type {Readonly<Record<string, readonly (() => unknown)[]>>} */
const shapes = {
  openTarget: [filePath, flag, someWords, someWords],
  inspectTarget: [filePath, flag, someWords, someWords],
  status: [directory, someWords],
  entryStatus: [directory, someWords],
  reopen: [directory, flag],
  tryLock: [directory],
  startExclusion: [directory],
  exclusionIsUnbroken: [directory],
  endExclusion: [directory],
  probeExclusion: [directory],
  reserve: [directory, size],
  close: [directory],
  openDirectoryByPath: [() => Buffer.from(folder)],
  openDirectory: [directory, someBytes],
  openFile: [directory, someBytes, flag],
  openOrCreateFile: [directory, someBytes, mode],
  createFile: [directory, someBytes, mode],
  createUnnamedFile: [directory, mode],
  linkUnnamedFile: [directory, directory, someBytes],
  startWriteBack: [directory, position, position],
  flush: [directory],
  publishUnnamedFile: [directory, directory, someBytes],
  findInHeads: [directory, someList, someBytes, position],
  entryStatusAt: [directory, someBytes, someWords],
  list: [directory],
  makeDirectory: [directory, someBytes, mode],
  link: [directory, someBytes, someBytes],
  rename: [directory, someBytes, directory, someBytes],
  unlink: [directory, someBytes],
  finishRecord: [
    ...[directory, directory, someBytes, () => Buffer.alloc(512), position, flag, directory],
    someBytes,
  ],
  bootFacts: [],
  bootTimeMs: [],
  ownStartTime: [],
  effectiveOwner: [],
  probeProcess: [() => pick([process.pid, 1, 0, -1, 2 ** 22 + 1, 2 ** 31, -(2 ** 53), 0.5])],
};

/** @param {string} name */
function argumentsFor(name) {
  const shape = shapes[name] ?? [];
  const given = shape.map((give) => (next() < 0.9 ? give() : pick(anything)()));
  const isFree = next() < 0.3 && name !== "reserve";
  if (!isFree) return given.slice(0, next() < 0.05 ? Math.floor(next() * given.length) : undefined);
  return Array.from({ length: Math.floor(next() * 9) }, () => pick(anything)());
}

/** @param {unknown} error */
function isDocumented(error) {
  if (!(error instanceof Error)) return false;
  // What the caller's own object throws goes through.
  if (error instanceof RangeError && error.message.endsWith("of the caller")) return true;
  const { code, errno, syscall } = /** @type {Record<string, unknown>} */ (
    /** @type {unknown} */ (error)
  );
  if (error instanceof TypeError) return /argument \d|are wanted/u.test(error.message);
  return (
    /^E[A-Z0-9]+$/u.test(String(code)) && typeof errno === "number" && typeof syscall === "string"
  );
}

/**
 * Keeps the handles of an answer, so that later calls are about something.
 *
 * @param {string} name
 * @param {unknown} answer
 */
function keepHandles(name, answer) {
  const opens = /^(?:open|create|reopen)/u.test(name);
  if (opens && typeof answer === "number") open.push(answer);
  if (name === "openTarget" && Array.isArray(answer)) open.push(...answer.slice(2));
}

/** Closed ones stay for a while: they are what must not be used. */
function closeSome() {
  for (const handle of open.splice(0, Math.floor(open.length / 2))) {
    try {
      addon.close(handle);
    } catch {
      // Closed before, by one of the calls.
    }
    handles[7 + Math.floor(next() * 9)] = handle;
  }
}

async function main() {
  const missing = Object.keys(addon).filter((name) => !Object.hasOwn(shapes, name));
  if (missing.length > 0) throw new Error(`No arguments for ${missing.join(", ")}`);
  const functions = Object.keys(shapes);
  const counts = { answered: 0, refused: 0 };
  // The kernel signals a holder of a lease whom somebody asks for the file.
  process.on("SIGURG", () => {});
  for (let call = 0; call < Number(callsText); call++) {
    if (call % 500 === 0) {
      closeSome();
      fill();
      globalThis.gc?.();
      open.push(addon.openDirectoryByPath(Buffer.from(folder)));
    }
    const name = pick(functions);
    const given = argumentsFor(name);
    try {
      // Some answer later; until then their handles must not be closed.
      keepHandles(name, await addon[name](...given));
      counts.answered += 1;
    } catch (error) {
      if (!isDocumented(error)) {
        console.error(`call ${call}: ${name} threw what is not documented`, given);
        throw error;
      }
      counts.refused += 1;
    }
    if (open.length > 200) closeSome();
  }
  for (const handle of new Set(open)) {
    try {
      addon.close(handle);
    } catch {
      // As above.
    }
  }
  const { answered, refused } = counts;
  console.log(`${answered} answered, ${refused} refused, of ${functions.length} functions`);
}

try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
