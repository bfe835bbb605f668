/**
 * `StoreDirectory.publishUnnamedFile` by the three calls that it stands for, so that a simulation,
 * or a test, can stop between them.
 */
import type { PublishReport, StoreDirectory, StoreFile } from "../lib/os.ts";

export async function publishInSteps(
  directory: Pick<StoreDirectory, "linkUnnamedFile" | "sync">,
  file: StoreFile,
  name: string,
): Promise<PublishReport> {
  let hasName = false;
  try {
    // Without this sync the name could outlive a power loss and lead to an empty or a torn file.
    await file.sync();
    await directory.linkUnnamedFile(file, name);
    hasName = true;
    // Without this sync the name could be gone after a power loss, and the content with it.
    await directory.sync();
    return { hasName, error: undefined };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { hasName, error };
  }
}
