/**
 * Step 13, and the call that carries step 14 too: the record is marked committed, then removed. The
 * target is already durable and verified, so the mark needs no sync of its own; it lets the next
 * edit reclaim the record even while we are stopped between the two.
 */
import type { CommittedEdit, ConfirmedEdit } from "./states.ts";

/** Never fails: what could not be done is in the report, which `discard.ts` judges. */
export async function commitEdit(confirmed: ConfirmedEdit): Promise<CommittedEdit> {
  const { record } = confirmed.mutated.armed.prepared;
  return { state: "committed", confirmed, report: await record.finish() };
}
