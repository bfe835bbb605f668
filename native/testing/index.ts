/** @fe/native/testing: ports for tests. */
export {
  canHave,
  drawFaults,
  type Fault,
  type FaultPlan,
  type PlannedFault,
  planFaults,
  type SimulatedCall,
} from "./fault-plan.ts";
export { type InterceptedCall, interceptOs, type Watcher } from "./intercept-os.ts";
export { SeededRandom } from "./seeded-random.ts";
export {
  DirectoryInode,
  FileInode,
  type NameChange,
  type SimulatedInode,
  type SimulatedVolume,
} from "./simulated-inode.ts";
export { SimulatedOs } from "./simulated-os.ts";
export { mustWait, type SimulatedProcess, type WorldEvent } from "./simulated-process.ts";
export type { TracedCall } from "./simulated-scheduler.ts";
export { SimulatedWorld, type WorldOptions } from "./simulated-world.ts";
