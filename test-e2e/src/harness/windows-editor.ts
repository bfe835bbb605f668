/**
 * A process that edits one file, for edit.windows.test.ts: FOLDER OLD NEW [CALL]. It prints what
 * became of it. With CALL it is killed just before the first call of that name.
 */
import path from "node:path";
import { FeError } from "@fe/engine";
import { openEngineWith } from "@fe/engine/testing";
import { createNodeOs } from "@fe/native";
import { interceptOs } from "@fe/native/testing";

const [folder = "", oldString = "", newString = "", killedAt] = process.argv.slice(2);
const os = interceptOs(createNodeOs(), async (call) => {
  if (call.name === killedAt) {
    process.kill(process.pid, "SIGKILL");
    await new Promise(() => {});
  }
  return call.proceed();
});
const engine = await openEngineWith(os, { userDataDirectory: path.join(folder, "data") });
try {
  const edit = { path: path.join(folder, "a.txt"), oldString, newString };
  const result = await engine.edit(edit);
  console.log(`${result.status} ${result.exclusion}`);
} catch (error) {
  if (!(error instanceof FeError)) throw error;
  console.log(error.code);
} finally {
  await engine.close();
}
