/** How `fe identity`, `fe doctor` and `fe completion` are written. */
import type { Command } from "commander";
import { completionHelp, doctorHelp, identityHelp } from "../help.ts";
import { commonArguments, versionMarker, withCommonOptions } from "./options.ts";
import type { Take } from "./raw-arguments.ts";

/** Adds these commands; `take` gets what was typed. */
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
  const completion = program
    .command("completion")
    .summary("print a script that completes commands in a shell")
    .description(completionHelp.description)
    .argument("<shell>", "bash, zsh or fish")
    .version(versionMarker, "--version", "print the version")
    .addHelpText("after", completionHelp.after);
  withCommonOptions(completion).action((shell: string, _options: unknown, command: Command) => {
    take({ command: "completion", common: commonArguments(command), shell });
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
