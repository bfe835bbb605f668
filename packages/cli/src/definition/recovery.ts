/** How `fe recovery …` is written. */
import type { Command } from "commander";
import { diffHelp, mergeHelp, recoveryHelp, resolveHelp, showHelp, undoHelp } from "../help.ts";
import { commonArguments, single, versionMarker, withCommonOptions } from "./options.ts";
import type { Take } from "./raw-arguments.ts";

const idHelp = "a record's id, or a unique prefix of 8 or more";
const expectHelp = "fail unless the file holds just these bytes now";

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
    .description("List every recovery record, and what can be taken back. Changes nothing.")
    .version(versionMarker, "--version", "print the version");
  withCommonOptions(list).action((_options: unknown, command: Command) => {
    take({ command: "recovery list", common: commonArguments(command) });
  });
  const show = recovery
    .command("show")
    .description("Write the bytes of one version to standard output. Changes nothing.")
    .argument("<id>", idHelp)
    .addOption(single("--version <which>", "before, after or current"))
    .addHelpText("after", showHelp);
  withCommonOptions(show).action(
    (id: string, options: { readonly version?: string }, command: Command) => {
      take({ command: "recovery show", common: commonArguments(command), id, ...options });
    },
  );
  addDiff(recovery, take);
  addMerge(recovery, take);
  addResolve(recovery, take);
  addUndo(recovery, take);
}

interface DiffTexts {
  readonly from?: string;
  readonly to?: string;
  readonly tool?: string;
}

function addDiff(recovery: Command, take: Take): void {
  const diff = recovery
    .command("diff")
    .description("Show what differs between two versions, as unified diff. Changes nothing.")
    .argument("<id>", idHelp)
    .version(versionMarker, "--version", "print the version")
    .addOption(single("--from <which>", "before (default), after or current"))
    .addOption(single("--to <which>", "before, after or current (default)"))
    .addOption(single("--tool <command>", "give copies of both to a program, such as meld"))
    .addHelpText("after", diffHelp);
  withCommonOptions(diff).action((id: string, options: DiffTexts, command: Command) => {
    take({ command: "recovery diff", common: commonArguments(command), id, ...options });
  });
}

function addMerge(recovery: Command, take: Take): void {
  const merge = recovery
    .command("merge")
    .description("Propose a merge of the file and the version after. Changes nothing.")
    .argument("<id>", idHelp)
    .version(versionMarker, "--version", "print the version")
    .addHelpText("after", mergeHelp);
  withCommonOptions(merge).action((id: string, _options: unknown, command: Command) => {
    take({ command: "recovery merge", common: commonArguments(command), id });
  });
}

interface ResolveTexts {
  readonly keep?: string;
  readonly with?: string;
  readonly expectSha256?: string;
}

function addResolve(recovery: Command, take: Take): void {
  const resolve = recovery
    .command("resolve")
    .description("Make the file hold one version, and put the record aside.")
    .argument("<id>", idHelp)
    .version(versionMarker, "--version", "print the version")
    .addOption(single("--keep <which>", "before, after, or current (leaves the file as it is)"))
    .addOption(single("--with <file>", "in place of --keep: the bytes of a file, such as a merge"))
    .addOption(single("--expect-sha256 <hex>", expectHelp))
    .addHelpText("after", resolveHelp);
  withCommonOptions(resolve).action((id: string, options: ResolveTexts, command: Command) => {
    take({ command: "recovery resolve", common: commonArguments(command), id, ...options });
  });
}

type UndoTexts = Pick<ResolveTexts, "expectSha256" | "keep"> & { readonly wait?: string };

function addUndo(recovery: Command, take: Take): void {
  const undo = recovery
    .command("undo")
    .description("Take a resolution back: the file holds again what it held before.")
    .argument("<id>", "id of the record that was resolved, or a prefix of 8 or more")
    .version(versionMarker, "--version", "print the version")
    .addOption(single("--keep <which>", "before or after: put that version of its record there"))
    .addOption(single("--expect-sha256 <hex>", expectHelp))
    .addOption(single("--wait <duration>", "wait so long for an edit of the file (default: 0s)"))
    .addHelpText("after", undoHelp);
  withCommonOptions(undo).action((id: string, options: UndoTexts, command: Command) => {
    take({ command: "recovery undo", common: commonArguments(command), id, ...options });
  });
}
