/**
 * Two versions compared line by line. The library is loaded only for this, and is given each byte
 * as one character, so that what it prints is the bytes of the versions, whatever their encoding.
 * Of UTF-16 it is given the characters, and what it prints is UTF-8, as the diff of an edit.
 */
import { isUtf8 } from "node:buffer";
import { escapeText } from "@fe/engine/display";
import { textsOf } from "./version-text.ts";

/** What a comparison came to. */
export type Compared =
  | {
      readonly kind: "diff";
      readonly bytes: Buffer;
      readonly isUtf8: boolean;
      /** The bytes are not those of the versions, but their characters in UTF-8. */
      readonly transcodedFrom?: "utf-16le" | "utf-16be";
    }
  /** Why there is nothing to show: half a sentence. */
  | { readonly kind: "none"; readonly why: string };

/** A comparison that takes longer is given up: a person waits for the answer. A guess. */
export const maxComparingMs = 1_500;

/** Why a comparison was given up: half a sentence. */
export const tooDifferent = "they have too little in common to be compared line by line";

function none(why: string): Compared {
  return { kind: "none", why };
}

/** `diff -u` of two versions; no bytes if they are the same. */
export async function unifiedDiffOf(
  from: Buffer,
  to: Buffer,
  fromName: string,
  toName: string,
): Promise<Compared> {
  if (from.equals(to)) return { kind: "diff", bytes: Buffer.alloc(0), isUtf8: true };
  const found = textsOf([from, to]);
  if ("why" in found) return none(found.why);
  const { formatPatch, structuredPatch } = await import("diff");
  const { order } = found;
  const [one = "", other = ""] = found.texts;
  const encoding = order === undefined ? "latin1" : "utf8";
  const names = [fromName, toName].map((name) => Buffer.from(escapeText(name)).toString(encoding));
  const [oldName = "", newName = ""] = names;
  const limits = { context: 3, timeout: maxComparingMs };
  const patch = structuredPatch(oldName, newName, one, other, "", "", limits);
  if (patch === undefined) return none(tooDifferent);
  // The line that the library begins with is none of a diff.
  const text = formatPatch(patch).replace(/^(?:Index: .*\n)?=+\n/u, "");
  const bytes = Buffer.from(text, encoding);
  const made = order === undefined ? {} : { transcodedFrom: `utf-16${order}` as const };
  return { kind: "diff", bytes, isUtf8: isUtf8(bytes), ...made };
}
