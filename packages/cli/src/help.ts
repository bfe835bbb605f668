/** The longer texts of `--help`. */

interface HelpText {
  readonly description: string;
  readonly after: string;
}

/**
 * A help for a terminal of so many columns: paragraphs that are wider are filled anew. What is
 * indented, such as an example or a list, is left: a line torn there could not be copied.
 */
export function narrowed(help: string, columns: number): string {
  return help
    .split("\n\n")
    .map((paragraph) => {
      const lines = paragraph.split("\n");
      const isProse = lines.every((line) => /^\S/u.test(line) || line === "");
      if (!isProse || lines.every((line) => line.length <= columns)) return paragraph;
      const [before = "", after = ""] = [/^\n*/u, /\n*$/u].map((at) => at.exec(paragraph)?.[0]);
      return `${before}${filled(paragraph.trim().split(/\s+/u), columns)}${after}`;
    })
    .join("\n\n");
}

function filled(words: readonly string[], columns: number): string {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join("\n");
}

export const rootHelp: HelpText = {
  description:
    "Edit a file in place, so that both versions can be had back if the edit is cut short.",
  after: `
Exit codes:
  0   applied, nothing to change, or a dry run
  1   failed; the file is as it was, unless the error says INTERNAL
  2   the command line or the request is wrong
  3   the text was not found
  4   the text occurs more than once, or not as often as expected
  5   a conflict: the file, its directory or its permissions changed meanwhile
  6   the file cannot be edited, or not so; or the store may not be written
  7   a person must decide: see fe recovery --help
  75  somebody else has the file just now; try again
  130, 143  stopped by SIGINT, or SIGTERM or SIGHUP, before anything was changed
`,
};

export const editHelp: HelpText = {
  description: `Replace exact text in a file, in place: same inode, hard links and permissions.
The old text must occur exactly once, unless --replace-all is given.`,
  after: `
The old text is given by --old-string or --old-file, the new one by --new-string
or --new-file. From a file the exact bytes are taken, as UTF-8, with the last
line break; - is standard input, for one of the two.

With --request the whole edit is one JSON object with these members: file_path,
old_string, new_string, replace_all, expected_replacements, expected_sha256,
encoding, line_endings, dry_run, diff, wait_ms; for several replacements, all or
none, edits (a list) in place of old_string and new_string. FILE and the options
of these names are refused beside it, but for --dry-run and --diff, which may
stand in either place.

With --exclusive prefer other programs are kept from opening the file from
before it is read until it is verified, where the kernel can do that: they wait.
With require the edit fails where it cannot; with --wait it waits until the file
is closed elsewhere.

A duration is 250ms, 2s or 1m; a size is a number of bytes, or 64KiB, 16MiB,
1GiB. The size limit is for the file before and after, each; with off, the limit
of the recovery store, 128 MiB for each, stays.

With --diff standard output is the diff and nothing else, up to 1 MiB of it;
what is said besides goes to standard error.

Examples:
  fe edit notes.md --old-string draft --new-string final
  fe edit notes.md --old-string draft --new-string final --dry-run --diff
  fe edit notes.md --old-string=--flag --new-string=
  echo '{"file_path":"f","edits":[{"old_string":"a","new_string":"b"},
    {"old_string":"c","new_string":"d"}]}' | fe edit --request - --dry-run
  fe edit notes.md --old-file old.txt --new-file - < new.txt
`,
};

export const recoveryHelp: HelpText = {
  description: `An edit that was cut short leaves a recovery record that holds both versions.
If the file holds exactly one of them, the next edit of it removes the record by
itself; in every other case a person says what the file is to hold.`,
  after: `
In this order:
  1. save the file as it is:   fe recovery show ID --version current > saved
  2. look at the record:       fe recovery list
     and at both versions:     fe recovery show ID --version before
                               fe recovery show ID --version after
                               fe recovery diff ID --from before --to current
  3. keep the one you mean:    fe recovery resolve ID --keep before
     or a merge, proposed by:  fe recovery merge ID > merged
                               fe recovery resolve ID --with merged
  To take that back:           fe recovery undo ID
  or to choose otherwise:      fe recovery undo ID --keep after
`,
};

export const identityHelp: HelpText = {
  description: `What a file is, exactly, and who may do what with it, as an edit compares it:
volume, file number, birth time, generation; mode, owner, group, and the SHA-256
of access list and file capabilities. From handles, not from names. Changes
nothing.`,
  after: `
Example:
  fe identity notes.md --json
`,
};

export const doctorHelp: HelpText = {
  description: `What this system, the recovery store, and the filesystem of a file can do: the
addon, boot and host id, privacy of the store, locks, unnamed files, syncs;
whether others can be kept out of the file, and why not; with advice. Makes
nothing that stays.`,
  after: `
Examples:
  fe doctor
  fe doctor notes.md
`,
};

export const completionHelp: HelpText = {
  description:
    "A script that completes commands, options and values in a shell, on standard output.",
  after: `
To have it in every session:
  bash   eval "$(fe completion bash)"     in ~/.bashrc
  zsh    eval "$(fe completion zsh)"      in ~/.zshrc, after compinit
  fish   fe completion fish | source      in ~/.config/fish/config.fish
`,
};

export const resolveHelp: string = `
What the file held is saved first, so that fe recovery undo ID can bring it
back. The record is put aside with it, for as long: fe recovery undo ID
--keep before or after takes the version that was not chosen.
The bytes of --with are taken as they are; - is standard input. An empty file,
such as a merge that failed leaves, is refused.

Examples:
  fe recovery resolve 0123abcd --keep before
  fe recovery resolve 0123abcd --with merged.txt --expect-sha256 HASH
`;

export const diffHelp: string = `
Of UTF-16, known by its byte order mark or its looks, the diff is in UTF-8, to
be read. Each version may have 4 MiB; larger ones take --tool.

With --tool the command is run with two private copies as its last arguments,
from and to, and has the terminal. It is split at blanks, which quotes keep; no
shell reads it. It must end only when you are done: the copies are removed then,
unless it changed them. Exit codes 0 and 1 of the tool are success.

Examples:
  fe recovery diff 0123abcd
  fe recovery diff 0123abcd --from current --to after --tool meld
  fe recovery diff 0123abcd --tool "code --wait --diff"
`;

export const mergeHelp: string = `
Writes what both the edit and others made of the version before to standard
output, if they changed different places; otherwise fails and says where they
meet. It fails, too, if only the edit's own writing was cut short: then take a
whole version, before or after. Each version may have 4 MiB. Look at a merge
before you use it:
  fe recovery merge 0123abcd > merged
  fe recovery resolve 0123abcd --with merged
`;

export const undoHelp: string = `
Refused if the file does not hold what the resolution wrote. What it holds now
is saved first; the same command again takes the undo back. With --keep the
file holds that version of the record instead, such as the one that was not
chosen. fe recovery list shows what can be taken back. What is saved is kept for
30 days, 20 resolutions and 1 GiB at most, oldest dropped first.
`;

export const showHelp: string = `
The hash of what was written goes to standard error; resolve takes it as
--expect-sha256. With --json the answer is one object with content_base64, for
versions of up to 8 MiB.
`;
