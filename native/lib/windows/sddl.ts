/**
 * Reads a security descriptor in its text form (SDDL), as `Get-Acl` and `icacls /save` print it.
 *
 * For embedders and for recorded descriptors; the port itself reads bytes
 * (security-descriptor.ts). Stricter than Windows: only the form that Windows writes is understood,
 * so parts in another order, spaces and decimal rights are a {@link Problem}.
 *
 * SDDL names some accounts by aliases that only their machine can resolve (`LA`, `DA`). An entry
 * with such a one has no SID here, so it counts as somebody else's.
 *
 * I1  Nothing here throws, whatever the text is.
 *
 * Sources: [MS-DTYP] 2.5.1.1; "Security Descriptor String Format" and "ACE Strings" of the Windows
 * documentation.
 */
import { rightsByName } from "./access-rights.ts";
import type { SecurityDescriptor } from "./security-descriptor.ts";
import { type AccessEntry, entryFlags, type Problem } from "./security-descriptor.ts";
import { domainAliases, fixedAliases, isSid } from "./sid.ts";

/** Types that may stand in an access list. Any other is kept as {@link unknownType}. */
const typesByName: ReadonlyMap<string, number> = new Map([
  ["A", 0x00],
  ["D", 0x01],
  ["OA", 0x05],
  ["OD", 0x06],
  ["XA", 0x09],
  ["XD", 0x0a],
  ["ZA", 0x0b],
]);
/** No type of Windows has this number. */
const unknownType = 0xff;

const flagsByName: ReadonlyMap<string, number> = new Map([
  ["OI", entryFlags.objectInherit],
  ["CI", entryFlags.containerInherit],
  ["NP", entryFlags.noPropagate],
  ["IO", entryFlags.inheritOnly],
  ["ID", entryFlags.inherited],
]);

/** Owner, group and the flags of the list, in the order in which Windows writes them. */
const head = /^(?:O:([^:(]*?))?(?:G:([^:(]*?))?(?:D:([A-Z_]*?))?(?=\(|S:|$)/;
/** Audit rules and the integrity label, which give nobody access. */
const auditHead = /S:[A-Z_]*/y;
const listFlags = /^(?:P|AR|AI)*$/;
const nullList = "NO_ACCESS_CONTROL";

/**
 * Reads the text, with what it says of owner, group and access list; audit rules and the integrity
 * label are passed over. Never throws: a text that is not understood as a whole is a
 * {@link Problem}.
 */
export function parseSddl(text: string): SecurityDescriptor | Problem {
  const match = head.exec(text);
  if (match === null) return { problem: "the text is no security descriptor" };
  const [all, ownerText, groupText, flags] = match;
  // Without a list nothing may stand here in parentheses, and endsThere sees to that.
  const list = flags === undefined ? { texts: [], end: all.length } : entriesFrom(text, all.length);
  if (list === undefined || !endsThere(text, list.end)) {
    return { problem: "the parts of the descriptor are not in order" };
  }
  const owner = account(ownerText);
  const group = account(groupText);
  if (owner === null || group === null) return { problem: "owner or group is no SID" };
  if (flags === undefined) return { owner, group, isProtected: false, entries: null };
  const hasNoList = flags.endsWith(nullList) && list.texts.length === 0;
  const ownFlags = hasNoList ? flags.slice(0, -nullList.length) : flags;
  if (!listFlags.test(ownFlags)) return { problem: `flags of the access list: ${flags}` };
  const entries = hasNoList ? null : parseEntries(list.texts);
  if (entries !== null && "problem" in entries) return entries;
  return { owner, group, isProtected: ownFlags.includes("P"), entries };
}

/** Whether nothing but the audit part, if that, stands at `at`. */
function endsThere(text: string, at: number): boolean {
  if (at === text.length) return true;
  auditHead.lastIndex = at;
  if (!auditHead.test(text)) return false;
  return entriesFrom(text, auditHead.lastIndex)?.end === text.length;
}

interface EntryTexts {
  readonly texts: string[];
  readonly end: number;
}

/** The entries in parentheses from `start` on; `undefined` if one does not end. */
function entriesFrom(text: string, start: number): EntryTexts | undefined {
  const texts: string[] = [];
  let at = start;
  while (text[at] === "(") {
    const end = endOfEntry(text, at);
    if (end === -1) return undefined;
    texts.push(text.slice(at + 1, end));
    at = end + 1;
  }
  return { texts, end: at };
}

/** Where the parenthesis that opens at `start` closes; -1 if it does not. */
function endOfEntry(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      // A text within a condition may hold anything but its own end.
      at = text.indexOf('"', at + 1);
      if (at === -1) return -1;
    } else if (char === "(") depth += 1;
    else if (char === ")") {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

/**
 * The SID of an account as text or alias. `undefined`: none is named, or only its machine knows.
 * `null`: it is none.
 */
function account(text: string | undefined): string | undefined | null {
  if (text === undefined || domainAliases.has(text)) return undefined;
  return fixedAliases.get(text) ?? (isSid(text) ? text : null);
}

function parseEntries(texts: readonly string[]): AccessEntry[] | Problem {
  const entries: AccessEntry[] = [];
  for (const text of texts) {
    const entry = parseEntry(text);
    if ("problem" in entry) return entry;
    entries.push(entry);
  }
  return entries;
}

function parseEntry(text: string): AccessEntry | Problem {
  const fields = text.split(";");
  const [typeName = "", flagNames = "", rights = "", objectType, inheritedType, sidText] = fields;
  if (sidText === undefined) return { problem: `an entry of ${fields.length} fields: (${text})` };
  const condition = fields.slice(6).join(";");
  const flags = bitsOf(flagNames, flagsByName);
  const mask = rightsOf(rights);
  const sid = account(sidText);
  if (flags === undefined || mask === undefined || sid === null) {
    return { problem: `an entry that is not understood: (${text})` };
  }
  const restriction = [objectType, inheritedType, condition].join(";");
  return {
    type: typesByName.get(typeName) ?? unknownType,
    flags,
    mask,
    sid,
    restriction: restriction === ";;" ? "" : restriction,
  };
}

const hexRights = /^0x[0-9a-f]{1,8}$/i;

function rightsOf(text: string): number | undefined {
  return hexRights.test(text) ? Number(text) : bitsOf(text, rightsByName);
}

/** Names of two letters, one after the other. */
function bitsOf(text: string, names: ReadonlyMap<string, number>): number | undefined {
  let bits = 0;
  for (let at = 0; at < text.length; at += 2) {
    const bit = names.get(text.slice(at, at + 2));
    if (bit === undefined) return undefined;
    bits |= bit;
  }
  return bits >>> 0;
}
