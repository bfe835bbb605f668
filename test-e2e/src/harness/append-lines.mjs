// A program that knows nothing of edits: it opens a file, appends a line, and closes it, in tight
// bursts with a pause between them, until its standard input ends. Then it says how many lines it
// appended. Without the pauses, no edit could read the file and find it the same a flush later.
import { appendFileSync } from "node:fs";

const [path = ""] = process.argv.slice(2);
const linesInBurst = 20;
const pauseMs = 40;
let count = 0;
let isOver = false;
process.stdin.resume().on("end", () => {
  isOver = true;
});

function append() {
  if (isOver) {
    console.log(count);
    return;
  }
  for (let line = 0; line < linesInBurst; line++) {
    appendFileSync(path, `appended ${count}\n`);
    count += 1;
  }
  setTimeout(append, pauseMs);
}

console.log("started");
append();
