/** Everyone who takes part. */
import type { Contender } from "./contender.ts";
import { openEngineContender } from "./engine.ts";
import { openOlderRecord } from "./older-record.ts";
import { peers } from "./peers.ts";

/** Ours first. The caller closes them. */
export async function openContenders(userDataDirectory: string): Promise<Contender[]> {
  return [
    await openEngineContender(userDataDirectory),
    ...peers,
    await openOlderRecord(userDataDirectory),
  ];
}

export async function closeContenders(contenders: readonly Contender[]): Promise<void> {
  for (const contender of contenders) await contender.close?.();
}
