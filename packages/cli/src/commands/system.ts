/** `fe identity` and `fe doctor`: what a file is, and what this system can do. */
import { type Examination, examinationToJson, identityReportToJson } from "@fe/engine";
import { jsonLine } from "../output/json-line.ts";
import { doctorText, identityText } from "../output/system.ts";
import { tellerFor } from "../output/words.ts";
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
  const { file, engine: options } = settings;
  const look = (path: string | undefined): Promise<Examination> =>
    withEngine(openEngine, options, (engine) => engine.examine(path));
  let examination: Examination;
  try {
    examination = await look(file);
  } catch (error) {
    // What is known of the system may be the very reason; an object of JSON is one answer only.
    if (file === undefined || output.json) throw error;
    const system = await look(undefined).catch(() => undefined);
    if (system !== undefined)
      await output.result(doctorText(inCommandWords(system, settings), false));
    throw error;
  }
  const found = inCommandWords(examination, settings);
  await output.result(output.json ? jsonLine(examinationToJson(found)) : doctorText(found));
}

function inCommandWords(examination: Examination, { storeOptions }: DoctorSettings): Examination {
  const say = tellerFor("doctor", { storeOptions });
  return {
    ...examination,
    advice: examination.advice.map(say),
    refusals: examination.refusals.map(({ hint, ...refusal }) =>
      hint === undefined ? refusal : { ...refusal, hint: say(hint) },
    ),
  };
}
