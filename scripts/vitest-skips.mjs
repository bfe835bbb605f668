// A vitest reporter that writes the skipped tests as JSON lines, with the note of
// `context.skip(note)`, which vitest's own JSON reporter leaves out.
import { writeFileSync } from "node:fs";

/** @typedef {import("vitest/node").Reporter} Reporter */

/** @implements {Reporter} */
export default class SkipReporter {
  /** @type {string} */
  #outputFile;

  /** @param {{ outputFile: string }} options */
  constructor(options) {
    this.#outputFile = options.outputFile;
  }

  /** @param {readonly import("vitest/node").TestModule[]} testModules */
  onTestRunEnd(testModules) {
    const lines = [];
    for (const testModule of testModules) {
      for (const test of testModule.children.allTests("skipped")) {
        const result = test.result();
        const reason = result.state === "skipped" ? result.note : undefined;
        lines.push(JSON.stringify({ file: testModule.moduleId, name: test.fullName, reason }));
      }
    }
    writeFileSync(this.#outputFile, lines.map((line) => `${line}\n`).join(""));
  }
}
