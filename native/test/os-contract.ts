/**
 * What every implementation of the port must do; each is held to the same suite.
 *
 * Method: a world is made for each test, arranged from outside the port, and then only the port is
 * asked. What needs a second process, a umask or the kernel's own books is in the tests of NodeOs.
 */
import { afterEach, beforeEach, describe } from "vitest";
import type { MakeWorld, World } from "./contract-world.ts";
import { exclusionContract } from "./os-contract-exclusion.ts";
import { finishContract } from "./os-contract-finish.ts";
import { pathContract } from "./os-contract-paths.ts";
import { processContract } from "./os-contract-process.ts";
import { fileContract, nameContract } from "./os-contract-store.ts";
import { handleContract, targetContract } from "./os-contract-target.ts";

export function describeOsContract(title: string, makeWorld: MakeWorld): void {
  describe(title, () => {
    let current: World | undefined;
    beforeEach(async () => {
      current = await makeWorld();
    });
    afterEach(async () => {
      await current?.dispose();
      current = undefined;
    });
    const world = (): World => {
      if (current === undefined) throw new Error("no test is running");
      return current;
    };
    pathContract(world);
    targetContract(world);
    handleContract(world);
    exclusionContract(world);
    nameContract(world);
    fileContract(world);
    finishContract(world);
    processContract(world);
  });
}
