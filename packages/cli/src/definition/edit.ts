/** How `fe edit` is written. */
import { type Command, Option } from "commander";
import { editHelp } from "../help.ts";
import { commonArguments, single, versionMarker, withCommonOptions } from "./options.ts";
import type { EditOptionTexts, Take } from "./raw-arguments.ts";

/** Adds the command; `take` gets what was typed. */
export function addEdit(program: Command, take: Take): void {
  const edit = program
    .command("edit")
    .summary("replace exact text in a file, in place")
    .description(editHelp.description)
    .argument("[file]", "the file to edit")
    .version(versionMarker, "--version", "print the version")
    .addOption(single("--old-string <text>", "text to replace; must occur exactly once"))
    .addOption(single("--new-string <text>", "text to put there, literally; empty deletes"))
    .addOption(single("--old-file <file>", "file whose exact bytes are the text to replace"))
    .addOption(single("--new-file <file>", "file whose exact bytes are the text to put there"))
    .addOption(single("--request <file>", "the whole edit as a JSON object from a file, or -"))
    .addOption(new Option("--replace-all", "replace every occurrence"))
    .addOption(single("--expected-replacements <n>", "fail unless just so many are replaced"))
    .addOption(single("--expected-sha256 <hex>", "fail unless the file holds just these bytes now"))
    .addOption(single("--line-endings <how>", "match-file (default) or exact"))
    .addOption(single("--encoding <encoding>", "of the file, if not UTF-8, such as utf-16le"))
    .addOption(new Option("--dry-run", "say what would be done; change nothing"))
    .addOption(new Option("--diff", "print what changes, as unified diff that patch understands"))
    .addOption(
      single("--wait <duration>", "wait so long for another edit of the file (default: 0s)"),
    )
    .addOption(
      single("--exclusive <mode>", "keep others out meanwhile: prefer (default), require, off"),
    )
    .addOption(single("--max-file-size <size>", "size limit, or off (default: 128MiB)"))
    .addOption(new Option("--no-follow-symlinks", "refuse a symbolic link as last component"))
    .addHelpText("after", editHelp.after);
  withCommonOptions(edit).action(
    (file: string | undefined, options: EditOptionTexts, command: Command) => {
      const named = file === undefined ? {} : { file };
      take({ command: "edit", common: commonArguments(command), ...named, options });
    },
  );
}
