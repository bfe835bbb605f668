// The page about fuzzing.

import { reflow } from "./reflow.mjs";

/**
 * @typedef {object} Run what scripts/fuzz.mjs wrote
 * @property {string} name
 * @property {string} target
 * @property {boolean} isMutant
 * @property {Omit<import("../fuzz/worker.mjs").Report, "corpus">} report
 */

/** @type {Readonly<Record<string, string>>} */
const what = {
  descriptor: "security descriptors of Windows, as bytes and as SDDL; cut off; written again",
  record: "reader of recovery records, against a second reader; written again; one bit changed",
  metadata: "text of a record's metadata; written again; every range",
  "legacy-record": "reader of the older form, against a second reader; one bit changed",
  splices: "after-image as splices, against one put together at once",
  names: "names in the store; paths that are not UTF-8",
  request: "`--request` of `fe edit`, against a second reading; a member that nobody knows",
  "command-line": "words of the command line, to settings",
  call: "calls of the MCP tools, to what the engine is asked for and what is answered",
  stream: "command line of `fe-mcp`; lines of its input in any pieces",
};

/** @param {number} milliseconds */
function seconds(milliseconds) {
  return (milliseconds / 1000).toFixed(1);
}

/**
 * Sources of which something ran in a run that was about them, the least reached first.
 *
 * @param {readonly Run[]} runs
 */
function reachedTable(runs) {
  /** @type {Map<string, { ran: number, all: number }>} */
  const best = new Map();
  for (const { file, ran, all } of runs.flatMap(({ report }) => report.reached)) {
    const other = best.get(file);
    if (other === undefined || ran / all > other.ran / other.all) best.set(file, { ran, all });
  }
  const focus = [
    ...["journal/src/record-codec", "journal/src/record-reader", "journal/src/metadata-codec"],
    ...["journal/src/member-reader", "journal/src/legacy-record", "journal/src/splice"],
    ...["journal/src/file-names", "cli/src/settings/request", "cli/src/arguments"],
    ...["mcp/src/tools/aliases", "mcp/src/tools/input", "mcp/src/arguments"],
    "mcp/src/line-joiner",
  ];
  const rows = focus.flatMap((name) => {
    const found = best.get(`packages/${name}.ts`);
    return found === undefined
      ? []
      : [`| ${name}.ts | ${Math.round((100 * found.ran) / found.all)} |`];
  });
  return ["| source in packages/ | % of its characters that ran |", "| --- | --- |", ...rows];
}

/** @param {readonly Run[]} planted */
function plantedTable(planted) {
  return [
    "## Faults that were planted",
    "",
    "Each was planted by itself, and the rules of its target found it. Seconds are of the",
    "processor, until then:",
    "",
    "| fault | target | rule that failed | inputs | s | shortest input |",
    "| --- | --- | --- | --- | --- | --- |",
    ...planted.map(({ name, target, report }) => {
      const { inputs, milliseconds, failure } = report;
      if (failure === undefined)
        throw new Error(`The page is for runs in which "${name}" is found`);
      const numbers = [inputs, seconds(milliseconds)].join(" | ");
      return `| ${name} | ${target} | ${failure.rule} | ${numbers} | ${failure.bytes} bytes |`;
    }),
    "",
  ];
}

/**
 * @param {{ seed: number, runs: readonly Run[] }} found
 * @param {import("./write-page.mjs").Surroundings} around
 */
export function fuzzPage({ seed, runs }, { machine }) {
  const own = runs.filter(({ isMutant }) => !isMutant);
  const planted = runs.filter(({ isMutant }) => isMutant);
  const total = own.reduce((sum, { report }) => sum + report.inputs, 0);
  return reflow([
    "# Fuzzing, guided by coverage",
    "",
    `Written by \`npm run test:fuzz -- --evidence\`, not by hand. Seed ${seed}.`,
    "",
    `**Machine.** ${machine.join(", ")}.`,
    "",
    "**Method.** An input is a change of an earlier one: of bytes, of text, of the",
    "structure of JSON,",
    "or of one part of a record with the checksums made right again. It is kept if a block of the",
    "product runs that never ran before, or runs more often; V8 says so itself. Each target begins",
    "with the golden fixtures and with the committed inputs. What must hold of each",
    "input stands in",
    "`test/fuzz/` of the packages; an error that is not documented, more memory than the input",
    "accounts for, more than a second of processor time, and an input that does not",
    "end fail as well.",
    "A failing input is made shorter, and one command tries it again.",
    "",
    "## Runs",
    "",
    "| target | inputs | accepted | kept | s | what is held together |",
    "| --- | --- | --- | --- | --- | --- |",
    ...own.map(({ name, report }) => {
      const { inputs, accepted, kept, milliseconds } = report;
      const numbers = [inputs, accepted, kept, seconds(milliseconds)].join(" | ");
      return `| ${name} | ${numbers} | ${what[name] ?? ""} |`;
    }),
    "",
    `No input of ${total} broke a rule, or this page would not have been written.`,
    `Seconds are of the`,
    "processor.",
    "",
    ...reachedTable(own),
    "",
    "What is left in them is mostly what no input can lead to: errors of callers,",
    "and the half that",
    "writes.",
    "",
    ...plantedTable(planted),
    "",
    "## What it found in the product",
    "",
    "- A line break in an argument of `fe-mcp` made a line of its own in the error message. It is",
    "escaped now.",
    "",
    "## What it does not show",
    "",
    "That there is no other input: it tries what its changes lead to. A record",
    "larger than 8 KiB is",
    "not tried here, but in the tests of the format. Of the SDK that takes the",
    "messages of MCP apart",
    "nothing is tried. The C++ layer has a suite of its own (`npm run test:sanitize`).",
  ]);
}
