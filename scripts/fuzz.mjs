// Coverage-guided fuzzing of what takes foreign bytes apart, and the faults that it must find.
//
//   npm run test:fuzz                                    about a minute on two cores
//   npm run test:fuzz -- --minutes 30 [--target record] [--seed 4711]
//   npm run test:fuzz -- --target record --replay FILE   one input again
//   npm run test:fuzz -- --keep                          without faults; what was reached becomes
//                                                        test/fixtures/fuzz/, to be committed
//   npm run test:fuzz -- --evidence                      writes docs/evidence/fuzz.md; with
//                                                        --target, the others as they ran last
//
// An input is a change of an earlier one, and is kept if it runs a block of the product that none
// ran before, or runs one more often. What must hold for each input is in `test/fuzz/` of the
// packages. Each target begins with the golden fixtures and with `test/fixtures/fuzz/`.
//
// Why a loop of our own: of the libraries for this, the one that is kept up (@jazzer.js/core) is a
// native module that needs glibc 2.38, newer than Debian 12 has, or a download at install; and no
// library knows how to make checksums right again, without which an input is refused at the door.
// What a library would bring beside, coverage, Node has (`node:inspector`).
//
// Time is processor time, so a busy machine tries as much as an idle one. The last line says how
// many targets held, and how many planted faults were found.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { mutants } from "./fuzz/mutants.mjs";
import { writeResults } from "./fuzz/results.mjs";
import { runTask } from "./fuzz/run.mjs";
import { targets } from "./fuzz/targets.mjs";

/**
 * @typedef {import("./fuzz/worker.mjs").Report} Report
 * @typedef {import("./fuzz/mutants.mjs").Mutant} Mutant
 * @typedef {{ name: string, target: string, mutant: Mutant | undefined, report: Report }} Run
 */

const root = fileURLToPath(new URL("..", import.meta.url));
const cache = path.join(root, "node_modules", ".cache", "fuzz");
/**
 * Processor time of one target, and the most for one fault: the slowest took 12.5 s, most a second.
 * A fault costs what it takes to find it, so the limit is far above.
 */
const shortMs = { target: 4_000, mutant: 90_000 };

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: {
    minutes: { type: "string" },
    seed: { type: "string" },
    target: { type: "string" },
    replay: { type: "string" },
    keep: { type: "boolean", default: false },
    evidence: { type: "boolean", default: false },
  },
});

// The short run says the same every time, as far as a limit of time allows; a long one explores.
const drawn = values.minutes === undefined ? 1 : Math.floor(Math.random() * 2 ** 31);
const seed = Number(values.seed ?? drawn);
const chosen = targets.filter(({ name }) => values.target === undefined || name === values.target);

/**
 * @param {import("./fuzz/targets.mjs").Place} place
 * @param {number} milliseconds
 * @param {Mutant} [mutant]
 * @returns {Promise<Run>}
 */
async function run({ name, file, folder }, milliseconds, mutant) {
  // Only now: it needs what `main` has installed.
  const { bundleTarget } = await import("./fuzz/bundle.mjs");
  const at = path.join(cache, mutant === undefined ? name : `${name}-${mutants.indexOf(mutant)}`);
  const bundle = await bundleTarget(file, at, mutant);
  const fixtures = path.join(root, folder, "test", "fixtures");
  const task = {
    bundle,
    seed,
    milliseconds,
    fixtures,
    current: path.join(at, "current"),
    failures: path.join(cache, mutant === undefined ? "failures" : "found"),
    corpus: path.join(fixtures, "fuzz", `${name}.txt`),
    keeps: values.keep && mutant === undefined,
    replay: values.replay === undefined ? undefined : path.resolve(values.replay),
  };
  return { name: mutant?.name ?? name, target: name, mutant, report: await runTask(task, name) };
}

/** @param {Run} run */
function hasHeld({ mutant, report }) {
  return (report.failure === undefined) === (mutant === undefined);
}

/** @param {Run} run */
function tell(run) {
  const { name, target, mutant, report } = run;
  const { inputs, accepted, kept, milliseconds, failure } = report;
  const time = `${(milliseconds / 1000).toFixed(1)} s`;
  const what = mutant === undefined ? target : `${target}, fault planted: ${name}`;
  const found = failure === undefined ? "" : `; ${failure.rule} (${failure.bytes} bytes)`;
  const counts = `${inputs} inputs, ${accepted} accepted, ${kept} kept`;
  console.log(`${hasHeld(run) ? "ok    " : "FAILED"} ${what}: ${counts}, ${time}${found}`);
  if (hasHeld(run) || failure === undefined) return;
  const file = path.relative(root, failure.file);
  console.log(`  ${failure.message}`);
  console.log(`  again with: npm run test:fuzz -- --target ${target} --replay ${file}`);
}

/**
 * Runs all jobs, as many at once as there are cores.
 *
 * @param {(() => Promise<Run>)[]} jobs
 */
async function runAll(jobs) {
  /** @type {Run[]} */
  const runs = [];
  const waiting = [...jobs];
  const worker = async () => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      const done = await job();
      tell(done);
      runs.push(done);
    }
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, worker));
  return runs;
}

async function main() {
  if (chosen.length === 0) {
    throw new Error(`Which target? One of ${targets.map(({ name }) => name).join(", ")}`);
  }
  // Only installs.
  execFileSync(process.execPath, [path.join(root, "scripts", "pnpm.mjs")], { stdio: "inherit" });
  mkdirSync(cache, { recursive: true });
  console.log(`Seed ${seed}`);
  const total = values.minutes === undefined ? undefined : Number(values.minutes) * 60_000;
  const each = total === undefined ? shortMs.target : total / chosen.length;
  const jobs = chosen.map((place) => () => run(place, each));
  if (values.replay === undefined && !values.keep) {
    for (const mutant of mutants) {
      const place = chosen.find(({ name }) => name === mutant.target);
      if (place !== undefined) jobs.push(() => run(place, shortMs.mutant, mutant));
    }
  }
  const runs = await runAll(jobs);
  const failed = runs.filter((done) => !hasHeld(done)).length;
  if (values.keep) for (const done of runs) if (hasHeld(done)) keepCorpus(done);
  const isPage = values.evidence && failed === 0;
  if (values.replay === undefined && !values.keep) writeResults(runs, { seed, isPage });
  console.log(`\n${runs.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/** @param {Run} run */
function keepCorpus({ target, mutant, report }) {
  const place = targets.find(({ name }) => name === target);
  if (mutant !== undefined || place === undefined) return;
  const folder = path.join(root, place.folder, "test", "fixtures", "fuzz");
  mkdirSync(folder, { recursive: true });
  const lines = report.corpus.map((line) => `${line}\n`);
  writeFileSync(path.join(folder, `${target}.txt`), lines.join(""));
}

await main();
