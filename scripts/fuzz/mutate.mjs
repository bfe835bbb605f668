// Makes new inputs of old ones: changes of bytes, of text, and of the structure of JSON.

/** @typedef {import("./target.mjs").Random} Random */

/**
 * @typedef {object} Surroundings
 * @property {readonly string[]} words
 * @property {readonly Uint8Array[]} others inputs to take parts from; not empty
 * @property {number} maxBytes
 */

const oddNumbers = [0, 1, 2, 11, 12, 13, 127, 128, 255, 256, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
const oddBytes = [0, 1, 9, 10, 13, 32, 34, 44, 47, 48, 92, 123, 125, 127, 128, 0xc0, 0xed, 0xff];

/** @type {((input: Buffer, random: Random, around: Surroundings) => Buffer)[]} */
const byteChanges = [
  (input, random) => replaced(input, random, 1, () => Buffer.of(random.below(256))),
  (input, random) => replaced(input, random, 1, ([byte = 0]) => Buffer.of(byte ^ flip(random))),
  (input, random) => replaced(input, random, 1, () => Buffer.of(random.pick(oddBytes))),
  (input, random) => replaced(input, random, 4, (part) => numberNear(part, random)),
  // A stretch gone, one more, one twice.
  (input, random) => replaced(input, random, lengthOf(random), () => Buffer.alloc(0)),
  (input, random) => replaced(input, random, 0, () => noise(random)),
  (input, random) =>
    replaced(input, random, lengthOf(random), (part) => Buffer.concat([part, part])),
  (input, random, { words }) =>
    words.length === 0
      ? input
      : replaced(input, random, random.below(9), () => Buffer.from(random.pick(words))),
  (input, random, { others }) =>
    replaced(input, random, lengthOf(random), () => partOf(random.pick(others), random)),
  (input, random) => input.subarray(0, random.below(input.length + 1)),
];

/** @param {Random} random */
function flip(random) {
  return 1 << random.below(8);
}

/** @param {Random} random */
function lengthOf(random) {
  return 1 + random.below(random.pick([2, 8, 32, 128]));
}

/** @param {Random} random */
function noise(random) {
  return Buffer.from(Array.from({ length: lengthOf(random) }, () => random.below(256)));
}

/**
 * @param {Buffer} input
 * @param {Random} random
 * @param {number} length
 * @param {(part: Buffer) => Buffer} give
 */
function replaced(input, random, length, give) {
  const at = random.below(input.length + 1);
  const end = Math.min(input.length, at + length);
  return Buffer.concat([input.subarray(0, at), give(input.subarray(at, end)), input.subarray(end)]);
}

/**
 * A little-endian number of four bytes that is odd, or near the one that was there.
 *
 * @param {Buffer} part
 * @param {Random} random
 */
function numberNear(part, random) {
  if (part.length < 4) return part;
  const number = Buffer.alloc(4);
  const near = part.readUInt32LE(0) + random.below(7) - 3;
  number.writeUInt32LE((random.chance(0.5) ? near : random.pick(oddNumbers)) >>> 0);
  return number;
}

/**
 * @param {Uint8Array} other
 * @param {Random} random
 */
function partOf(other, random) {
  const at = random.below(other.length + 1);
  return Buffer.from(other.subarray(at, at + lengthOf(random)));
}

/**
 * @param {Buffer} input
 * @param {Random} random
 * @param {Surroundings} around
 * @returns {Buffer}
 */
export function changeBytes(input, random, around) {
  let changed = input;
  for (let count = 1 + random.below(random.pick([1, 2, 6])); count > 0; count--) {
    changed = random.pick(byteChanges)(changed, random, around);
  }
  return changed.length > around.maxBytes ? changed.subarray(0, around.maxBytes) : changed;
}

/**
 * JSON in which a member may stand twice: an object is a list of pairs.
 *
 * @typedef {{ members: [string, Json][] } | { items: Json[] } | { raw: string }} Json
 */

/**
 * @param {unknown} value
 * @returns {Json}
 */
function treeOf(value) {
  if (Array.isArray(value)) return { items: value.map(treeOf) };
  if (typeof value !== "object" || value === null) return { raw: JSON.stringify(value) };
  return { members: Object.entries(value).map(([name, member]) => [name, treeOf(member)]) };
}

/**
 * @param {Json} json
 * @returns {string}
 */
function textOf(json) {
  if ("raw" in json) return json.raw;
  if ("items" in json) return `[${json.items.map(textOf).join(",")}]`;
  const members = json.members.map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`);
  return `{${members.join(",")}}`;
}

const oddTexts = [
  ...["", " ", "\0", "\ud800", "\udc80", "a\udfffb", "\ufeff", "\ufffd", "\n", "..", "/", "-0"],
  ...["01", "1e3", "0x1", "-1", "null", "é", "😀", "a".repeat(65), "9".repeat(40), "0".repeat(64)],
];
const oddValues = [
  ...["null", "true", "false", "[]", "{}", "0", "-0", "-1", "1", "0.5", "1.0", "1e3", "1e400"],
  ...["9007199254740991", "9007199254740992", "4294967295", "4294967296", "2147483648", "600001"],
  ...['"\\u0041"', '"\\/"', "[[[[]]]]", '{"a":{}}', "1e-400", "-1e-3", '{"toString":1}'],
];
const oddNames = ["__proto__", "constructor", "toString", "", "a", "0"];

/**
 * @param {Random} random
 * @param {Surroundings} around
 * @returns {string}
 */
function someText(random, { words }) {
  if (words.length > 0 && random.chance(0.4)) return random.pick(words);
  return random.pick(oddTexts);
}

/**
 * @param {Random} random
 * @param {Surroundings} around
 * @returns {Json}
 */
function someValue(random, around) {
  if (random.chance(0.4)) return { raw: JSON.stringify(someText(random, around)) };
  return { raw: random.pick(oddValues) };
}

/**
 * A value near another: a number one more or less, a text with a character changed.
 *
 * @param {string} raw
 * @param {Random} random
 * @param {Surroundings} around
 * @returns {Json}
 */
function nearValue(raw, random, around) {
  const value = JSON.parse(raw);
  if (typeof value === "number") {
    const odd = [0o7777 + 1, 2 ** 27 + 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53];
    const near = random.chance(0.6) ? value + random.pick([-1, 1, 0.5]) : random.pick(odd);
    return { raw: Number.isFinite(near) ? String(near) : "1e999" };
  }
  if (typeof value === "boolean") return { raw: String(!value) };
  if (typeof value !== "string") return someValue(random, around);
  if (/^\d+$/u.test(value) && random.chance(0.5)) {
    const widest = [2n ** 64n - 1n, 2n ** 64n, 2n ** 128n - 1n, 2n ** 128n, 2n ** 63n];
    const near = BigInt(value) + random.pick([-1n, 1n]);
    return { raw: JSON.stringify(String(random.chance(0.5) ? near : random.pick(widest))) };
  }
  const at = random.below(value.length + 1);
  const put = random.pick([someText(random, around), "", "a", "0"]);
  const length = random.below(3);
  return { raw: JSON.stringify(value.slice(0, at) + put + value.slice(at + length)) };
}

/**
 * @param {Json} json
 * @param {Random} random
 * @param {Surroundings} around
 * @returns {Json}
 */
function changeTree(json, random, around) {
  if ("raw" in json) {
    return random.chance(0.5) ? nearValue(json.raw, random, around) : someValue(random, around);
  }
  const rare = random.next();
  if (rare < 0.03) return rare < 0.015 ? { items: [json] } : someValue(random, around);
  if ("items" in json) {
    const change = (/** @type {Json} */ item) => changeTree(item, random, around);
    return { items: changeList(json.items, random, change, () => someValue(random, around)) };
  }
  /** @type {(member: [string, Json]) => [string, Json]} */
  const change = ([name, value]) =>
    random.chance(0.12)
      ? [someName(random, around), value]
      : [name, changeTree(value, random, around)];
  /** @type {() => [string, Json]} */
  const make = () => [someName(random, around), someValue(random, around)];
  return { members: changeList(json.members, random, change, make) };
}

/**
 * Changes one value that has no members, each as likely as the other.
 *
 * @param {Json} json
 * @param {Random} random
 * @param {Surroundings} around
 * @returns {Json}
 */
function changeLeaf(json, random, around) {
  let at = random.below(leavesOf(json));
  /** @type {(node: Json) => Json} */
  const visit = (node) => {
    if ("items" in node) return { items: node.items.map(visit) };
    if ("members" in node) {
      return { members: node.members.map(([name, value]) => [name, visit(value)]) };
    }
    at -= 1;
    return at === -1 ? nearValue(node.raw, random, around) : node;
  };
  return visit(json);
}

/**
 * @param {Json} json
 * @returns {number}
 */
function leavesOf(json) {
  if ("raw" in json) return 1;
  const children = "items" in json ? json.items : json.members.map(([, value]) => value);
  return children.reduce((sum, child) => sum + leavesOf(child), 0);
}

/**
 * @param {Random} random
 * @param {Surroundings} around
 * @returns {string}
 */
function someName(random, { words }) {
  return words.length > 0 && random.chance(0.7) ? random.pick(words) : random.pick(oddNames);
}

/**
 * Changes one element, or the list: one more, one less, one twice, the other way round.
 *
 * @template Item
 * @param {readonly Item[]} items
 * @param {Random} random
 * @param {(item: Item) => Item} change
 * @param {() => Item} make
 * @returns {Item[]}
 */
function changeList(items, random, change, make) {
  const copy = [...items];
  const at = random.below(items.length + 1);
  const item = items[at];
  const what = random.next();
  if (item === undefined || what < 0.1) copy.splice(at, 0, make());
  else if (what < 0.18) copy.splice(at, 1);
  else if (what < 0.26) copy.splice(at, 0, item);
  else if (what < 0.32) copy.reverse();
  else copy[at] = change(item);
  return copy;
}

/**
 * Changes the structure of JSON; of what is none, the bytes.
 *
 * @param {Buffer} input
 * @param {Random} random
 * @param {Surroundings} around
 * @returns {Buffer}
 */
export function changeJson(input, random, around) {
  let tree;
  try {
    tree = treeOf(JSON.parse(input.toString("utf8")));
  } catch {
    return changeBytes(input, random, around);
  }
  // One change most often: what is read strictly forgives none that goes wrong.
  for (let count = random.pick([1, 1, 1, 2, 4]); count > 0; count--) {
    tree = random.chance(0.4) ? changeLeaf(tree, random, around) : changeTree(tree, random, around);
  }
  const text = Buffer.from(textOf(tree), "utf8");
  if (text.length > around.maxBytes) return input;
  // Now and then a byte that is no character, where a text most likely is.
  return random.chance(0.04)
    ? replaced(text, random, 0, () => Buffer.of(random.pick([0x80, 0xc0, 0xed, 0xff])))
    : text;
}
