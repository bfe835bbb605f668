/** What the hints of the engine name, in words of this server: its tools and their arguments. */
import type { HintWords } from "@fe/engine/display";

function argument(name: string): (value?: string) => string {
  return (value) => `\`${name}${value === undefined ? "" : `: "${value}"`}\``;
}

/** Where `recovery_resolve` and `recovery_undo` are refused, a person runs the command. */
export function wordsFor({ allowResolve }: { readonly allowResolve: boolean }): HintWords {
  if (allowResolve) return toolWords;
  return {
    ...toolWords,
    "recovery.resolve": () => "the command `fe recovery resolve`",
    "recovery.undo": () => "the command `fe recovery undo`",
  };
}

export const toolWords: HintWords = {
  "after.sha256": argument("after_sha256"),
  afterSha256: argument("after_sha256"),
  beforeSha256: argument("before_sha256"),
  encoding: argument("encoding"),
  // No tool examines the system; a person does.
  examine: () => "the command `fe doctor`",
  // The tool always wants one; the command does not.
  expectSha256: () => "a person can, by the command `fe recovery resolve`",
  // No tool asks for it, so no hint of an edit names it here.
  exclusive: argument("exclusive"),
  followSymlinks: () => "`--no-follow-symlinks` of this server",
  keep: argument("keep"),
  maxFileBytes: () => "`--max-file-size` of this server",
  "recovery.list": argument("recovery_list"),
  "recovery.listResolved": argument("recovery_list"),
  "recovery.resolve": argument("recovery_resolve"),
  "recovery.show": argument("recovery_show"),
  "recovery.undo": argument("recovery_undo"),
  replaceAll: argument("replace_all"),
  // The server never goes without; the command may.
  roots: () => "the roots of this server (a person reaches them with the command `fe recovery`)",
  userDataDirectory: () => "`--user-data-dir` of this server",
  waitMs: argument("wait_ms"),
};
