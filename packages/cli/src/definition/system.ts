/** How `fe identity` and `fe doctor` are written. */
import type { Command } from "commander";
import { doctorHelp, identityHelp } from "../help.ts";
import { commonArguments, versionMarker, withCommonOptions } from "./options.ts";
import type { Take } from "./raw-arguments.ts";

/** Adds both commands; `take` gets what was typed. */
export function addSystem(program: Command, take: Take): void {
  const identity = program
    .command("identity")
    .summary("say what a file is, exactly, and who may do what with it")
    .description(identityHelp.description)
    .argument("<file>", "the file")
    .version(versionMarker, "--version", "print the version")
    .addHelpText("after", identityHelp.after);
  withCommonOptions(identity).action((file: string, _options: unknown, command: Command) => {
    take({ command: "identity", common: commonArguments(command), file });
  });
  const doctor = program
    .command("doctor")
    .summary("say what this system and a file's filesystem can do")
    .description(doctorHelp.description)
    .argument("[file]", "a file that is to be edited")
    .version(versionMarker, "--version", "print the version")
    .addHelpText("after", doctorHelp.after);
  withCommonOptions(doctor).action(
    (file: string | undefined, _options: unknown, command: Command) => {
      const named = file === undefined ? {} : { file };
      take({ command: "doctor", common: commonArguments(command), ...named });
    },
  );
}
