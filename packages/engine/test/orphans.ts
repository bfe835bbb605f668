/** Leaves records behind, as interrupted edits do. Their owner has let go of its locks. */
import { writeFileSync } from "node:fs";
import { type FinishReport, type FinishRequest, OsError } from "@fe/native";
import type { TextEdit } from "../src/matching/text-edit.ts";
import type { Place } from "./place.ts";

/** An edit that failed after it had begun to write: a prepared record, and `torn` in the file. */
export async function strandEdit(
  place: Place,
  path: string,
  edit: TextEdit,
  torn: string,
): Promise<string> {
  const engine = await place.watched((call) => {
    if (call.name !== "target.overwrite") return call.proceed();
    writeFileSync(path, `${torn}?`); // Neither version, so that the record is kept.
    throw new OsError("EIO", "pwrite", { path });
  });
  const id = await engine.edit({ path, ...edit }).then(
    () => {
      throw new Error("The edit was to fail");
    },
    (error: { record?: { id: string } }) => error.record?.id ?? "",
  );
  writeFileSync(path, torn);
  await engine.close();
  return id;
}

/** An edit that was done and marked, and whose record nobody removed. */
export async function leaveCommitted(place: Place, path: string, edit: TextEdit): Promise<void> {
  const engine = await place.watched(async (call): Promise<unknown> => {
    if (call.name !== "directory.finishRecord") return call.proceed();
    const { record, phaseBlock, phasePositionBytes, lock } = call.args[0] as FinishRequest;
    await record.write(phaseBlock, phasePositionBytes);
    await record.close();
    await lock?.file.close();
    const stays = new OsError("EIO", "unlink", {});
    return { markError: undefined, record: stays, lock: stays } satisfies FinishReport;
  });
  await engine.edit({ path, ...edit });
  await engine.close();
}
