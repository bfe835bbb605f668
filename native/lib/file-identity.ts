/** Comparing identities, and their form in JSON. */
import type { FileIdentity } from "./os.ts";

/**
 * Whether two identities are of one file: volume and file are equal, and so is every optional part
 * that both have. Pure; throws nothing.
 *
 * What only one has is passed over, so the answer is as good as the parts that the filesystem keeps
 * (`FileIdentity` says which, on each system): without birth time, generation and handle, a new
 * file with the number of one that is gone counts as the same.
 *
 * @param options.sameBoot both were read since the same start of the machine. Only then is `device`
 *   compared, since the number is given anew at each start.
 */
export function sameFile(
  a: FileIdentity,
  b: FileIdentity,
  options: { readonly sameBoot: boolean },
): boolean {
  return (
    a.volume === b.volume &&
    a.file === b.file &&
    agree(a.birthTimeNs, b.birthTimeNs) &&
    agree(a.generation, b.generation) &&
    agree(a.handle, b.handle) &&
    (!options.sameBoot || a.device === b.device)
  );
}

function agree<T>(a: T | undefined, b: T | undefined): boolean {
  return a === undefined || b === undefined || a === b;
}

/**
 * A {@link FileIdentity} in JSON: numbers as decimal strings, since they have up to 128 bits.
 * Records hold it in this form, so it changes with their format only. `birthTimeNs` may be
 * negative; `handle` is 8 to 264 lower-case hex digits, an even number.
 */
export interface FileIdentityJson {
  readonly volume: string;
  readonly file: string;
  readonly birthTimeNs?: string;
  readonly generation?: string;
  readonly handle?: string;
  readonly device: string;
}

/** The identity as JSON, for {@link identityFromJson}; a part that is absent stays so. */
export function identityToJson(identity: FileIdentity): FileIdentityJson {
  const { volume, file, birthTimeNs, generation, handle, device } = identity;
  return {
    volume: String(volume),
    file: String(file),
    ...(birthTimeNs === undefined ? {} : { birthTimeNs: String(birthTimeNs) }),
    ...(generation === undefined ? {} : { generation: String(generation) }),
    ...(handle === undefined ? {} : { handle }),
    device: String(device),
  };
}

/**
 * Reads what {@link identityToJson} wrote, and nothing else: a member too many, a number in another
 * spelling or out of range is refused.
 *
 * @throws TypeError which names the member.
 */
export function identityFromJson(json: unknown): FileIdentity {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw new TypeError("identity: an object is wanted");
  }
  const members = new Map<string, unknown>(Object.entries(json));
  const identity: FileIdentity = {
    volume: unsigned(members, "volume", 128),
    file: unsigned(members, "file", 128),
    ...(members.has("birthTimeNs") ? { birthTimeNs: signed64(members, "birthTimeNs") } : {}),
    ...(members.has("generation") ? { generation: unsigned(members, "generation", 64) } : {}),
    ...(members.has("handle") ? { handle: hex(members, "handle") } : {}),
    device: unsigned(members, "device", 64),
  };
  for (const name of members.keys()) {
    if (!Object.hasOwn(identity, name))
      throw new TypeError(`identity: member "${name}" is not known`);
  }
  return identity;
}

/** 39 digits hold 128 bits, so no long text is ever turned into a number. */
const decimal = /^-?(?:0|[1-9][0-9]{0,38})$/;
/** A handle has 4 bytes of type and at most 128 of its own (`MAX_HANDLE_SZ`). */
const handleText = /^(?:[0-9a-f]{2}){4,132}$/;

function integer(members: Map<string, unknown>, name: string): bigint {
  const text = members.get(name);
  if (typeof text !== "string" || !decimal.test(text) || text === "-0") {
    throw new TypeError(`identity: member "${name}": a decimal number in a string is wanted`);
  }
  return BigInt(text);
}

function unsigned(members: Map<string, unknown>, name: string, bits: number): bigint {
  const value = integer(members, name);
  if (value !== BigInt.asUintN(bits, value)) {
    throw new TypeError(`identity: member "${name}" is not within ${bits} bits`);
  }
  return value;
}

function signed64(members: Map<string, unknown>, name: string): bigint {
  const value = integer(members, name);
  if (value !== BigInt.asIntN(64, value)) {
    throw new TypeError(`identity: member "${name}" is not within 64 bits`);
  }
  return value;
}

function hex(members: Map<string, unknown>, name: string): string {
  const text = members.get(name);
  if (typeof text !== "string" || !handleText.test(text)) {
    throw new TypeError(`identity: member "${name}": bytes in lower-case hex are wanted`);
  }
  return text;
}
