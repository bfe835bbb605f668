/** What is done on the disk while its power may fail. */

/** An edit, as workload.mjs takes it. */
interface EditStep {
  readonly number: number;
  readonly oldString: string;
  readonly newString: string;
  readonly die?: "torn" | "whole";
  readonly pauseMs?: number;
}

/** A step, as workload.mjs takes it. */
export type Step =
  | EditStep
  | { readonly keep: "before" }
  /** An edit that finds nothing to change: it reconciles, and makes no record. */
  | { readonly miss: true };

/** Processes that run one after the other, each with its steps. */
export interface Workload {
  readonly name: string;
  /** The file at first. */
  readonly initial: string;
  /** By the number of an edit: the whole file after it, and what only this edit wrote. */
  readonly versions: Readonly<Record<number, { readonly content: string; readonly text: string }>>;
  readonly processes: readonly (readonly Step[])[];
}

/** What the edit after the loss changes; it is in every version. */
export const probe = { oldString: "probe: as it was", newString: "probe: edited again" } as const;

const slotLength = 600;
const slot = (number: number): string =>
  `slot ${String(number).padStart(3, "0")} ${".".repeat(slotLength)}\n`;

/** Grows, shrinks, keeps the length, in turn; so most of the file moves twice in three edits. */
const lengths = [3 * slotLength, 0, slotLength - 16] as const;

function editOf(number: number): EditStep & { text: string } {
  const text = `edit ${String(number).padStart(3, "0")} was here`;
  const filling = "+".repeat(lengths[(number - 1) % lengths.length] ?? 0);
  const newString = `${text}${filling}\n`;
  // The late sync of the directory comes when the engine has been idle for 100 ms.
  const pauseMs = number % 5 === 0 ? 150 : 0;
  return { number, oldString: slot(number), newString, text, pauseMs };
}

function newFile(edits: number, sizeBytes: number): string {
  let content = `${probe.oldString}\n`;
  for (let number = 1; number <= edits; number++) content += slot(number);
  const lines = [content];
  for (let length = content.length, line = 0; length < sizeBytes; line++) {
    const text = `line ${String(line).padStart(7, "0")} stays as it is\n`;
    lines.push(text);
    length += text.length;
  }
  return lines.join("");
}

function applyEdits(
  initial: string,
  edits: readonly (EditStep & { text: string })[],
): Workload["versions"] {
  const versions: Record<number, { content: string; text: string }> = {};
  let content = initial;
  for (const { number, oldString, newString, text } of edits) {
    content = content.replace(oldString, newString);
    versions[number] = { content, text };
  }
  return versions;
}

/** One edit after the other. */
export function edits(name: string, count: number, sizeBytes: number): Workload {
  const initial = newFile(count, sizeBytes);
  const steps = Array.from({ length: count }, (_, index) => editOf(index + 1));
  return { name, initial, versions: applyEdits(initial, steps), processes: [steps] };
}

/**
 * The first process dies with the whole edit in the file and unsynced. The next one reconciles, and
 * has no edit of its own whose record would cover the file if that were lost.
 */
export function reconcile(sizeBytes: number): Workload {
  const initial = newFile(4, sizeBytes);
  const steps = [1, 2, 3, 4].map(editOf);
  const [first, ...rest] = steps;
  return {
    name: "reconcile",
    initial,
    versions: applyEdits(initial, steps),
    processes: [first === undefined ? [] : [{ ...first, die: "whole" }], [{ miss: true }, ...rest]],
  };
}

/** The first process dies in the middle of its write; a person keeps the version before. */
export function resolve(sizeBytes: number): Workload {
  const initial = newFile(3, sizeBytes);
  const [first, second, third] = [editOf(1), editOf(2), editOf(3)];
  return {
    name: "resolve",
    initial,
    versions: {
      ...applyEdits(initial, [first]),
      ...applyEdits(initial, [second, third]),
    },
    processes: [[{ ...first, die: "torn" }], [{ keep: "before" }, second, third]],
  };
}
