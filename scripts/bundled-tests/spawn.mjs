// Wine, on a busy machine, has refused to start one of some twenty processes, with an error that
// Node calls UNKNOWN. Such a process has done nothing, so it is tried again, and that is said. Node
// throws that error at once: only others come as an event.
import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";

const mostTries = 5;
const pauseMs = 200;

/** @param {unknown} error */
function isRefusal(error) {
  return error instanceof Error && "code" in error && error.code === "UNKNOWN";
}

/** @param {unknown} program @param {number} tries that were made */
function pause(program, tries) {
  console.log(`Not started (UNKNOWN), ${tries} of ${mostTries} tries: ${program}`);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
}

/** From now on a process that was refused is tried again, by `spawn` and `spawnSync`. */
export function startAgainIfRefused() {
  const { spawn, spawnSync } = childProcess;
  /** @param {Parameters<typeof spawn>} given */
  const patientSpawn = (...given) => {
    for (let tries = 1; ; tries++) {
      try {
        return spawn(...given);
      } catch (error) {
        if (!isRefusal(error) || tries === mostTries) throw error;
        pause(given[0], tries);
      }
    }
  };
  /** @param {Parameters<typeof spawnSync>} given */
  const patientSpawnSync = (...given) => {
    for (let tries = 1; ; tries++) {
      const result = spawnSync(...given);
      if (!isRefusal(result.error) || tries === mostTries) return result;
      pause(given[0], tries);
    }
  };
  // The declared types are overloads, which no function written here can have.
  Object.assign(childProcess, { spawn: patientSpawn, spawnSync: patientSpawnSync });
  syncBuiltinESMExports();
}
