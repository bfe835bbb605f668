/** Holds the simulation to the contract of the port, on volumes of several kinds. */
import { describeOsContract } from "./os-contract.ts";
import { makeSimulatedWorld } from "./simulated-world.ts";

describeOsContract("SimulatedOs", () => makeSimulatedWorld());
describeOsContract("SimulatedOs for an ordinary user, with leases", () =>
  makeSimulatedWorld({ hasLeases: true }, 1000),
);
describeOsContract("SimulatedOs with large inode numbers", () =>
  makeSimulatedWorld({ nextNumber: 9_007_199_254_740_992n, reusesNumbers: false }),
);
describeOsContract("SimulatedOs without unnamed files", () =>
  makeSimulatedWorld({ hasUnnamedFiles: false, hasGenerations: false, type: "overlay" }),
);
