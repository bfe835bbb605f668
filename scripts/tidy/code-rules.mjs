// Rules on the code of one TypeScript or JavaScript file: what it may reach, and what it may write.
import ts from "typescript";
import { isListed, lineOf, walk } from "./files.mjs";
import {
  limits,
  mayTestPlatform,
  mayTouchSystem,
  mayUseClockAndChance,
  mayUseProcess,
  mayWriteTarget,
  purePackages,
  systemModules,
  targetWriteMethods,
} from "./layout.mjs";

/**
 * @typedef {import("./files.mjs").SourceFile} SourceFile
 * @typedef {import("./files.mjs").Finding} Finding
 * @typedef {(node: ts.Node, file: SourceFile) => string | undefined} Rule what is wrong, if it is
 */

const clockAndChance =
  /^(?:Date\.now|performance\.now|Math\.random|(?:\w+\.)?(?:randomUUID|randomBytes|randomInt))$/u;
const comparisons = new Set([
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
]);
const testFunctions = new Set(["it", "test", "describe", "suite", "bench"]);

/**
 * Whether an identifier means the global of its name: not a member, a key or a name declared here.
 *
 * @param {ts.Identifier} node
 */
function isGlobal(node) {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) {
    return parent.expression.getText() === "globalThis";
  }
  if (ts.isQualifiedName(parent) || ts.isBindingElement(parent)) return false;
  // Declarations, keys and parameters keep their own name in `name`.
  return !("name" in parent && parent.name === node) && !isDeclaredIn(node.getSourceFile(), node);
}

/**
 * @param {ts.SourceFile} tree
 * @param {ts.Identifier} name
 */
function isDeclaredIn(tree, name) {
  let isDeclared = false;
  walk(tree, (node) => {
    const canDeclare =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isImportSpecifier(node) ||
      ts.isImportClause(node) ||
      ts.isNamespaceImport(node);
    if (canDeclare && node.name?.getText() === name.text) isDeclared = true;
  });
  return isDeclared;
}

/** @type {Rule} */
function processRule(node, { name, kind }) {
  if (kind !== "product" || isListed(name, mayUseProcess) || !ts.isIdentifier(node))
    return undefined;
  if (node.text !== "process" && node.text !== "console") return undefined;
  return isGlobal(node)
    ? `\`${node.text}\` is for the shell; take what you need as an argument`
    : undefined;
}

/** @type {Rule} */
function clockRule(node, { name, kind }) {
  if (kind !== "product" || isListed(name, mayUseClockAndChance)) return undefined;
  const isNow =
    ts.isNewExpression(node) && node.expression.getText() === "Date" && !node.arguments?.length;
  const isSource =
    (ts.isPropertyAccessExpression(node) || ts.isIdentifier(node)) &&
    !(ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) &&
    clockAndChance.test(node.getText());
  return isNow || isSource
    ? "Ask `Os` for time and chance, so that a run can be replayed"
    : undefined;
}

/**
 * @param {ts.Node} node
 * @returns {boolean}
 */
function readsPlatform(node) {
  return ts.isPropertyAccessExpression(node) && node.name.text === "platform";
}

/** @type {Rule} */
function platformRule(node, { name, kind }) {
  if (kind !== "product" || isListed(name, mayTestPlatform)) return undefined;
  const isTest =
    (ts.isBinaryExpression(node) &&
      comparisons.has(node.operatorToken.kind) &&
      (readsPlatform(node.left) || readsPlatform(node.right))) ||
    (ts.isSwitchStatement(node) && readsPlatform(node.expression));
  return isTest ? "Ask `Os` for a capability with a name instead of the platform" : undefined;
}

/** @type {Rule} */
function targetWriteRule(node, { name, kind }) {
  if (kind !== "product" || isListed(name, mayWriteTarget)) return undefined;
  if (!ts.isPropertyAccessExpression(node)) return undefined;
  if (!targetWriteMethods.includes(node.name.text)) return undefined;
  return `\`${node.name.text}\` changes the user's file; only ${mayWriteTarget.at(-1)} may`;
}

/** @type {Rule} */
function pureRule(node, { kind, packageFolder }) {
  if (kind !== "product" || !purePackages.includes(packageFolder)) return undefined;
  const waits =
    node.kind === ts.SyntaxKind.AsyncKeyword ||
    node.kind === ts.SyntaxKind.AwaitKeyword ||
    (ts.isIdentifier(node) && node.text === "Promise");
  return waits ? "This package computes; it waits for nothing" : undefined;
}

/** @type {Rule} */
function anyRule(node) {
  const isAny = node.kind === ts.SyntaxKind.AnyKeyword;
  return isAny ? "`any` turns the checks off; `unknown` keeps them" : undefined;
}

/** @type {Rule} */
function onlyRule(node) {
  if (!ts.isPropertyAccessExpression(node) || node.name.text !== "only") return undefined;
  const first = /^\w+/u.exec(node.expression.getText())?.[0] ?? "";
  return testFunctions.has(first) ? "`.only` leaves the other tests out" : undefined;
}

/** @type {Rule} */
function functionLengthRule(node, { kind }) {
  // The callback of `describe` holds tests; its length says nothing.
  if (kind === "test" || !ts.isFunctionLike(node) || !("body" in node)) return undefined;
  const tree = node.getSourceFile();
  const first = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line;
  const count = tree.getLineAndCharacterOfPosition(node.end).line - first + 1;
  if (count <= limits.functionLines) return undefined;
  return `${count} lines; at most ${limits.functionLines}`;
}

/** @type {Readonly<Record<string, Rule>>} */
const rules = {
  process: processRule,
  "clock-and-chance": clockRule,
  "platform-test": platformRule,
  "target-write": targetWriteRule,
  pure: pureRule,
  any: anyRule,
  only: onlyRule,
  "function-length": functionLengthRule,
};

/**
 * @param {SourceFile} file
 * @returns {Finding[]}
 */
export function checkCode(file) {
  /** @type {Finding[]} */
  const findings = [];
  if (file.tree === undefined) return findings;
  walk(file.tree, (node) => {
    for (const [rule, check] of Object.entries(rules)) {
      const message = check(node, file);
      if (message) findings.push({ file: file.name, line: lineOf(node), rule, message });
    }
  });
  for (const { specifier, line } of file.references) {
    const [module = ""] = specifier.replace(/^node:/u, "").split("/");
    if (file.kind !== "product" || !systemModules.includes(module)) continue;
    if (isListed(file.name, mayTouchSystem)) continue;
    const message = `"${specifier}" reaches the system; only ${mayTouchSystem.join(", ")} may`;
    findings.push({ file: file.name, line, rule: "system-import", message });
  }
  return findings;
}
