/**
 * A name that looks like one that is not there: the other Unicode form, a no-break space, another
 * case. It is told, and never taken in the other's place.
 */
import { type Os, OsError } from "@fe/native";
import { FeError } from "./errors.ts";
import { foldBy, foldChoices, folds } from "./matching/folds.ts";
import { meantPath } from "./meant-paths.ts";

/** Where the walk along a path ended: the last directory that is there, the name that is not. */
export interface WalkEnd {
  /** Its real path. */
  readonly directory: string;
  readonly missing: string;
}

/** To fold more names than these takes longer than a refusal should; a guess. */
const maxNames = 10_000;

/** Finds where the walk along `path` ends. */
export async function endOfWalk(os: Os, path: string): Promise<WalkEnd> {
  const { paths } = os;
  const start = await os.resolveRealPath(".", { followLast: true });
  let above = paths.isAbsolute(path) ? path : paths.join(start, path);
  for (;;) {
    const parent = paths.parentOf(above);
    try {
      const directory = await os.resolveRealPath(parent, { followLast: true });
      return { directory, missing: paths.nameOf(above) };
    } catch (error) {
      if (!(error instanceof OsError) || parent === above) throw error;
      above = parent;
    }
  }
}

/**
 * The failure with what may have been meant by `asked` in its hint, if there is something: a near
 * name in the last directory that is there, or the path in another form. `mayTell`: whether a real
 * path may be told of.
 */
export async function withNearName(
  os: Os,
  asked: string,
  end: WalkEnd,
  failure: Error,
  mayTell: (realPath: string) => boolean,
): Promise<Error> {
  if (!(failure instanceof FeError) || failure.code !== "FE_NOT_FOUND") return failure;
  const near = await nearEntry(os, end);
  if (near === undefined) return withMeantPath(os, asked, failure, mayTell);
  return withHint(failure, near);
}

/** The failure with the file in its hint that `asked` names in another form, if there is one. */
export async function withMeantPath(
  os: Os,
  asked: string,
  failure: Error,
  mayTell: (realPath: string) => boolean,
): Promise<Error> {
  const meant = await meantPath(os, asked, mayTell);
  return meant === undefined ? failure : withHint(failure, meant);
}

function withHint(failure: Error, hint: string): Error {
  if (!(failure instanceof FeError)) return failure;
  const { code, message, path, operation, cause } = failure;
  return new FeError(code, message, {
    hint,
    cause,
    ...(path === undefined ? {} : { path }),
    ...(operation === undefined ? {} : { operation }),
  });
}

/** The entry beside the missing one whose name looks the same, as a hint. */
async function nearEntry(os: Os, { directory, missing }: WalkEnd): Promise<string | undefined> {
  let names: string[];
  try {
    const opened = await os.openStoreDirectory(directory);
    try {
      names = await opened.list();
    } finally {
      await opened.close();
    }
  } catch (error) {
    // It may be closed to this user; then there is nothing to tell.
    if (error instanceof OsError) return undefined;
    throw error;
  }
  return describeNear(missing, names);
}

/** What tells the name that is nearest to `missing` from it, as a hint. */
export function describeNear(missing: string, names: readonly string[]): string | undefined {
  const wanted = foldBy(missing, folds);
  const near = names
    .slice(0, maxNames)
    .filter((name) => name !== missing && foldBy(name, folds) === wanted)
    .sort();
  const [first] = near;
  if (first === undefined) return undefined;
  const choice = foldChoices.find((some) => foldBy(first, some) === foldBy(missing, some)) ?? folds;
  const differences = choice.map(({ difference }) => difference).join(" and ");
  const others = near.length > 1 ? `, and so do ${near.length - 1} more` : "";
  return `"${first}" is there, which differs in ${differences}${pointsOf(first, missing)}${others}`;
}

/** The code points that differ, where the names may look the same. */
function pointsOf(found: string, missing: string): string {
  const [there, asked] = [[...found], [...missing]];
  let start = 0;
  while (start < there.length && there[start] === asked[start]) start += 1;
  let end = 0;
  const most = Math.min(there.length, asked.length) - start;
  while (end < most && there.at(-1 - end) === asked.at(-1 - end)) end += 1;
  const [one, other] = [there, asked].map((all) => all.slice(start, all.length - end));
  if (
    one === undefined ||
    other === undefined ||
    /^[\x20-\x7e]*$/u.test([...one, ...other].join(""))
  )
    return "";
  return ` (at character ${start + 1} it has ${inPoints(one)}, not ${inPoints(other)})`;
}

/** More of them would be no help to anybody. */
const maxPoints = 4;

function inPoints(characters: readonly string[]): string {
  if (characters.length === 0) return "nothing";
  const points = characters.slice(0, maxPoints).map((character) => {
    const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return `U+${hex.padStart(4, "0")}`;
  });
  return `${points.join(" ")}${characters.length > maxPoints ? " …" : ""}`;
}
