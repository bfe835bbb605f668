// Longer runs of the simulation, one seed again with every call, and the evidence.
//
//   pnpm --filter @fe/engine run test:simulation --seeds 1000000 [--from 1] [--profile crowd]
//   pnpm --filter @fe/engine run test:simulation --seed 4711
//   pnpm --filter @fe/engine run test:simulation --evidence    (or --page: from its last run)
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const here = fileURLToPath(new URL("../", import.meta.url));
const { resolve } = createRequire(import.meta.url);
const vitest = path.join(path.dirname(resolve("vitest/package.json")), "vitest.mjs");
const cache = path.join(here, "node_modules", ".cache", "simulation");
const page = path.join(here, "..", "..", "docs", "evidence", "simulation.md");

function run(files, variables) {
  const { status } = spawnSync(process.execPath, [vitest, "run", ...files], {
    cwd: here,
    stdio: "inherit",
    env: { ...process.env, ...variables },
  });
  return status ?? 1;
}

function tableOf(rows) {
  const [head, ...rest] = rows;
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rest.map(line)].join("\n");
}

function readParts() {
  return readdirSync(cache)
    .sort()
    .map((name) => JSON.parse(readFileSync(path.join(cache, name), "utf8")));
}

function runsTable(parts) {
  const rows = parts.map(({ title, runs, steps, powerLosses, failures, seconds }) => [
    title,
    runs,
    steps,
    powerLosses,
    failures.length,
    seconds.toFixed(1),
  ]);
  const sum = (index) => rows.reduce((total, row) => total + Number(row[index]), 0);
  const total = ["**all**", sum(1), sum(2), sum(3), sum(4), sum(5).toFixed(1)];
  return tableOf([["runs", "number", "calls", "power losses", "violations", "s"], ...rows, total]);
}

function mutantsTable(mutants) {
  const inside = new Set(["EX", "I1", "I3", "I5", "KL", "ME", "S13"]);
  const say = (found) => found.map(({ rule, seed }) => `${rule}, seed ${seed}`).join("; ") || "–";
  const rows = mutants.map(({ name, expected, why, catches }) => [
    name,
    expected === "caught" ? "caught" : `**not caught**: ${why}`,
    say(catches.filter(({ rule }) => inside.has(rule))),
    say(catches.filter(({ rule }) => !inside.has(rule)).slice(0, 1)),
  ]);
  return tableOf([["left out or wrong", "", "from inside", "from outside"], ...rows]);
}

function answersTable(parts) {
  const all = new Map();
  for (const { answers } of parts) {
    for (const [name, count] of Object.entries(answers))
      all.set(name, (all.get(name) ?? 0) + count);
  }
  const rows = [...all].sort((one, other) => other[1] - one[1]);
  return tableOf([["answer", "times"], ...rows]);
}

function writePage() {
  const parts = readParts();
  const runs = parts.filter(({ runs }) => runs !== undefined);
  const mutants = parts.filter(({ catches }) => catches !== undefined);
  const [cpu] = os.cpus();
  const machine = `${os.type()} ${os.release()}, ${os.cpus().length} × ${cpu?.model.trim()}`;
  const text = readFileSync(new URL("simulation-evidence.md", import.meta.url), "utf8")
    .replace("{date}", new Date().toISOString().slice(0, 10))
    .replace("{machine}", `${machine}, Node ${process.versions.node}`)
    .replace("{load}", os.loadavg()[0]?.toFixed(1) ?? "unknown")
    .replace("{runs}", runsTable(runs))
    .replace("{mutants}", mutantsTable(mutants))
    .replace("{answers}", answersTable(runs));
  mkdirSync(path.dirname(page), { recursive: true });
  writeFileSync(page, text);
  const table = path.join(here, "..", "..", "scripts", "evidence", "mutants-page.mjs");
  const { status } = spawnSync(process.execPath, [table, "--take", "simulation"], {
    stdio: "inherit",
  });
  process.exitCode = status ?? 1;
}

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: {
    seeds: { type: "string" },
    from: { type: "string" },
    seed: { type: "string" },
    profile: { type: "string" },
    evidence: { type: "boolean" },
    page: { type: "boolean" },
  },
});

if (values.page) {
  writePage();
} else if (values.evidence) {
  rmSync(cache, { recursive: true, force: true });
  const status = run(["src/simulation"], { FE_SIMULATION_EVIDENCE: "1" });
  if (status === 0) writePage();
  else process.exitCode = status;
} else {
  const { seed, seeds = "100000", from = "1", profile = "crowd" } = values;
  process.exitCode = run(["src/simulation.crash.test.ts"], {
    FE_SIMULATION_SEEDS: seed === undefined ? seeds : "1",
    FE_SIMULATION_FROM: seed ?? from,
    FE_SIMULATION_PROFILE: profile,
    ...(seed === undefined ? {} : { FE_SIMULATION_TRACE: "1" }),
  });
}
