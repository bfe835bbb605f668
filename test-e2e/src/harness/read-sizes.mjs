// A program that reads a file in a tight loop until its standard input ends. Then it says how often
// it read, and the fewest bytes that it found.
import { readFileSync } from "node:fs";

const [path = ""] = process.argv.slice(2);
let isOver = false;
let reads = 0;
let fewest = Number.POSITIVE_INFINITY;
process.stdin.resume().on("end", () => {
  isOver = true;
});

function read() {
  if (isOver) {
    console.log(`${reads} ${fewest}`);
    return;
  }
  fewest = Math.min(fewest, readFileSync(path).length);
  reads += 1;
  setImmediate(read);
}

console.log("started");
read();
