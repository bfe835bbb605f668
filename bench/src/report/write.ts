/** Writes what a run found: results, tables and chart; the pages of the project on demand. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { plainName } from "../contenders/peers.ts";
import { ourName } from "../measures/sizes.ts";
import { benchFolder, rootFolder } from "../place.ts";
import type { Results } from "../results.ts";
import { sizeName } from "../sample.ts";
import { barChart } from "./chart.ts";
import { fillMarkers } from "./documents.ts";
import { type Sections, sectionsOf, summaryOf } from "./sections.ts";

const resultsFolder = path.join(benchFolder, "results");
/** Pages with marked places. */
const pages = ["docs/performance.md", "README.md"];

function chartOf({ sizes, machine }: Results): string {
  const groups = sizes
    .filter(({ kind }) => kind === "same length")
    .map(({ sizeBytes, times }) => {
      const base = times[plainName]?.median ?? Number.NaN;
      const bars = Object.entries(times).map(([name, { median }]) => ({
        name,
        value: median / base,
      }));
      return { title: sizeName(sizeBytes), bars };
    });
  const { cores, filesystem, date } = machine;
  return barChart(groups, {
    title: `Time of a one-line edit, relative to ${plainName} (shorter is better)`,
    subtitle:
      `${cores} cores, ${filesystem}, ${date.slice(0, 10)}; only fe and v1 keep a journal; ` +
      "steno, node:fs and MCP do not sync",
    cutAt: 3,
    base: 1,
    emphasized: ourName,
  });
}

function pageOf(sections: Sections): string {
  const titles: Record<string, string> = { times: "Times", ratios: "Ratios, pair by pair" };
  const parts = Object.entries(sections).map(
    ([name, text]) => `## ${titles[name] ?? name}\n\n${text}`,
  );
  return `# Results\n\n${parts.join("\n\n")}\n`;
}

/** What the last run of this mode found. Errors: that of reading, if there was none. */
export function readResults(mode: Results["mode"]): Results {
  // The bench itself wrote it.
  return JSON.parse(readFileSync(path.join(resultsFolder, `${mode}.json`), "utf8")) as Results;
}

/** `updatePages`: also the pages of the project. Returns the paths that were written. */
export function writeResults(results: Results, updatePages: boolean): string[] {
  mkdirSync(resultsFolder, { recursive: true });
  const sections = { ...sectionsOf(results), summary: summaryOf(results) };
  const { mode } = results;
  const written: string[] = [];
  const put = (file: string, content: string): void => {
    writeFileSync(file, content);
    written.push(path.relative(rootFolder, file));
  };
  put(path.join(resultsFolder, `${mode}.json`), `${JSON.stringify(results, undefined, 2)}\n`);
  put(path.join(resultsFolder, `${mode}.md`), pageOf(sections));
  put(path.join(resultsFolder, `${mode}.svg`), chartOf(results));
  if (!updatePages) return written;
  for (const name of pages) {
    const file = path.join(rootFolder, name);
    const page = readFileSync(file, "utf8");
    const filled = fillMarkers(page, sections);
    if (filled !== page) put(file, filled);
  }
  return written;
}
