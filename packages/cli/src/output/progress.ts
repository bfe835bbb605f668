/**
 * One line on a terminal that says how far an edit has come, and goes when the edit ends. What is
 * over sooner than a person looks is not shown at all.
 */
import type { EditProgress, ProgressStep } from "@fe/engine";
import { escapeText } from "@fe/engine/display";

/** Where a line can be written again, if that is a terminal. */
export interface StatusLine {
  /** Asked for when a line is due: to look at a stream takes a millisecond. */
  readonly isTerminal: boolean;
  /** Characters in a line. */
  readonly columns: number;
  write(text: string): void;
}

/** An edit that is over sooner shows nothing. */
export const quietMs = 500;

/** The line is written no more often than this. */
const pauseMs = 100;

const words: Readonly<Record<ProgressStep, string>> = {
  wait: "Waiting for another edit of",
  match: "Searching",
  prepare: "Saving both versions of",
  verify: "Comparing",
  write: "Writing",
  confirm: "Reading back",
};

/** To the beginning of the line, and nothing behind it. */
const clear = "\r\u001b[K";

function textOf(file: string, { step, doneBytes, totalBytes }: EditProgress): string {
  const percent = totalBytes === 0 ? "" : `: ${Math.floor((100 * doneBytes) / totalBytes)} %`;
  return `${words[step]} ${file}${percent}`;
}

/** Shortened in the middle, so that what the line begins and ends with stays. */
function fitted(text: string, columns: number): string {
  // A terminal goes on to the next line when the last column is written. How wide a character that
  // is not ASCII is depends on the terminal: two columns at most.
  const isAscii = /^[\u0020-\u007e]*$/u.test(text);
  const room = Math.max(isAscii ? columns - 1 : Math.floor((columns - 1) / 2), 1);
  if (text.length <= room) return text;
  const end = Math.floor((room - 1) / 2);
  return `${text.slice(0, room - 1 - end)}…${text.slice(text.length - end)}`;
}

/** The line of one edit. */
export class ProgressLine {
  readonly #terminal: StatusLine;
  readonly #file: string;
  #timer: NodeJS.Timeout;
  #isDue = false;
  #isShown = false;
  #latest: EditProgress | undefined;

  constructor(terminal: StatusLine, file: string) {
    this.#terminal = terminal;
    this.#file = escapeText(file);
    this.#timer = this.#wake(quietMs);
  }

  readonly show = (progress: EditProgress): void => {
    this.#latest = progress;
    if (this.#isDue) this.#draw();
  };

  /** Takes the line away, for good. */
  end(): void {
    clearTimeout(this.#timer);
    this.#isDue = false;
    this.#latest = undefined;
    if (this.#isShown) this.#terminal.write(clear);
    this.#isShown = false;
  }

  #wake(afterMs: number): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#isDue = true;
      // A step that tells nothing for a while, such as waiting, is shown all the same.
      if (!this.#isShown && this.#latest !== undefined) this.#draw();
    }, afterMs);
    return timer.unref();
  }

  #draw(): void {
    if (this.#latest === undefined) return;
    this.#isDue = false;
    if (!this.#terminal.isTerminal) return;
    const text = fitted(textOf(this.#file, this.#latest), this.#terminal.columns);
    this.#terminal.write(`${clear}${text}`);
    this.#isShown = true;
    this.#timer = this.#wake(pauseMs);
  }
}
