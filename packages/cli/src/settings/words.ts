/** A command as words, without a shell: blanks part them, quotes keep what is between them. */
import { UsageError } from "../usage-error.ts";

const word = /(?:[^\s'"]|'[^']*'|"[^"]*")+/gu;

/** The words of `text`, at least one. Error: {@link UsageError}, naming the option `flag`. */
export function splitWords(text: string, flag: string): readonly string[] {
  const words = (text.match(word) ?? []).map((found) =>
    found.replace(/'([^']*)'|"([^"]*)"/gu, (_, single = "", double = "") => single + double),
  );
  const rest = text.replace(word, "").trim();
  if (rest !== "") {
    throw new UsageError(
      `Option ${flag} has a quote without its end: ${text}`,
      "Blanks part words, and single or double quotes keep them; no shell reads it",
    );
  }
  if (words[0] === undefined || words[0] === "") {
    throw new UsageError(`Option ${flag} is empty`, 'Name a program, such as "meld"');
  }
  return words;
}
