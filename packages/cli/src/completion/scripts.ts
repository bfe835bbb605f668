/**
 * Scripts that complete the command line in a shell. They ask `fe` itself for nothing but the ids
 * of records: of the default store, or of that which the environment names.
 */

import { allCommands, type CommandShape, type Offer } from "./shape.ts";
import type { Shell } from "./shells.ts";

/** Asks for records; what prints ids of the list, sed is told. */
const askForRecords = "command fe recovery list 2>/dev/null | sed -n";

const id = String.raw`^\([0-9a-f]\{8,\}\)  `;

/** Print the ids of these; what else the list says is indented. */
const printIds = {
  standing: String.raw`/${id}resolved  /d;s/${id}.*/\1/p`,
  resolved: String.raw`s/${id}resolved  .*/\1/p`,
  all: String.raw`s/${id}.*/\1/p`,
} as const;

/** The script of one shell. */
export function completionScript(shell: Shell, program: CommandShape): string {
  return makers[shell](program);
}

const makers: Readonly<Record<Shell, (program: CommandShape) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** Goes from word to word; a word that names no command leaves it where it is. */
function walkCases(program: CommandShape): string[] {
  return allCommands(program)
    .slice(1)
    .map(({ words }) => `      "${words}") command="${words}" ;;`);
}

/** Lines of a `case` for what may follow an option, those with the same answer together. */
function valueCases(program: CommandShape, answer: (offer: Offer) => string): string[] {
  const byAnswer = new Map<string, string[]>();
  for (const { words, options } of allCommands(program)) {
    for (const { flag, value } of options) {
      if (value === undefined) continue;
      const patterns = byAnswer.get(answer(value)) ?? [];
      patterns.push(`"${words} ${flag}"`);
      byAnswer.set(answer(value), patterns);
    }
  }
  return [...byAnswer].map(([text, patterns]) => `    ${patterns.join("|")})\n      ${text} ;;`);
}

/** What can be typed at each command. */
function wordCases(program: CommandShape): string[] {
  return allCommands(program).map((shape) => {
    return `    "${shape.words}") flags="${flagsOf(shape)}" names="${namesOf(shape)}" ;;`;
  });
}

function flagsOf({ options }: CommandShape): string {
  return options.map(({ flag }) => flag).join(" ");
}

/** The commands below it, or what its argument may be. */
function namesOf({ commands, argument }: CommandShape): string {
  const values = argument.kind === "words" ? argument.words : [];
  if (argument.kind === "records") return `$(_fe_records '${printIds[argument.which]}')`;
  return [...commands.map(({ words }) => words.split(" ").at(-1)), ...values].join(" ");
}

function bashScript(program: CommandShape): string {
  const words = (list: string): string => `COMPREPLY=($(compgen -W "${list}" -- "$word"))`;
  const offer = (value: Offer): string => {
    if (value.kind === "words") return `${words(value.words.join(" "))}; return`;
    // With no answer of ours, readline offers files.
    return value.kind === "directories" ? "compopt -o dirnames 2>/dev/null; return" : "return";
  };
  return `# Completion of fe for bash. Put this into ~/.bashrc:
#   eval "$(fe completion bash)"
_fe_records() {
  ${askForRecords} "$1"
}
_fe() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command=fe at
  COMPREPLY=()
  # Of --option=value bash makes three words.
  if [[ $word == "=" ]]; then word=
  elif [[ $before == "=" ]]; then before="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "$command \${COMP_WORDS[at]}" in
${walkCases(program).join("\n")}
    esac
  done
  case "$command $before" in
${valueCases(program, offer).join("\n")}
  esac
  local flags names
  case "$command" in
${wordCases(program).join("\n")}
  esac
  if [[ $word == -* ]]; then
    ${words("$flags")}
  elif [[ -n $names ]]; then
    ${words("$names")}
  fi
}
complete -o default -F _fe fe
`;
}

function zshScript(program: CommandShape): string {
  const offer = (value: Offer): string => {
    if (value.kind === "words") return `compadd -- ${value.words.join(" ")}; return`;
    if (value.kind === "files") return "_files; return";
    return value.kind === "directories" ? "_files -/; return" : "return";
  };
  return `#compdef fe
# Completion of fe for zsh. Put this into ~/.zshrc, after compinit:
#   eval "$(fe completion zsh)"
_fe_records() {
  ${askForRecords} "$1"
}
_fe() {
  local command=fe flags names
  local -i at
  for ((at = 2; at < CURRENT; at++)); do
    case "$command \${words[at]}" in
${walkCases(program).join("\n")}
    esac
  done
  case "$command \${words[CURRENT-1]}" in
${valueCases(program, offer).join("\n")}
  esac
  case "$command" in
${wordCases(program).join("\n")}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    compadd -- \${=flags}
  elif [[ -n $names ]]; then
    compadd -- \${=names}
  else
    _files
  fi
}
compdef _fe fe
`;
}

function fishScript(program: CommandShape): string {
  const quoted = (text: string): string => `'${text.replace(/['\\]/gu, "\\$&")}'`;
  const lines: string[] = [];
  for (const shape of allCommands(program)) {
    const when = `-n ${quoted(`__fe_at ${shape.words}`)}`;
    for (const inner of shape.commands) {
      const name = inner.words.split(" ").at(-1) ?? "";
      lines.push(`complete -c fe ${when} -f -a ${name} -d ${quoted(inner.description)}`);
    }
    for (const { flag, description, value } of shape.options) {
      const name = `-l ${flag.slice(2)}`;
      lines.push(`complete -c fe ${when} ${name}${fishValue(value)} -d ${quoted(description)}`);
    }
    if (shape.argument.kind === "records") {
      const ids = quoted(`(__fe_records '${printIds[shape.argument.which]}')`);
      lines.push(`complete -c fe ${when} -f -a ${ids}`);
    }
    if (shape.argument.kind === "words") {
      const list = quoted(shape.argument.words.join(" "));
      lines.push(`complete -c fe ${when} -f -a ${list}`);
    }
  }
  const steps = allCommands(program)
    .slice(1)
    .map(({ words }) => `      case ${quoted(words)}\n        set command ${quoted(words)}`);
  return `# Completion of fe for fish. Put this into ~/.config/fish/config.fish:
#   fe completion fish | source
function __fe_records
  ${askForRecords} $argv[1]
end
function __fe_at
  set -l command fe
  for word in (commandline -opc)[2..]
    switch "$command $word"
${steps.join("\n")}
    end
  end
  test "$command" = "$argv"
end
${lines.join("\n")}
`;
}

function fishValue(value: Offer | undefined): string {
  if (value === undefined) return "";
  if (value.kind === "words") return ` -x -a '${value.words.join(" ")}'`;
  if (value.kind === "directories") return " -x -a '(__fish_complete_directories)'";
  return value.kind === "files" ? " -r -F" : " -x";
}
