// A program that reads a file until its standard input ends: in a tight loop, or (`watch`) whenever
// the system tells it of a change. Then it says how often it read, and the fewest bytes that it
// found.
import { readFileSync, watch } from "node:fs";

const [path = "", when = "loop"] = process.argv.slice(2);
let isOver = false;
let reads = 0;
let fewest = Number.POSITIVE_INFINITY;

function read() {
  fewest = Math.min(fewest, readFileSync(path).length);
  reads += 1;
}

function readOn() {
  if (!isOver) {
    read();
    setImmediate(readOn);
  }
}

const watcher = when === "watch" ? watch(path, read) : undefined;
process.stdin.resume().on("end", () => {
  isOver = true;
  watcher?.close();
  console.log(`${reads} ${fewest}`);
});
console.log("started");
if (when === "loop") readOn();
