// Rules on the text of a file, whatever its language: lengths, unfinished work, and the layers of
// the C++ sources.
import { limits, longFileExcuse, nodeApiFiles, oneSystemFiles } from "./layout.mjs";

/**
 * @typedef {import("./files.mjs").SourceFile} SourceFile
 * @typedef {import("./files.mjs").Finding} Finding
 */

const commentLine = /^\s*(?:\/\/|\/\*|\*|#!|$)/u;
// Brackets, so that this line does not find itself.
const unfinished = /\b(?:TO[D]O|FIX[M]E|XX[X])\b/u;
/** A line that is a comment and holds an address, which cannot be broken. */
const addressLine = /^\s*(?:\/\/|\*).*https?:\/\/\S+$/u;
const nodeApiInclude = /^\s*#\s*include\s*[<"](?:napi|node_api|js_native_api|js_\w+)\.h[>"]/u;
const systemCondition =
  /^\s*#\s*(?:el)?if.*\b(?:_WIN32|WIN32|__linux__|__APPLE__|__unix__|_MSC_VER)\b/u;

/**
 * @param {string[]} lines
 * @returns {boolean}
 */
function hasExcuse(lines) {
  const end = lines.findIndex((line) => !commentLine.test(line));
  return lines.slice(0, end === -1 ? undefined : end).some((line) => line.includes(longFileExcuse));
}

/**
 * @param {SourceFile} file
 * @returns {Finding[]}
 */
export function checkText({ name, text, kind }) {
  /** @type {Finding[]} */
  const findings = [];
  const lines = text.replace(/\n$/u, "").split("\n");
  if (lines.length > limits.fileLines && !hasExcuse(lines)) {
    const message = `${lines.length} lines; at most ${limits.fileLines}, or "${longFileExcuse} …"`;
    findings.push({ file: name, line: 0, rule: "file-length", message });
  }
  lines.forEach((content, index) => {
    /** @type {(rule: string, message: string) => void} */
    const report = (rule, message) => {
      findings.push({ file: name, line: index + 1, rule, message });
    };
    const length = [...content].length;
    if (length > limits.lineCharacters && !addressLine.test(content)) {
      report("line-length", `${length} characters; at most ${limits.lineCharacters}`);
    }
    if (unfinished.test(content))
      report("unfinished", "Finish it, or write down why it is left out");
    if (kind !== "native") return;
    if (nodeApiInclude.test(content) && !nodeApiFiles.test(name)) {
      report("native-layer", "Only addon.cc and js_* know the Node-API");
    }
    if (systemCondition.test(content) && !oneSystemFiles.test(name)) {
      report("native-system", "Which file serves which system is decided in binding.gyp");
    }
  });
  return findings;
}
