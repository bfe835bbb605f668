/** `fe identity` and `fe doctor`: what a file is, and what this system can do. */
import { type Examination, examinationToJson, identityReportToJson } from "@fe/engine";
import { shortId } from "../output/guidance.ts";
import { jsonLine } from "../output/json-line.ts";
import { doctorText, identityText } from "../output/system.ts";
import { type Tell, tellerFor } from "../output/words.ts";
import type { DoctorSettings, IdentitySettings } from "../settings.ts";
import { type CommandContext, withEngine } from "./context.ts";

type Refusal = Examination["refusals"][number];

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

/** The commands of a hint name its record: they are to be typed as they stand. */
function inCommandWords(examination: Examination, { storeOptions }: DoctorSettings): Examination {
  const { refusals } = examination;
  const sayOf = (refusal: Refusal | undefined): Tell => {
    const id = refusal?.recordId;
    return tellerFor("doctor", { storeOptions, id: id && shortId(id) });
  };
  return {
    ...examination,
    // An advice about a refusal holds what it says.
    advice: examination.advice.map((each) =>
      sayOf(refusals.find(({ why }) => each.includes(why)))(each),
    ),
    refusals: refusals.map((refusal) => {
      const { hint, ...rest } = refusal;
      return hint === undefined ? rest : { ...rest, hint: sayOf(refusal)(hint) };
    }),
  };
}
