/**
 * No fault hits a process between a failed sync of a target, of which it was told, and the mark in
 * its record: the one stretch that the protocol leaves open (docs/protocol.md section 9). A power
 * loss may come all the same, since it ends the doubt; so may the death of any other process.
 *
 * It knows the mark by its place and number in the record, not by who writes it.
 */
import type { Fault, FaultPlan, SimulatedCall } from "@fe/native/testing";
import type { Books } from "./books.ts";

const phaseAt = 8;
const doubtful = 3;

/** `plan` without the faults that would fall into the gap. */
export function sparingTheTold(plan: FaultPlan, books: Books): FaultPlan {
  const told = new Set<number>();
  books.world.observe((event) => {
    if (event.kind === "failed-sync" && books.isTarget(event.inode)) told.add(event.process.pid);
    if (event.kind === "death") told.delete(event.process.pid);
    if (event.kind === "power-loss") told.clear();
    if (event.kind !== "content" || books.isTarget(event.inode)) return;
    if (event.inode.content[phaseAt] === doubtful) told.delete(event.process.pid);
  });
  return {
    at(step: number, call: SimulatedCall): Fault | undefined {
      // Asked later, the plan gives the fault to the next call that it can hit.
      if (told.has(call.pid)) return undefined;
      return plan.at(step, call);
    },
  };
}
