// A process that makes one edit as a mutant of the protocol would; its answer has the form of the
// command's.
//
//   node mutant-edit.mjs '{"path", "userData", "edit", "mutant"}'
import { openEngineWith } from "@fe/engine/testing";
import { createNodeOs } from "@fe/native";
import { mutate } from "./mutants.mjs";

const { path, userData, edit, mutant } = JSON.parse(process.argv[2] ?? "{}");
const os = mutate(createNodeOs(), mutant, userData);
const engine = await openEngineWith(os, { userDataDirectory: userData });
try {
  const { status } = await engine.edit({ path, ...edit });
  console.log(JSON.stringify({ status }));
} catch (error) {
  console.log(JSON.stringify({ status: "failed", error: { code: error.code } }));
  process.exitCode = 1;
}
await engine.close();
