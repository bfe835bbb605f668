/**
 * Steps 10 and 12: the same properties, checked before the write and after it.
 *
 * A5  What is read back is what every other process sees; what the medium holds is for the sync.
 */
import { afterSource, type ByteSource } from "@fe/journal";
import { fileSource, hashOf, sameBytes } from "../bytes.ts";
import { FeError } from "../errors.ts";
import { fromOs } from "../os-failure.ts";
import { afterAnyWait, busy } from "../recovery/refusals.ts";
import { checkAborted } from "./abort.ts";
import { checkHandle, checkPath, restorePermission } from "./baseline.ts";
import type { TransactionContext } from "./context.ts";
import { contentChanged } from "./miss.ts";
import type { ArmedEdit, ConfirmedEdit, MutatedEdit, PreparedEdit } from "./states.ts";
import { drop, withdraw } from "./unwind.ts";

/** Says that the record's name no longer leads to the record that we hold. */
class NameLost extends Error {}

/**
 * Step 10. The three identities and all bytes are those of the record, and its name leads to it;
 * the next call changes a byte. On failure the record is withdrawn; if its name was lost, nothing
 * is unlinked by name. Errors: `FE_CONTENT_CHANGED`, `FE_TARGET_REPLACED`, `FE_PARENT_REPLACED`,
 * `FE_PERMISSION_CHANGED`, `FE_BUSY`, `FE_ABORTED`.
 */
export async function verifyBefore(
  context: TransactionContext,
  prepared: PreparedEdit,
): Promise<ArmedEdit> {
  const { matched, record } = prepared;
  const { exclusion } = matched;
  const { resolved } = matched.settled.queued.identified.open;
  const { path } = resolved;
  try {
    const { before } = prepared;
    const { progress } = context;
    progress.begin("verify", before.sizeBytes);
    const present = progress.of(fileSource(matched.file, before.sizeBytes));
    const changed = (): Error => contentChanged(path, "somebody else wrote to it just now");
    // Bytes first: reading them takes longest, and what is looked at last is known best.
    if (!(await sameBytes(present, before))) throw changed();
    await checkPath(context.os, resolved, matched.baseline);
    const { sizeBytes } = await checkHandle(
      resolved,
      matched.baseline,
      matched.file,
      "before-mutation",
    );
    if (sizeBytes !== before.sizeBytes) throw changed();
    checkAborted(path, context.edit.signal);
    if (!(await record.isAtItsName())) throw new NameLost();
    if (exclusion.why === undefined && !(await exclusion.holds())) {
      const why = "the kernel let others in, as this program was stopped for too long";
      throw busy(path, why, afterAnyWait);
    }
    progress.complete();
    return { state: "armed", prepared };
  } catch (error) {
    if (error instanceof NameLost) {
      const taken = busy(path, "somebody else took its record away", afterAnyWait);
      throw await drop(prepared, taken);
    }
    throw await withdraw(prepared, fromOs(error, { path, action: "verify" }));
  }
}

/** From so many places on the after-image is not put together again to be compared; see below. */
const maxComparedPlaces = 1_000;

/**
 * Whether the file holds the after-image. It is compared byte for byte with what the before-image
 * and the splices make, which is what the record holds; that shows as much as a hash of what was
 * read, in a fraction of the time. What consists of many small pieces is quicker hashed.
 */
async function holdsAfterImage({ armed }: MutatedEdit, file: ByteSource): Promise<boolean> {
  const { before, matched, record } = armed.prepared;
  const { after, located } = matched;
  if (after.bytes !== undefined) return sameBytes(file, after);
  const { splices } = located;
  if (splices.length <= maxComparedPlaces) return sameBytes(file, afterSource(before, splices));
  return (await hashOf(file)) === record.afterImage.sha256;
}

/**
 * The file that was meant is whole, and who reads at the path reads another, or none. That is
 * neither `applied` (I7) nor a conflict, of which nothing was written (I10).
 */
function ledElsewhere(path: string, cause: unknown): unknown {
  if (!(cause instanceof FeError) || cause.status !== "conflict") return cause;
  const message =
    "the file that was opened holds all of the new bytes, synced and read back, " +
    "but its path leads elsewhere by now";
  return new FeError(cause.code, message, { path, cause });
}

/**
 * Step 12. Reads the after-image back through the handle and looks at the identities again. Throws
 * what it found; the caller keeps the record.
 */
export async function verifyAfter(
  context: TransactionContext,
  mutated: MutatedEdit,
): Promise<ConfirmedEdit> {
  const { matched, record } = mutated.armed.prepared;
  const { file, baseline } = matched;
  const { resolved } = matched.settled.queued.identified.open;
  const { afterImage } = record;
  const { progress } = context;
  progress.begin("confirm", afterImage.sizeBytes);
  const written = progress.of(fileSource(file, afterImage.sizeBytes));
  const isAsPlanned = await holdsAfterImage(mutated, written);
  try {
    await checkPath(context.os, resolved, baseline);
  } catch (error) {
    throw isAsPlanned ? ledElsewhere(resolved.path, error) : error;
  }
  const { permission, sizeBytes } = await checkHandle(resolved, baseline, file, "after-mutation");
  if (!isAsPlanned || sizeBytes !== afterImage.sizeBytes) {
    throw new FeError("FE_CONTENT_CHANGED", "What was read back is not what was written", {
      path: resolved.path,
    });
  }
  const metadataChanges = await restorePermission(file, baseline.permission, permission);
  const { exclusion } = matched;
  const lapsed = "the kernel let others in before the end";
  progress.complete();
  const cooperativeWhy = exclusion.why ?? ((await exclusion.holds()) ? undefined : lapsed);
  return { state: "confirmed", mutated, metadataChanges, cooperativeWhy };
}
