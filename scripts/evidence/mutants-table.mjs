// The table of all mutants and layers: its rows, what is wrong with it, its text.

/**
 * What each layer saw of its mutants, by name: of the simulation the first seed of each rule; of
 * the comparison of calls what showed it; of the loss of power each filesystem.
 *
 * @typedef {object} Seen
 * @property {Record<string, { seeds: number, caught: Record<string, number> }>} [simulation]
 * @property {Record<string, string>} [crash]
 * @property {Record<string, Record<string, { caught: boolean, states: number }>>} [power]
 *
 * @typedef {object} Row one protection, and its mutant's name in each layer that has one
 * @property {string} what
 * @property {string} [simulation]
 * @property {string} [outside] its name in `test-e2e/src/harness/mutants.mjs`
 */

/** @type {readonly Row[]} */
const rows = [
  {
    what: "sync of the record",
    simulation: "sync of the record left out",
    outside: "record not synced",
  },
  {
    what: "sync of the store after the record has its name",
    simulation: "sync of the directories after a name was made left out",
    outside: "directory not synced after the link",
  },
  {
    what: "sync of the directories above a new store",
    simulation: "sync of the directories after a name was made left out",
    outside: "store not synced",
  },
  {
    what: "sync of the target",
    simulation: "sync of the target left out",
    outside: "target not synced",
  },
  {
    what: "sync of an orphan's target before its record goes",
    simulation: "sync of the target before a reclaim left out",
    outside: "orphan's target not synced",
  },
  {
    what: "sync of the store after the record is gone",
    simulation: "late sync of the directory left out",
    outside: "directory not synced after the removal",
  },
  { what: "every sync", outside: "no sync at all" },
  { what: "look before the write", simulation: "verify before: left out" },
  {
    what: "look before the write: the bytes",
    simulation: "verify before: bytes not compared",
  },
  {
    what: "look before the write: the path",
    simulation: "verify before: path not walked again",
  },
  {
    what: "written in place (mutant: truncated first)",
    simulation: "truncated first",
    outside: "truncated first",
  },
  {
    what: "record kept until the end (mutant: removed first)",
    outside: "record removed first",
  },
  { what: "key lock", simulation: "key lock not taken" },
  { what: "record lock", simulation: "record lock not taken" },
  { what: "both locks", simulation: "neither lock taken", outside: "lock not taken" },
  {
    what: "reclaim of the very record that was judged (mutant: by path)",
    simulation: "record removed by path, unverified",
  },
  {
    what: "boot id and start time of an owner (mutant: its pid alone)",
    simulation: "owner judged by its pid alone",
  },
  {
    what: "lease (mutant: said to be held, and not taken)",
    simulation: "lease said to be held, and not taken",
  },
  { what: "mark of a failed sync", simulation: "failed sync not marked in the record" },
  {
    what: "all bytes anew when a doubtful record is resolved",
    simulation: "equal bytes trusted when a doubtful record is resolved",
  },
];

/** @param {Seen} seen @param {Row} row */
function inSimulation({ simulation = {} }, row) {
  const found = simulation[row.simulation ?? ""];
  if (found === undefined) return { isCaught: false, cell: "–" };
  const rules = Object.entries(found.caught).sort(([, one], [, other]) => one - other);
  if (rules.length === 0) {
    return { isCaught: false, cell: `missed in ${found.seeds} runs` };
  }
  const cell = rules.map(([rule, seed]) => `${rule}, run ${seed}`).join("; ");
  return { isCaught: true, cell };
}

/** @param {Seen} seen @param {Row} row */
function inCalls({ crash = {} }, row) {
  const cell = crash[row.outside ?? ""];
  return { isCaught: cell !== undefined, cell: cell ?? "–" };
}

/** @param {Seen} seen @param {Row} row */
function inPower({ power = {} }, row) {
  const filesystems = Object.entries(power[row.outside ?? ""] ?? {});
  if (filesystems.length === 0) return { isCaught: false, cell: "–" };
  const cell = filesystems
    .map(([name, { caught, states }]) =>
      caught ? `${name}, state ${states}` : `missed on ${name} in ${states} states`,
    )
    .join("; ");
  return { isCaught: filesystems.some(([, { caught }]) => caught), cell };
}

/**
 * @typedef {(seen: Seen, row: Row) => { isCaught: boolean, cell: string }} Look
 * @type {readonly (readonly [string, Look])[]}
 */
const layers = [
  ["simulation", inSimulation],
  ["list of calls", inCalls],
  ["loss of power", inPower],
];

/** @param {Seen} seen @param {Row} row */
function catchersOf(seen, row) {
  return layers.filter(([, look]) => look(seen, row).isCaught).map(([name]) => name);
}

/**
 * What is wrong with the table; nothing if it is sound.
 *
 * @param {Seen} seen
 * @param {{ readonly simulation: readonly string[], readonly crash: readonly string[] }} sources
 * the names of the mutants in the suites
 * @returns {string[]}
 */
export function problemsOf(seen, sources) {
  const problems = [];
  for (const row of rows) {
    if (catchersOf(seen, row).length === 0) problems.push(`no layer catches: ${row.what}`);
  }
  const pairs = /** @type {const} */ ([
    ["simulation", sources.simulation, "simulation", "test:simulation"],
    ["outside", sources.crash, "crash", "test:crash"],
  ]);
  for (const [member, names, layer, command] of pairs) {
    const inTable = new Set(rows.flatMap((row) => row[member] ?? []));
    const run = new Set(Object.keys(seen[layer] ?? {}));
    for (const name of names) {
      if (!inTable.has(name)) problems.push(`"${name}" has no row`);
      if (!run.has(name)) problems.push(`"${name}" was not run: ${command} -- --evidence`);
    }
    for (const name of new Set([...inTable, ...run])) {
      if (!names.includes(name)) problems.push(`"${name}" is no mutant of ${layer}`);
    }
  }
  return problems;
}

/**
 * @param {Seen} seen
 * @returns {string}
 */
export function renderMutants(seen) {
  const heads = ["left out or wrong", ...layers.map(([name]) => name), "caught by"];
  const lines = rows.map((row) => {
    const cells = layers.map(([, look]) => look(seen, row).cell);
    const catchers = catchersOf(seen, row).join(", ") || "**nobody**";
    return `| ${[row.what, ...cells, catchers].join(" | ")} |`;
  });
  return `${[
    "# Protections taken out, and who notices",
    "",
    "Written by `node scripts/evidence/mutants-page.mjs` from what the suites put into",
    "[mutants.json](mutants.json) when they write their own pages, not by hand. `npm test` fails",
    "if a mutant of a suite is missing here, was not run, or is caught by nobody.",
    "",
    `| ${heads.join(" | ")} |`,
    `|${" --- |".repeat(heads.length)}`,
    ...lines,
    "",
    "- **simulation**: [the simulated machine](simulation.md): the first run in which each rule",
    "  was broken, of 2,000 at most. The rules are at the heads of the files that the page names.",
    "- **list of calls**: `npm run test:crash` compares the calls that a real process makes with",
    "  the committed list.",
    "- **loss of power**: `npm run test:power`: the first state of a disk that is wrong. A mutant",
    "  that a filesystem hides is said to be missed on it.",
    "- –: the layer does not have this mutant. The fuzz tests have mutants of their own:",
    "  [fuzz.md](fuzz.md).",
    "",
  ].join("\n")}`;
}
