/** Who is compared: each does the same edit in its own way. */
import type { Job } from "../sample.ts";

export interface Contender {
  readonly name: string;
  /** What it leaves out, or does otherwise; for the reader of the table. */
  readonly about: string;
  /** Larger files are not given to it. */
  readonly maxBytes: number;
  /** The whole edit, from the path to the answer. Rejects if the text is not there. */
  edit(job: Job): Promise<void>;
  /** Lets go of what was opened. */
  close?(): Promise<void>;
}

/** Replaces in a string, as the contenders do that read the file as one. */
export function replaceIn(text: string, job: Job): string {
  let result = text;
  for (const { oldText, newText } of job.replacements) {
    if (!result.includes(oldText)) throw new Error(`"${oldText}" is not in ${job.path}`);
    // A function, since `$` in a replacement string has a meaning.
    result = job.all
      ? result.replaceAll(oldText, () => newText)
      : result.replace(oldText, () => newText);
  }
  return result;
}
