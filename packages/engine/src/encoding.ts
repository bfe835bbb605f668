/** The encoding that a request names. */
import { FeError } from "./errors.ts";
import type { TextCodec } from "./matching/text-form.ts";

function invalid(path: string, message: string, hint: string): FeError {
  return new FeError("FE_INVALID_REQUEST", message, { path, hint });
}

const encodingNames =
  "utf-8, utf-16le, utf-16be, windows-1252, iso-8859-1, gbk, shift_jis, euc-kr, big5";

/**
 * The codec of a request's `encoding`; `undefined` for UTF-8. Errors: `FE_INVALID_REQUEST`,
 * `FE_UNSUPPORTED`.
 */
export async function codecOf(path: string, encoding: string): Promise<TextCodec | undefined> {
  const hint = `Name an encoding such as ${encodingNames}`;
  if (typeof encoding !== "string") {
    throw invalid(path, `Cannot edit "${path}": encoding must be text`, hint);
  }
  // Not needed for most edits, and so no part of the start.
  const { findCodec, isUtf8Name } = await import("./matching/codec.ts");
  if (isUtf8Name(encoding)) return undefined;
  const found = await findCodec(encoding);
  if (typeof found === "object") return found;
  if (found === "no-library") {
    throw new FeError(
      "FE_UNSUPPORTED",
      `Cannot edit "${path}" as ${encoding}: the package iconv-lite cannot be loaded`,
      { path, hint: "Install it, or convert the file to UTF-8 first" },
    );
  }
  const shown = encoding.slice(0, 64);
  if (found === "unknown") {
    throw invalid(path, `Cannot edit "${path}": there is no encoding "${shown}"`, hint);
  }
  throw invalid(
    path,
    `Cannot edit "${path}": ${shown} is no encoding in which ASCII characters are bytes`,
    "UTF-16 is utf-16le, utf-16be, or utf-16 for what the byte order mark says; " +
      "convert a file of UTF-32 or UTF-7 to UTF-8 first",
  );
}
