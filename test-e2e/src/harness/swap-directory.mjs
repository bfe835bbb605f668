// A program that puts a link in a directory's place and the directory back, in tight bursts with a
// pause between them, until its standard input ends. Then it says how often it did. Without the
// pauses an edit would seldom find the directory at all.
//
//   node swap-directory.mjs DIRECTORY LINK_TARGET
import { renameSync, symlinkSync, unlinkSync } from "node:fs";

const [directory = "", target = ""] = process.argv.slice(2);
const swapsInBurst = 10;
const pauseMs = 10;
const aside = `${directory}.aside`;
let isOver = false;
let swaps = 0;

function swap() {
  if (isOver) {
    console.log(swaps);
    return;
  }
  for (let count = 0; count < swapsInBurst; count++) {
    renameSync(directory, aside);
    symlinkSync(target, directory);
    unlinkSync(directory);
    renameSync(aside, directory);
    swaps += 1;
  }
  setTimeout(swap, pauseMs);
}

process.stdin.resume().on("end", () => {
  isOver = true;
});
console.log("started");
swap();
