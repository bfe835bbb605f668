// What `npm start` says while it installs and builds: the first time that takes minutes, and a
// silent terminal looks like one that hangs.

/** Between a fast machine with a warm cache of npm and a slow one under load; no promise. */
const usualMinutes = "1 to 5 minutes";

/**
 * Tells the steps of a first run. With `--json` nothing is said, since whoever asks for that reads
 * by program; where standard error is no terminal, one line says what is going on.
 *
 * @param {object} where
 * @param {readonly string[]} where.argv the command line behind `start`
 * @param {boolean} where.isTerminal whether a person reads standard error
 * @param {() => number} where.nowMs
 * @param {(text: string) => void} where.write
 */
export function firstRunTeller({ argv, isTerminal, nowMs, write }) {
  const end = argv.indexOf("--");
  const isMute = (end < 0 ? argv : argv.slice(0, end)).includes("--json");
  let startedMs = Number.NaN;
  /** @param {string} text */
  const say = (text) => {
    if (!isMute) write(`fe: ${text}\n`);
  };
  const begin = () => {
    startedMs = nowMs();
  };
  return {
    /** Before dependencies are installed. */
    installing() {
      begin();
      say(
        `installing dependencies and building the addon, once; this usually takes ${usualMinutes}`,
      );
      if (isTerminal) say("step 1 of 2: dependencies");
    },
    /** Before the packages are built; `isFirst`: the addon is not there, and is compiled. */
    building(/** @type {boolean} */ isFirst) {
      if (!isFirst) return;
      if (Number.isNaN(startedMs)) begin();
      if (isTerminal) say("step 2 of 2: compiling the addon and the packages");
    },
    /** All is there; says nothing if nothing was to be done. */
    done() {
      if (Number.isNaN(startedMs) || !isTerminal) return;
      say(`built in ${Math.round((nowMs() - startedMs) / 1000)} s; the next start takes seconds`);
    },
  };
}
