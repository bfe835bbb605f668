/**
 * Paths that are refused on Windows before anything is asked of the system, judged by their text.
 *
 * Windows gives some texts a meaning of their own before it looks at a disk: a name may stand for a
 * device, for a second stream of a file, or for a name without the dot at its end. Edited under
 * such a text, another file would change than the one that is named; opened, a device acts, and a
 * share gets this user's credentials. So the port asks {@link checkWindowsPath} first.
 *
 * Pure. Takes a path as a person wrote it; the real path that comes of it needs no second look.
 *
 * Sources: "Naming Files, Paths, and Namespaces" and "File Streams" of the Windows documentation;
 * [MS-FSCC] 2.1.5 (names and streams).
 */
import { PathRefusedError } from "../os-error.ts";

/** Why a path is refused. */
export interface PathRefusal {
  readonly kind: RefusalKind;
  /** What is wrong, as half a sentence. */
  readonly reason: string;
  /** What to do instead. */
  readonly hint: string;
}

/**
 * - `character`: one that no name on Windows has, or half of a surrogate pair; `..` behind `\\?\`.
 * - `device`: a name such as `NUL` or `com1.txt`.
 * - `drive-relative`, `root-relative`: `C:x`, `\x`; folder or drive are whatever is current.
 * - `ending`: a dot or space at the end, which Windows drops.
 * - `namespace`: `\\.\x`, or behind `\\?\` anything but a drive or a share.
 * - `share`: `\\host\share`, which would tell the host who is asking.
 * - `stream`: a colon behind the drive.
 */
export type RefusalKind =
  | "character"
  | "device"
  | "drive-relative"
  | "ending"
  | "namespace"
  | "root-relative"
  | "share"
  | "stream";

/** Device names, also with something behind a dot; the superscript digits count as digits. */
const deviceName = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])$/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: no name on Windows may hold them.
const forbidden = /[\u0000-\u001f<>"|?*]/;
const loneSurrogate = /\p{Surrogate}/u;
const verbatim = "\\\\?\\";
const drive = /^[a-z]:/i;
const shareOfVerbatim = /^UNC\\/i;

/**
 * Refuses what no edit may be asked for. Pure, so it answers alike on every system; throws nothing.
 * The port for Windows asks it first, those for Linux and macOS do not.
 *
 * @param path as it was written: relative, or with a drive. `/` and `\` both separate, but after
 *   `\\?\` the latter alone.
 * @returns why, or `undefined` if the system may be asked.
 */
export function refusalOf(path: string): PathRefusal | undefined {
  if (path.startsWith(verbatim)) return refusalOfVerbatim(path.slice(verbatim.length));
  if (/^[\\/]{2}/.test(path)) {
    return /^[\\/]{2}[?.](?:[\\/]|$)/.test(path) ? namespace(path) : share(path);
  }
  if (/^[\\/]/.test(path)) {
    const hint = "Name the drive too, as in C:\\folder\\file.txt";
    return refused("root-relative", "it begins at the root of whatever drive is current", hint);
  }
  if (!drive.test(path)) return firstRefusal(path.split(/[\\/]/));
  if (!/^[\\/]/.test(path.slice(2))) {
    const hint = "Write a backslash behind the colon, or leave the drive away";
    return refused("drive-relative", "it begins at whatever folder is current on a drive", hint);
  }
  return firstRefusal(path.slice(3).split(/[\\/]/));
}

/**
 * As {@link refusalOf}, as the error of the port. `operation` is its method, for the message.
 *
 * @throws PathRefusedError code `EINVAL`
 */
export function checkWindowsPath(operation: string, path: string): void {
  const refusal = refusalOf(path);
  if (refusal !== undefined) throw new PathRefusedError(operation, path, refusal);
}

function refused(kind: RefusalKind, reason: string, hint: string): PathRefusal {
  return { kind, reason, hint };
}

function namespace(path: string): PathRefusal {
  const what = `it begins with "${path.slice(0, 4)}", which leads past the file system`;
  return refused("namespace", what, "Name the file by its drive, as in C:\\folder\\file.txt");
}

function share(path: string): PathRefusal {
  const host = JSON.stringify(path.split(/[\\/]/)[2] ?? "");
  const reason = `it names a share, and to look there would tell ${host} who is asking`;
  return refused("share", reason, "Give the share a drive letter, and name the file by that");
}

/** Behind `\\?\` Windows takes the rest as it is. */
function refusalOfVerbatim(rest: string): PathRefusal | undefined {
  if (shareOfVerbatim.test(rest)) return share(`\\\\${rest.slice(4)}`);
  if (!drive.test(rest) || rest[2] !== "\\") return namespace(verbatim);
  const names = rest.slice(3).split("\\");
  const odd = names.find((name) => name === "." || name === ".." || name.includes("/"));
  if (odd !== undefined) {
    const reason = `behind "${verbatim}" ${JSON.stringify(odd)} is taken for a name`;
    return refused("character", reason, `Write the path without "${verbatim}"`);
  }
  return firstRefusal(names);
}

function firstRefusal(names: readonly string[]): PathRefusal | undefined {
  for (const name of names) {
    if (name === "" || name === "." || name === "..") continue;
    const refusal = refusalOfName(name);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function refusalOfName(name: string): PathRefusal | undefined {
  const quoted = JSON.stringify(name);
  const [beforeDot = ""] = name.split(/[.:]/, 1);
  // Spaces before the dot do not count: `NUL .txt` is the device too.
  if (deviceName.test(beforeDot.replace(/ +$/, ""))) {
    return refused("device", `${quoted} stands for a device`, "Rename the file");
  }
  if (name.includes(":")) {
    const hint = "Name the file without the colon and what follows it";
    return refused("stream", `${quoted} names a stream of a file, not the file`, hint);
  }
  if (/[. ]$/.test(name)) {
    const reason = `Windows drops the dot or space at the end of ${quoted}, and takes another name`;
    return refused("ending", reason, "Name the file as it stands in its folder");
  }
  if (forbidden.test(name) || loneSurrogate.test(name)) {
    const reason = `${quoted} holds a character that no name on Windows has`;
    return refused("character", reason, "Name one file, without wildcards and quotes");
  }
  return undefined;
}
