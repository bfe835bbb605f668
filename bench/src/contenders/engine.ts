/** The engine with its defaults, the kernel's exclusion included. */
import { type Engine, openEngine } from "@fe/engine";
import type { Job } from "../sample.ts";
import type { Contender } from "./contender.ts";

export async function openEngineContender(userDataDirectory: string): Promise<Contender> {
  const engine = await openEngine({ userDataDirectory });
  return {
    name: "fe",
    about: "the engine, all 14 steps, with its defaults",
    maxBytes: Number.POSITIVE_INFINITY,
    edit: (job) => editWith(engine, job),
    close: () => engine.close(),
  };
}

/** One edit. With `waitMs` it waits for others. */
export async function editWith(engine: Engine, job: Job, waitMs?: number): Promise<void> {
  const { path, replacements, all } = job;
  const options = waitMs === undefined ? {} : { waitMs };
  const [only] = replacements;
  if (only === undefined) throw new RangeError("A job without a replacement");
  const request =
    replacements.length === 1
      ? { path, oldString: only.oldText, newString: only.newText, replaceAll: all }
      : {
          path,
          edits: replacements.map(({ oldText, newText }) => ({
            oldString: oldText,
            newString: newText,
          })),
        };
  const { status } = await engine.edit(request, options);
  if (status !== "applied") throw new Error(`The edit of ${path} was ${status}`);
}
