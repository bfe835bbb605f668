/** This process, and the probe for others. */
import { homedir } from "node:os";
import type { Addon } from "./binding.ts";
import type { ProcessEnvironment, ProcessIdentity } from "./os.ts";
import { sha256 } from "./status.ts";

/** `bootTimeMs` is asked for each time, since it moves with the clock; the rest cannot change. */
export class NodeProcess {
  readonly #addon: Addon;
  #fixed: ProcessIdentity | undefined;

  constructor(addon: Addon) {
    this.#addon = addon;
  }

  self(): ProcessIdentity {
    this.#fixed ??= this.#read();
    return { ...this.#fixed, bootTimeMs: this.#addon.bootTimeMs() };
  }

  #read(): ProcessIdentity {
    const startTime = this.#addon.ownStartTime();
    const { bootId, pidNamespace, machineId } = this.#addon.bootFacts();
    return {
      pid: process.pid,
      ...(startTime === undefined ? {} : { startTime }),
      ...(bootId === undefined ? {} : { bootId }),
      ...(pidNamespace === undefined ? {} : { pidNamespace }),
      ...(machineId === undefined ? {} : { hostId: sha256(`fe-host:${machineId}`) }),
    };
  }
}

export function processEnvironment(): ProcessEnvironment {
  const { platform } = process;
  return {
    platform: platform === "win32" || platform === "darwin" ? platform : "linux",
    homeDirectory: homedir(),
    variables: { ...process.env },
  };
}
