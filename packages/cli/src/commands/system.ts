/** `fe identity` and `fe doctor`: what a file is, and what this system can do. */
import { examinationToJson, identityReportToJson } from "@fe/engine";
import { inWords } from "@fe/engine/display";
import { jsonLine } from "../output/json-line.ts";
import { doctorText, identityText } from "../output/system.ts";
import { commandWords } from "../output/words.ts";
import type { DoctorSettings, IdentitySettings } from "../settings.ts";
import { type CommandContext, withEngine } from "./context.ts";

export async function runIdentity(
  settings: IdentitySettings,
  { openEngine, output }: CommandContext,
): Promise<void> {
  const report = await withEngine(openEngine, settings.engine, (engine) =>
    engine.identify(settings.file),
  );
  await output.result(output.json ? jsonLine(identityReportToJson(report)) : identityText(report));
}

export async function runDoctor(
  settings: DoctorSettings,
  { openEngine, output }: CommandContext,
): Promise<void> {
  const examination = await withEngine(openEngine, settings.engine, (engine) =>
    engine.examine(settings.file),
  );
  const advice = examination.advice.map((each) => inWords(commandWords, each));
  const found = { ...examination, advice };
  await output.result(output.json ? jsonLine(examinationToJson(found)) : doctorText(found));
}
