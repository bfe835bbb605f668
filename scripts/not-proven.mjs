// Why no test here proves a line of docs/requirements.md, or what about it the tests leave open.
// scripts/traceability.mjs puts this into docs/traceability.md.

/** @type {Readonly<Record<string, string>>} */
export const notProven = {
  D4: "it is the bench itself: `npm run bench`, `bench/`",
  B11: "as P3",
  B12: "as P1 and P2",
  B13:
    "the files for macOS are inspected and were never run; that for Windows ran under Wine only; " +
    "on musl the file is loaded, but no Node runs it here",
  P1: "a time, so no test asserts it: `npm run bench` measures it, docs/performance.md has it",
  P2: "the time, as P1; the tests count the passes",
  P3: "measured by `npm run bench`, in a process of its own; a test shows that no piece is larger",
  P4: "a time, as P1; a test shows that the lock of a large record does not wait for its closing",
  P6: "a time, as P1; the bench ends with an error if an edit is lost",
  P7: "a time, as P1",
};
