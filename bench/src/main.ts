/**
 * The bench: one process, one run, all contenders in turn.
 *
 *   --short   less of everything, in under a minute; no goal of 128 MiB is judged by it
 *   --write   also puts the numbers into the pages of the project
 *   --share N measures a share of the rounds, such as 0.3, in as much less time
 *   --render  measures nothing: writes tables, chart and pages from the results of the last run
 */
import { parseArgs } from "node:util";
import { closeContenders, openContenders } from "./contenders/all.ts";
import { olderName } from "./contenders/older-record.ts";
import { plainName } from "./contenders/peers.ts";
import { describeMachine, finishMachine, machineText } from "./machine.ts";
import { measureInARow, type RowResult, warmUp } from "./measures/in-a-row.ts";
import { measureLimits } from "./measures/limits.ts";
import { measureProcesses } from "./measures/processes.ts";
import { measureRecovery } from "./measures/recovery.ts";
import { measureCalls, measureDelay, measureMemory } from "./measures/resources.ts";
import { measureSizes, ourName, type SizeResult } from "./measures/sizes.ts";
import { measureStartUp } from "./measures/start-up.ts";
import { measureSteps } from "./measures/steps.ts";
import { makePlace, type Place } from "./place.ts";
import { type Plan, plans, withShare } from "./plan.ts";
import { goalsOf, isMet, measuredText, wantedText } from "./report/goals.ts";
import { readResults, writeResults } from "./report/write.ts";
import type { Results } from "./results.ts";
import { sizeName } from "./sample.ts";
import { threeDigits } from "./statistics.ts";

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

function sayResult({ sizeBytes, kind, times, ratios }: SizeResult): void {
  const ratio = ratios[plainName]?.median ?? Number.NaN;
  const ours = times[ourName]?.median ?? Number.NaN;
  say(
    `  ${sizeName(sizeBytes)}, ${kind}: ${threeDigits(ours)} ms, ` +
      `${threeDigits(ratio)} × ${plainName}`,
  );
}

function sayRow({ sizeBytes, edits, times, ratios }: RowResult): void {
  const ratio = threeDigits(ratios[plainName]?.median ?? Number.NaN);
  const ours = threeDigits(times[ourName]?.median ?? Number.NaN);
  say(`  ${sizeName(sizeBytes)}, ${edits} in a row: ${ours} ms, ${ratio} × ${plainName}`);
}

async function measureAll(place: Place, mode: Results["mode"], plan: Plan): Promise<Results> {
  const machine = describeMachine(place.folder);
  say(`Measuring on ${machineText(machine)}`);
  const contenders = await openContenders(place.userData);
  const about = contenders.map((contender) => [contender.name, contender.about] as const);
  await warmUp(place.newFolder("warm"), contenders, plan.warmUps);
  const sizes: SizeResult[] = [];
  for (const sizePlan of plan.sizes) {
    const folder = place.newFolder("sizes");
    sizes.push(...(await measureSizes(folder, contenders, sizePlan, sayResult)));
  }
  const inARow: RowResult[] = [];
  for (const rowPlan of plan.inARow) {
    const row = await measureInARow(place.newFolder("row"), contenders, rowPlan);
    sayRow(row);
    inARow.push(row);
  }
  await closeContenders(contenders);
  const { rounds } = plan;
  const used = place.userData;
  const folder = place.newFolder("other");
  say("  limits of the machine, steps");
  const limits = plan.limits.map((sizeBytes) => measureLimits(folder, sizeBytes, rounds.steps));
  const steps = [];
  for (const sizeBytes of plan.limits) {
    steps.push(await measureSteps(folder, used, sizeBytes, rounds.steps));
  }
  say("  memory, event-loop delay, system calls");
  const memory = measureMemory(folder, used, plan.memory, rounds.memory);
  const some = [ourName, plainName, olderName];
  const delays = measureDelay(folder, used, [ourName, plainName], plan.delayBytes, rounds.delay);
  const calls = plan.calls.flatMap(({ sizeBytes, counts }) =>
    measureCalls(folder, used, some, sizeBytes, counts),
  );
  say("  processes, recovery, start-up");
  const processes = await measureProcesses(folder, used, plan.edits, rounds.processes);
  const recovery = await measureRecovery(
    place.newFolder("recovery"),
    place.newFolder("many-records"),
    plan.records,
    rounds.recovery,
  );
  const startUp = measureStartUp(folder, used, rounds.startUp);
  return {
    mode,
    share,
    machine: finishMachine(machine),
    contenders: Object.fromEntries(about),
    warmUps: plan.warmUps,
    sizes,
    inARow,
    limits,
    steps,
    memory,
    delays,
    calls,
    processes,
    recovery,
    startUp,
  };
}

const { values } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    share: { type: "string", default: "1" },
    render: { type: "boolean", default: false },
  },
});

const share = Number(values.share);
if (!(share > 0)) throw new RangeError(`Not a share of the rounds: "${values.share}"`);

async function measureInPlace(mode: Results["mode"]): Promise<Results> {
  const place = makePlace();
  try {
    return await measureAll(place, mode, withShare(plans[mode], share));
  } finally {
    place.remove();
  }
}

const mode = values.short ? "short" : "full";
const results = values.render ? readResults(mode) : await measureInPlace(mode);
for (const goal of goalsOf(results)) {
  const met = isMet(goal);
  const verdict = met === undefined ? "not measured" : met ? "met" : "MISSED";
  say(`${goal.id}  ${goal.what}: ${measuredText(goal)} (${wantedText(goal)}) ${verdict}`);
}
for (const file of writeResults(results, values.write || values.render)) say(`wrote ${file}`);
