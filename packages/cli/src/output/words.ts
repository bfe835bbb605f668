/** What the hints of the engine name, in words of the command line. */
import type { HintWords } from "@fe/engine/display";

function option(flag: string): (value?: string) => string {
  return (value) => `\`--${flag}${value === undefined ? "" : ` ${value}`}\``;
}

/** A member of the object that `--request` reads. */
function member(name: string): (value?: string) => string {
  return (value) => `\`${name}${value === undefined ? "" : `: "${value}"`}\``;
}

function command(words: string): () => string {
  return () => `\`fe ${words}\``;
}

/** For texts and options of a command line. */
export const commandWords: HintWords = {
  "after.sha256": () => "`after_sha256`, as `--json` shows it,",
  afterSha256: member("after_sha256"),
  beforeSha256: member("before_sha256"),
  encoding: option("encoding"),
  examine: command("doctor"),
  expectSha256: option("expect-sha256"),
  exclusive: option("exclusive"),
  keep: option("keep"),
  maxFileBytes: option("max-file-size"),
  "recovery.list": command("recovery list"),
  "recovery.resolve": command("recovery resolve"),
  "recovery.show": command("recovery show"),
  "recovery.undo": command("recovery undo"),
  replaceAll: option("replace-all"),
  roots: option("root"),
  userDataDirectory: option("user-data-dir"),
  waitMs: option("wait"),
};

/** For an edit that is given by `--request`. */
export const requestWords: HintWords = {
  ...commandWords,
  encoding: member("encoding"),
  replaceAll: member("replace_all"),
  waitMs: member("wait_ms"),
};
