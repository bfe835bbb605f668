/** How `fe recovery …` is written. */
import type { Command } from "commander";
import { recoveryHelp, showHelp } from "../help.ts";
import { commonArguments, single, versionMarker, withCommonOptions } from "./options.ts";
import type { Take } from "./raw-arguments.ts";

/** Adds the command and those below it; `take` gets what was typed. */
export function addRecovery(program: Command, take: Take): void {
  const recovery = withCommonOptions(
    program
      .command("recovery")
      .summary("list, show and resolve what an interrupted edit left")
      .description(recoveryHelp.description)
      .version(versionMarker, "--version", "print the version")
      .addHelpText("after", recoveryHelp.after),
  );
  const list = recovery
    .command("list")
    .description("List every recovery record. Changes nothing.")
    .version(versionMarker, "--version", "print the version");
  withCommonOptions(list).action((_options: unknown, command: Command) => {
    take({ command: "recovery list", common: commonArguments(command) });
  });
  const show = recovery
    .command("show")
    .description("Write the bytes of one version to standard output. Changes nothing.")
    .argument("<id>", "a record's id, or a unique prefix of 8 or more")
    .addOption(single("--version <which>", "before, after or current"))
    .addHelpText("after", showHelp);
  withCommonOptions(show).action(
    (id: string, options: { readonly version?: string }, command: Command) => {
      take({ command: "recovery show", common: commonArguments(command), id, ...options });
    },
  );
  const resolve = recovery
    .command("resolve")
    .description("Make the file hold one version, and remove the record.")
    .argument("<id>", "a record's id, or a unique prefix of 8 or more")
    .version(versionMarker, "--version", "print the version")
    .addOption(single("--keep <which>", "before, after, or current (leaves the file as it is)"))
    .addOption(single("--expect-sha256 <hex>", "fail unless the file holds just these bytes now"));
  withCommonOptions(resolve).action(
    (
      id: string,
      options: { readonly keep?: string; readonly expectSha256?: string },
      command: Command,
    ) => {
      take({ command: "recovery resolve", common: commonArguments(command), id, ...options });
    },
  );
}
