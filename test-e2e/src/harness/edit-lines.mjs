// A process that edits the lines `from` to `to - 1` of a file, waiting for others where it must.
// With exclusion required, each must have had it. It prints nothing if all is well.
import { openEngine } from "@fe/engine";

const { path, userData, from, to, exclusive = "prefer" } = JSON.parse(process.argv[2] ?? "{}");
const engine = await openEngine({ userDataDirectory: userData });
for (let line = from; line < to; line++) {
  const edit = { oldString: `line ${line} is old\n`, newString: `line ${line} is new\n` };
  const { status, exclusion } = await engine.edit({ path, ...edit }, { waitMs: 30_000, exclusive });
  if (status !== "applied") console.log(`line ${line}: ${status}`);
  if (exclusive === "require" && exclusion !== "kernel") console.log(`line ${line}: ${exclusion}`);
}
await engine.close();
