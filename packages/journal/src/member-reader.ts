/**
 * Takes JSON from a file that nobody vouches for apart, member by member, each of a stated form.
 */
import { RecordCorruptError } from "./errors.ts";

export class MemberReader {
  readonly #name: string;
  readonly #members: Readonly<Record<string, unknown>>;

  private constructor(name: string, value: unknown) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new RecordCorruptError(`${name} is not an object`);
    }
    this.#name = name;
    this.#members = value as Readonly<Record<string, unknown>>;
  }

  /** Errors: `RecordCorruptError` if `text` is not one JSON object. */
  static parse(text: string): MemberReader {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (cause) {
      throw new RecordCorruptError("its metadata are not JSON", { cause });
    }
    return new MemberReader("its metadata", value);
  }

  /** Names of all members. */
  names(): string[] {
    return Object.keys(this.#members);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#members, name);
  }

  /** Whatever it is; `undefined` if it is missing. */
  value(name: string): unknown {
    return this.has(name) ? this.#members[name] : undefined;
  }

  object(name: string): MemberReader {
    return new MemberReader(`the member "${name}" of ${this.#name}`, this.value(name));
  }

  /** Text of at most `maxLength` characters that matches. */
  text(name: string, form: RegExp, maxLength: number): string {
    const value = this.value(name);
    if (typeof value !== "string" || value.length > maxLength || !form.test(value)) {
      throw this.#malformed(name);
    }
    return value;
  }

  optionalText(name: string, form: RegExp, maxLength: number): string | undefined {
    return this.has(name) ? this.text(name, form, maxLength) : undefined;
  }

  textOrNull(name: string, form: RegExp, maxLength: number): string | null {
    return this.value(name) === null ? null : this.text(name, form, maxLength);
  }

  oneOf<const Value extends string | number>(name: string, values: readonly Value[]): Value {
    const found = values.find((value) => value === this.value(name));
    if (found === undefined) throw this.#malformed(name);
    return found;
  }

  /** A whole number from 0 to `max`. */
  integer(name: string, max: number): number {
    const value = this.value(name);
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0 || value > max) {
      throw this.#malformed(name);
    }
    return value;
  }

  /** A number from 0 to `max`, whole or not. */
  optionalNumber(name: string, max: number): number | undefined {
    if (!this.has(name)) return undefined;
    const value = this.value(name);
    if (typeof value !== "number" || !(value >= 0 && value <= max)) throw this.#malformed(name);
    return value;
  }

  /** A decimal string. */
  bigint(name: string, min: bigint, max: bigint): bigint {
    const value = BigInt(this.text(name, /^(?:0|-?[1-9][0-9]*)$/, 40));
    if (value < min || value > max) throw this.#malformed(name);
    return value;
  }

  optionalBigint(name: string, min: bigint, max: bigint): bigint | undefined {
    return this.has(name) ? this.bigint(name, min, max) : undefined;
  }

  #malformed(name: string): RecordCorruptError {
    return new RecordCorruptError(`the member "${name}" of ${this.#name} is missing or wrong`);
  }
}
