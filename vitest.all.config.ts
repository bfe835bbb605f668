// All packages in one run, for `npm test`. It has another name than vitest.config.ts because vitest
// looks upward for that one, and a package's own run would pick this up.
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { base } from "./vitest.base.ts";

/** What takes long by its nature comes first, so that no core is idle while the last one runs. */
const takesLong = /\.(?:crash|race|exhaustive|liveness\.linux)\.test\.ts$/;

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => takesLong.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** They replace modules, or count what others would add to, so each has a process of its own. */
const alone = [
  "src/native-unavailable.test.ts",
  "src/simulation.mutants.crash.test.ts",
  "src/transaction/costs.test.ts",
];

/**
 * The files of a package follow each other in one process, which loads each module once: most of
 * the time of a small file is the start of its process.
 */
const shared = (folder: string, test: { readonly name: string; readonly exclude?: string[] }) => ({
  extends: `./${folder}/vitest.config.ts`,
  test: { ...test, root: folder, isolate: false },
});

export default defineConfig({
  test: {
    // Otherwise a core is left free, and on two of them everything runs one after the other.
    maxWorkers: "100%",
    // scripts/test.mjs counts from the first file and lists the skipped tests from the second.
    reporters: [
      "default",
      ["json", { outputFile: "node_modules/.cache/vitest.json" }],
      ["./scripts/vitest-skips.mjs", { outputFile: "node_modules/.cache/vitest-skips.jsonl" }],
    ],
    sequence: { sequencer: LongFirst },
    projects: [
      shared("packages/engine", { name: "@fe/engine", exclude: alone }),
      {
        ...base,
        test: { ...base.test, name: "@fe/engine alone", root: "packages/engine", include: alone },
      },
      shared("native", { name: "@fe/native" }),
      shared("packages/journal", { name: "@fe/journal" }),
      shared("packages/reconcile", { name: "@fe/reconcile" }),
      shared("packages/cli", { name: "@fe/cli" }),
      shared("packages/mcp", { name: "@fe/mcp" }),
      shared("bench", { name: "@fe/bench" }),
      shared("test-e2e", { name: "@fe/test-e2e" }),
      {
        test: { ...base.test, name: "scripts", isolate: false, include: ["scripts/**/*.test.ts"] },
      },
    ],
  },
});
