/**
 * The names that hints tell: in backticks, as the library has them. Whoever shows a hint to people
 * who know something else (a command line, the tools of a server) puts its own names there, so that
 * nobody is told to call what is not there.
 */

/** Every name of the library that stands in a hint. */
export const hintNames = [
  "after.sha256",
  "afterSha256",
  "beforeSha256",
  "encoding",
  "examine",
  "exclusive",
  "expectSha256",
  "followSymlinks",
  "keep",
  "maxFileBytes",
  "recovery.list",
  "recovery.listResolved",
  "recovery.resolve",
  "recovery.show",
  "recovery.undo",
  "replaceAll",
  "roots",
  "userDataDirectory",
  "waitMs",
] as const;

export type HintName = (typeof hintNames)[number];

/** What each name is elsewhere, with backticks where it has any; `value`: what is to be given. */
export type HintWords = Readonly<Record<HintName, (value?: string) => string>>;

/** A name in backticks, alone or with a value: `recovery.list`, `keep: "current"`. */
const namePattern = /`([A-Za-z][\w.]*)(?:: "([\w.-]*)")?`/gu;

function isHintName(name: string): name is HintName {
  return (hintNames as readonly string[]).includes(name);
}

/** A hint of the engine, or an advice, in other words; whatever else is in backticks stays. */
export function inWords(words: HintWords, hint: string): string {
  return hint.replace(namePattern, (whole: string, name: string, value?: string) =>
    isHintName(name) ? words[name](value) : whole,
  );
}
