// Which blocks of the code under test ran, by the precise coverage of V8: no instrumented build, no
// native module. It must be started before the code is loaded.
import inspector from "node:inspector";

/**
 * How often a block ran, roughly: one more round of a loop is news, the fortieth is not.
 *
 * @param {number} count
 */
function bucketOf(count) {
  if (count < 4) return 1 << (count - 1);
  return count < 8 ? 8 : count < 16 ? 16 : count < 32 ? 32 : count < 128 ? 64 : 128;
}

/** A source within the bundle. */
const sourceComment = /^\/\/ (\S+)$/gmu;
const isProduct = /^(?:native\/lib|packages\/[^/]+\/src)\//u;

/**
 * @typedef {object} Covered a function that ran, with its blocks; an outer range comes first
 * @property {{ startOffset: number, endOffset: number, count: number }[]} ranges
 *
 * @typedef {object} CoverageMap by position in the bundle
 * @property {Uint8Array} seen the buckets that were seen
 * @property {Int32Array} counts for use within one count
 * @property {Uint8Array} isWatched 1 where the product is
 */

/**
 * @param {number} length
 * @returns {CoverageMap}
 */
function mapOf(length) {
  const [seen, isWatched] = [new Uint8Array(length), new Uint8Array(length)];
  return { seen, isWatched, counts: new Int32Array(length) };
}

/**
 * At how many positions something ran as it was never seen to.
 *
 * @param {readonly Covered[]} functions
 * @param {CoverageMap} map
 * @param {boolean} keep
 * @param {(count: number) => number} bucketOf
 */
function countNews(functions, { seen, counts, isWatched }, keep, bucketOf) {
  let news = 0;
  for (const { ranges } of functions) {
    for (const { startOffset, endOffset, count } of ranges) {
      counts.fill(count, startOffset, endOffset);
    }
  }
  for (const { ranges } of functions) {
    const [outer] = ranges;
    if (outer === undefined || outer.count === 0) continue;
    for (let at = outer.startOffset; at < outer.endOffset; at++) {
      const count = counts[at] ?? 0;
      if (count === 0 || isWatched[at] === 0) continue;
      const bucket = bucketOf(count);
      if (((seen[at] ?? 0) & bucket) !== 0) continue;
      news += 1;
      if (keep) seen[at] = (seen[at] ?? 0) | bucket;
    }
  }
  return news;
}

export class Coverage {
  #session = new inspector.Session();
  #url = "";
  #map = mapOf(0);
  /** @type {{ file: string, from: number, to: number }[]} */
  #files = [];

  constructor() {
    this.#session.connect();
    // What is compiled from now on counts its own blocks, which costs more than it does; so what is
    // our own is compiled before.
    countNews([{ ranges: [{ startOffset: 0, endOffset: 1, count: 1 }] }], mapOf(1), true, bucketOf);
    this.#post("Profiler.enable");
    this.#post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  /**
   * @param {string} url of the bundle
   * @param {string} text
   */
  watch(url, text) {
    this.#url = url;
    this.#map = mapOf(text.length);
    const comments = [...text.matchAll(sourceComment)];
    for (const [index, comment] of comments.entries()) {
      const [, file = ""] = comment;
      const to = comments[index + 1]?.index ?? text.length;
      if (!isProduct.test(file)) continue;
      this.#files.push({ file, from: comment.index, to });
      this.#map.isWatched.fill(1, comment.index, to);
    }
    this.take(true);
  }

  /**
   * How much of what ran since the last time was never seen before.
   *
   * @param {boolean} keep from now on it was
   */
  take(keep) {
    return this.#take(keep, bucketOf);
  }

  /**
   * @param {boolean} keep
   * @param {(count: number) => number} bucketOf
   */
  #take(keep, bucketOf) {
    const { result } = this.#post("Profiler.takePreciseCoverage");
    /** @type {{ functions: Covered[] } | undefined} */
    const script = result.find((/** @type {{ url: string }} */ { url }) => url === this.#url);
    return countNews(script?.functions ?? [], this.#map, keep, bucketOf);
  }

  /** As `take(true)`, but however often a block ran, it is the same. */
  takeBlocks() {
    return this.#take(true, () => 1);
  }

  /** Begins anew: nothing was seen. */
  forget() {
    this.take(true);
    this.#map.seen.fill(0);
  }

  /** For each source, how many of its characters ran at least once. */
  reached() {
    return this.#files.map(({ file, from, to }) => {
      const ran = this.#map.seen.subarray(from, to).filter((bits) => bits !== 0).length;
      return { file, ran, all: to - from };
    });
  }

  /**
   * @param {string} method
   * @param {object} [parameters]
   * @returns {any}
   */
  #post(method, parameters) {
    /** @type {any} */
    let answer;
    /** @type {Error | null} */
    let failure = null;
    // Within one process the answer comes before `post` returns.
    this.#session.post(method, parameters, (error, result) => {
      failure = error;
      answer = result;
    });
    if (failure !== null) throw failure;
    return answer;
  }
}
