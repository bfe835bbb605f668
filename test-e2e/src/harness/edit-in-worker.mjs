// A worker thread that edits a file, as often as it is told to. With `holds` it stops with both
// locks taken, says so, and goes on at the word `go on`.
import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import { openEngine } from "@fe/engine";

const { path, userData } = workerData;
const goingOn = new EventTarget();
let asked = 0;
let holds = false;

const engine = await openEngine({
  userDataDirectory: userData,
  authorize: async () => {
    // The second asking comes when the locks are held.
    if (!holds || ++asked < 2) return true;
    const told = once(goingOn, "go on");
    parentPort?.postMessage("holding");
    await told;
    return true;
  },
});

parentPort?.on("message", async (message) => {
  if (message === "go on") {
    goingOn.dispatchEvent(new Event("go on"));
    return;
  }
  holds = message.holds === true;
  const edits = message.edits.map((/** @type {object} */ edit) =>
    engine.edit({ path, ...edit }, { waitMs: message.waitMs ?? 0 }).then(
      ({ status }) => status,
      ({ code }) => code,
    ),
  );
  parentPort?.postMessage((await Promise.all(edits)).join(" "));
});
parentPort?.postMessage("ready");
