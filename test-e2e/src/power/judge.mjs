// A process that looks after each loss of power, as a person would, with the built engine: what the
// file holds, what the next edit says, both versions of a record, a resolution, an edit again. It
// answers with what it saw; whether that is right is for others to say.
//
// Per message `{ path, userData, probe, keep }` one answer; see `Found` in judge.ts.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { FeError, openEngine } from "@fe/engine";

async function readAll(folder, ending) {
  const names = await readdir(folder).catch(() => []);
  const chosen = names.filter((name) => name.endsWith(ending));
  return Promise.all(chosen.map((name) => readFile(path.join(folder, name))));
}

async function tryEdit(engine, file, probe) {
  try {
    return { status: (await engine.edit({ path: file, ...probe })).status };
  } catch (error) {
    if (!(error instanceof FeError)) throw error;
    return { status: error.code, id: error.record?.id, message: error.message };
  }
}

async function versionOf(engine, id, version) {
  const shown = await engine.recovery.show(id, version);
  try {
    const chunks = [];
    for await (const chunk of shown.chunks()) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks);
  } finally {
    await shown.close();
  }
}

async function look({ path: file, userData, probe, keep }) {
  const store = path.join(userData, "edit-recovery");
  const found = {
    content: await readFile(file),
    saved: await readAll(path.join(store, "saved"), ".bytes"),
  };
  const engine = await openEngine({ userDataDirectory: userData });
  try {
    found.first = await tryEdit(engine, file, probe);
    found.afterFirst = await readFile(file);
    if (found.first.id !== undefined) {
      const { id } = found.first;
      const isReadable = found.first.status !== "FE_RECORD_UNSAFE";
      if (isReadable) {
        found.before = await versionOf(engine, id, "before");
        found.after = await versionOf(engine, id, "after");
      }
      await engine.recovery.resolve(id, { keep: isReadable ? keep : "current" });
      found.afterResolve = await readFile(file);
      found.second = await tryEdit(engine, file, probe);
      found.afterSecond = await readFile(file);
    }
  } catch (error) {
    found.failure = String(error);
  }
  await engine.close();
  const names = await readdir(store, { withFileTypes: true }).catch(() => []);
  found.left = names.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  return found;
}

process.on("message", async (message) => {
  process.send(await look(message).catch((error) => ({ failure: String(error) })));
});
process.on("disconnect", () => process.exit());
