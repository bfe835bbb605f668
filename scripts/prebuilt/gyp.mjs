// What binding.gyp says for one system, so that the prebuilt files are made of the same sources and
// with the same flags as the build of a contributor. It does not do what gyp does: it reads JSON
// with whole-line `#` comments, and conditions that compare `OS` or an unset variable.

/** @typedef {"linux" | "mac" | "win"} System as gyp names it */

/**
 * @typedef {object} BuildPlan
 * @property {string} name of the target
 * @property {string[]} sources relative to binding.gyp
 * @property {string[]} defines
 * @property {string[]} flags for C and C++
 * @property {string[]} cxxFlags
 * @property {string[]} linkFlags
 * @property {string[]} libraries of the system, as linker flags
 * @property {string[]} dependencies as written
 */

const comparison = /^(?<name>\w+)(?<operator>==|!=)'(?<value>[^']*)'$/u;

/**
 * @param {string} condition
 * @param {System} system
 */
function holds(condition, system) {
  const match = comparison.exec(condition);
  if (!match?.groups) throw new Error(`binding.gyp: unknown condition ${condition}`);
  const { name, operator, value } = match.groups;
  const actual = name === "OS" ? system : "";
  return (actual === value) === (operator === "==");
}

/**
 * The dictionaries that are in force: the target's own, then those of its conditions.
 *
 * @param {Record<string, unknown>} target
 * @param {System} system
 * @returns {Record<string, unknown>[]}
 */
function dictionaries(target, system) {
  const conditions = /** @type {[string, Record<string, unknown>, Record<string, unknown>?][]} */ (
    target.conditions ?? []
  );
  return [
    target,
    ...conditions.flatMap(([condition, then, otherwise]) => {
      const chosen = holds(condition, system) ? then : otherwise;
      return chosen === undefined ? [] : dictionaries(chosen, system);
    }),
  ];
}

/**
 * @param {string} text of binding.gyp
 * @param {System} system
 * @returns {BuildPlan}
 */
export function readBuildPlan(text, system) {
  const { targets } = JSON.parse(text.replaceAll(/^\s*#.*$/gmu, ""));
  if (targets.length !== 1) throw new Error(`binding.gyp: ${targets.length} targets; expected one`);
  const parts = dictionaries(targets[0], system);
  /** @param {string} key */
  const all = (key) => parts.flatMap((part) => /** @type {string[]} */ (part[key] ?? []));
  return {
    name: targets[0].target_name,
    sources: all("sources"),
    defines: all("defines"),
    flags: all("cflags"),
    cxxFlags: all("cflags_cc"),
    linkFlags: all("ldflags"),
    libraries: all("libraries"),
    dependencies: all("dependencies"),
  };
}
