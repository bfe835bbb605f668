/** The tables of a run, by name; `documents.ts` puts each where its markers are. Pure. */

import { plainName } from "../contenders/peers.ts";
import { machineText } from "../machine.ts";
import { callCountOf, flushesOf } from "../measures/resources.ts";
import type { Results } from "../results.ts";
import { sizeName } from "../sample.ts";
import { threeDigits } from "../statistics.ts";
import { goalsOf, isMet, measuredText, wantedText } from "./goals.ts";
import { mebibytes, spread, table } from "./markdown.ts";

export type Sections = Readonly<Record<string, string>>;

export function sectionsOf(results: Results): Sections {
  return {
    machine: `Measured in one run (\`${commandOf(results)}\`): ${machineText(results.machine)}.`,
    goals: goals(results),
    contenders: table(
      ["contender", "what it does"],
      Object.entries(results.contenders).map(([name, about]) => [`\`${name}\``, about]),
      2,
    ),
    times: times(results),
    ratios: ratios(results),
    "in-a-row": inARow(results),
    steps: steps(results),
    limits: limits(results),
    memory: memory(results),
    delays: delays(results),
    calls: calls(results),
    processes: processes(results),
    recovery: recovery(results),
    "start-up": startUp(results),
  };
}

function commandOf({ mode, share }: Results): string {
  const options = [
    ...(mode === "short" ? ["--short"] : []),
    ...(share < 1 ? ["--share", share] : []),
  ];
  return ["npm run bench", ...(options.length > 0 ? ["--"] : []), ...options].join(" ");
}

function goals(results: Results): string {
  const rows = goalsOf(results).map((goal) => {
    const met = isMet(goal);
    const verdict = met === undefined ? "not measured" : met ? "met" : "**missed**";
    return [goal.id, goal.what, wantedText(goal), measuredText(goal), verdict];
  });
  return table(["goal", "what", "wanted", "measured", ""], rows, 2);
}

function namesOf({ contenders }: Results): string[] {
  return Object.keys(contenders);
}

function times(results: Results): string {
  const names = namesOf(results);
  const rows = results.sizes.map(({ sizeBytes, kind, times }) => [
    `${sizeName(sizeBytes)}, ${kind}`,
    ...names.map((name) => (times[name] === undefined ? "–" : threeDigits(times[name].median))),
  ]);
  return table(["ms", ...names], rows);
}

function ratios(results: Results): string {
  const names = namesOf(results).filter((name) =>
    results.sizes.some(({ ratios }) => ratios[name] !== undefined),
  );
  const rows = results.sizes.map(({ sizeBytes, kind, ratios }) => [
    `${sizeName(sizeBytes)}, ${kind}`,
    ...names.map((name) => (ratios[name] === undefined ? "–" : spread(ratios[name]))),
  ]);
  return table(["fe relative to", ...names], rows);
}

function inARow(results: Results): string {
  const { inARow = [] } = results;
  const names = namesOf(results);
  const rows = inARow.map(({ sizeBytes, edits, times, ratios }) => [
    `${sizeName(sizeBytes)}, ${edits} edits`,
    ...names.map((name) => {
      const [time, ratio] = [times[name], ratios[name]];
      if (time === undefined) return "–";
      const relative = ratio === undefined ? "" : ` (${threeDigits(ratio.median)} ×)`;
      return `${threeDigits(time.median)}${relative}`;
    }),
  ]);
  return table(["ms", ...names], rows);
}

function steps({ steps }: Results): string {
  const groups = Object.keys(steps[0]?.groups ?? {});
  const rest = ({ total, groups: spent }: Results["steps"][number]): number =>
    total - Object.values(spent).reduce((sum, value) => sum + value, 0);
  const rows = [
    ...groups.map((name) => [name, ...steps.map((step) => threeDigits(step.groups[name] ?? 0))]),
    [
      "own work: search, hash, compare, turns of the loop",
      ...steps.map((s) => threeDigits(rest(s))),
    ],
    ["**whole edit**", ...steps.map(({ total }) => `**${threeDigits(total)}**`)],
    ["calls of the port", ...steps.map(({ calls }) => threeDigits(calls))],
  ];
  return table(["ms", ...steps.map(({ sizeBytes }) => sizeName(sizeBytes))], rows);
}

function limits({ limits }: Results): string {
  const rows = limits.map(({ sizeBytes, read, hash, compare, writeAndSync }) => [
    sizeName(sizeBytes),
    ...[read, hash, compare, writeAndSync].map(({ median }) => threeDigits(median)),
  ]);
  return table(["ms", "read", "SHA-256", "read two, compare", "write a file, fsync"], rows);
}

function memory({ memory }: Results): string {
  const rows = memory.map(({ contender, sizeBytes, edit, grownBytes }) => [
    `\`${contender}\`, ${sizeName(sizeBytes)}, ${edit}`,
    mebibytes(grownBytes.median),
    mebibytes(grownBytes.max),
  ]);
  return table(["resident memory grows by, MiB", "median", "most"], rows);
}

function delays({ delays }: Results): string {
  const rows = delays.map(({ contender, sizeBytes, duringEditMs, idleMs }) => [
    `\`${contender}\`, ${sizeName(sizeBytes)}`,
    threeDigits(duringEditMs),
    threeDigits(idleMs),
  ]);
  return table(["ms, 99.9th percentile", "during an edit", "idle process"], rows);
}

function calls({ calls }: Results): string {
  const rows = calls.map((result) => [
    `\`${result.contender}\`, ${sizeName(result.sizeBytes)}`,
    threeDigits(flushesOf(result)),
    threeDigits(callCountOf(result)),
    threeDigits(result.writtenBytes / 1024),
  ]);
  return table(["for each edit", "flushes", "system calls", "KiB written"], rows);
}

function processes({ processes }: Results): string {
  const rows = processes.map(({ processes, files, edits, editsPerSecond, relative }) => {
    const where = processes === 1 ? "one file" : files === "one" ? "one file" : "a file each";
    return [
      `${processes} × ${edits / processes} edits, ${where}`,
      spread(editsPerSecond),
      spread(relative),
    ];
  });
  return table(["processes", "edits a second", "relative to one process"], rows);
}

function recovery({ recovery }: Results): string {
  const { records, list, listByCommand, editWithout, editBeside, editReclaiming } = recovery;
  return table(
    ["ms", "median (middle half)"],
    [
      [`\`engine.recovery.list()\`, ${records} records`, spread(list)],
      [`\`fe recovery list\`, ${records} records`, spread(listByCommand)],
      ["edit of 4 KiB, no record in the store", spread(editWithout)],
      [`edit of 4 KiB beside ${records} records of other files`, spread(editBeside)],
      [`edit that first reclaims its file's record, 1 of ${records}`, spread(editReclaiming)],
    ],
  );
}

function startUp({ startUp }: Results): string {
  const { edit, nothing, ratio, editProcessorMs, nothingProcessorMs } = startUp;
  const processor = threeDigits(editProcessorMs / nothingProcessorMs);
  return table(
    ["ms", "start to end", "processor time"],
    [
      ["`fe edit`", spread(edit), threeDigits(editProcessorMs)],
      ["`node -e 0`", spread(nothing), threeDigits(nothingProcessorMs)],
      ["ratio", spread(ratio), processor],
    ],
  );
}

/** The paragraph of the README: the best and the worst, in one sentence each. */
export function summaryOf(results: Results): string {
  const plain = results.sizes.flatMap(({ sizeBytes, kind, ratios }) => {
    const ratio = ratios[plainName];
    return kind === "same length" && ratio !== undefined
      ? [`${threeDigits(ratio.median)} at ${sizeName(sizeBytes)}`]
      : [];
  });
  const goals = goalsOf(results);
  const missed = goals.filter((goal) => isMet(goal) === false);
  const verdict =
    missed.length === 0
      ? "All goals that were set for speed and memory were met in this run."
      : `Missed in this run: ${missed.map(({ id, what }) => `${id} (${what})`).join(", ")}.`;
  const load = threeDigits(results.machine.loadAtStart);
  return (
    `Time of a durable, journalled one-line edit relative to \`${plainName}\`, which keeps no ` +
    `journal: ${plain.join(", ")} (${results.machine.cores} cores, ` +
    `${results.machine.filesystem}, load average ${load}). ${verdict}`
  );
}
