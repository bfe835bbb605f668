// Which files tidy looks at, what kind each is, and what it imports.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

/** Folders of generated or foreign files, and of fixtures that break rules on purpose. */
const skippedFolders = new Set([
  ...["node_modules", "dist", "build", "build-types", "prebuilds", "coverage"],
  ...["fixtures", "results"],
]);
const codeFile = /\.(?:ts|mts|cts|js|mjs|cjs|cc|h)$/u;

/**
 * @typedef {"product" | "test" | "tool" | "native"} Kind
 *   `product`: sources of a package. `test`: tests, their helpers, `bench` and `test-e2e`.
 *   `tool`: scripts and configuration. `native`: C++.
 *
 * @typedef {object} Reference
 * @property {string} specifier as written
 * @property {number} line from 1
 * @property {boolean} isTypeOnly nothing of it is left when the program runs
 *
 * @typedef {object} SourceFile
 * @property {string} name relative to the root, with `/`
 * @property {string} text
 * @property {Kind} kind
 * @property {string} packageFolder such as `packages/engine`; the first folder outside `packages`
 * @property {ts.SourceFile | undefined} tree `undefined` for C++
 * @property {Reference[]} references
 *
 * @typedef {object} Finding
 * @property {string} file
 * @property {number} line from 1; 0 if it is about the whole file
 * @property {string} rule
 * @property {string} message
 */

/**
 * @param {string} root
 * @returns {Map<string, string>} text by name
 */
export function readTree(root) {
  const files = new Map();
  /** @param {string} folder */
  const visit = (folder) => {
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!skippedFolders.has(entry.name) && !entry.name.startsWith(".")) visit(name);
      } else if (entry.isFile() && codeFile.test(entry.name)) {
        files.set(name, readFileSync(path.join(root, name), "utf8"));
      }
    }
  };
  visit("");
  return files;
}

/**
 * @param {string} name
 * @returns {Kind}
 */
function kindOf(name) {
  if (/\.(?:cc|h)$/u.test(name)) return "native";
  if (/^(?:bench|test-e2e)\/src\//u.test(name)) return "test";
  if (/\.(?:test|bench)\.ts$/u.test(name) || name.split("/").includes("test")) return "test";
  if (/^(?:native\/(?:lib|testing)|packages\/[^/]+\/src)\//u.test(name)) return "product";
  return "tool";
}

/**
 * @param {ts.ImportDeclaration | ts.ExportDeclaration} node
 * @returns {boolean}
 */
function isTypeOnly(node) {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  const clause = node.importClause;
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const bindings = clause.namedBindings;
  if (clause.name !== undefined || bindings === undefined) return false;
  return ts.isNamedImports(bindings) && bindings.elements.every((element) => element.isTypeOnly);
}

/**
 * The module that a node names: by an import, an export, a call of `import` or `require`, an import
 * type, or `new URL("./x", import.meta.url)`, by which workers and child processes are started.
 *
 * @param {ts.Node} node
 * @returns {{ literal: ts.Node | undefined, isTypeOnly: boolean } | undefined}
 */
function namedModule(node) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
    return { literal: node.moduleSpecifier, isTypeOnly: isTypeOnly(node) };
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return { literal: node.argument.literal, isTypeOnly: true };
  }
  if (ts.isCallExpression(node)) {
    const { expression } = node;
    const isRequire = ts.isIdentifier(expression) && expression.text === "require";
    if (isRequire || expression.kind === ts.SyntaxKind.ImportKeyword) {
      return { literal: node.arguments[0], isTypeOnly: false };
    }
  }
  if (ts.isNewExpression(node) && node.expression.getText() === "URL") {
    if (node.arguments?.[1]?.getText() !== "import.meta.url") return undefined;
    return { literal: node.arguments[0], isTypeOnly: false };
  }
  return undefined;
}

/**
 * @param {ts.SourceFile} tree
 * @returns {Reference[]}
 */
function referencesOf(tree) {
  /** @type {Reference[]} */
  const references = [];
  walk(tree, (node) => {
    const named = namedModule(node);
    if (named?.literal === undefined || !ts.isStringLiteralLike(named.literal)) return;
    const specifier = named.literal.text;
    references.push({ specifier, line: lineOf(node), isTypeOnly: named.isTypeOnly });
  });
  return references;
}

/**
 * @param {string} name
 * @param {string} text
 * @returns {SourceFile}
 */
export function parse(name, text) {
  const kind = kindOf(name);
  const tree =
    kind === "native" ? undefined : ts.createSourceFile(name, text, ts.ScriptTarget.ESNext, true);
  const parts = name.split("/");
  const packageFolder = parts.slice(0, parts[0] === "packages" ? 2 : 1).join("/");
  return { name, text, kind, packageFolder, tree, references: tree ? referencesOf(tree) : [] };
}

/**
 * @param {ts.Node} node
 * @param {(node: ts.Node) => void} visit
 */
export function walk(node, visit) {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/**
 * @param {ts.Node} node
 * @returns {number} from 1
 */
export function lineOf(node) {
  const tree = node.getSourceFile();
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
}

/**
 * @param {string} name
 * @param {readonly string[]} places names of files, or of folders with a `/` at the end
 */
export function isListed(name, places) {
  return places.some((place) => (place.endsWith("/") ? name.startsWith(place) : name === place));
}
