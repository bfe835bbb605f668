// A process that edits the lines `from` to `to - 1` of a file, waiting for others where it must.
// It prints nothing if every edit was applied.
import { openEngine } from "@fe/engine";

const { path, userData, from, to } = JSON.parse(process.argv[2] ?? "{}");
const engine = await openEngine({ userDataDirectory: userData });
for (let line = from; line < to; line++) {
  const edit = { oldString: `line ${line} is old\n`, newString: `line ${line} is new\n` };
  const { status } = await engine.edit({ path, ...edit }, { waitMs: 30_000 });
  if (status !== "applied") console.log(`line ${line}: ${status}`);
}
await engine.close();
