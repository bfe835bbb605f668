/**
 * Texts of a request as bytes of the file, and the refusals that this can lead to.
 *
 * In a file that is not UTF-8 only ASCII means the same in every encoding that it may have.
 */
import { refuseLikelyUtf16 } from "./file-encoding.ts";
import { inStyle } from "./line-endings.ts";
import { type EncodedEdit, type LocateContext, labelOf } from "./locate-context.ts";
import { MatchError } from "./match-error.ts";
import type { TextEdit } from "./text-edit.ts";
import { type FileForm, isAsciiText } from "./text-form.ts";

/** What to do about an encoding that is not known. */
export const giveEncoding: string =
  "Say in which encoding the file is (`encoding`), such as windows-1252, gbk, " +
  "shift_jis or utf-16le; or convert it to UTF-8 first";

/** The edit in the file's line style, if there is one and it is wanted, and in its encoding. */
export function encodeEdit(
  context: LocateContext,
  index: number,
  edit: TextEdit,
  form: FileForm,
): EncodedEdit {
  const style = context.options.lineEndings === "match-file" ? form.lineStyle : "not-examined";
  const oldText = inStyle(edit.oldString, style);
  const newText = inStyle(edit.newString, style);
  return {
    index,
    edit,
    oldText,
    newText,
    oldBytes: encodeText(context, index, oldText),
    newBytes: encodeText(context, index, newText),
  };
}

/**
 * Errors: `MatchError` of kind `invalid-encoding` if the encoding lacks a character of the text.
 */
export function encodeText(context: LocateContext, index: number, text: string): Uint8Array {
  const { codec } = context.options;
  if (codec === undefined) return Buffer.from(text, "utf8");
  const bytes = codec.encode(text);
  if (bytes !== undefined) return bytes;
  throw new MatchError({
    kind: "invalid-encoding",
    editIndex: index,
    message: `a text of edit ${index + 1} has a character that ${codec.name} lacks`,
    hint: `Use only characters of ${codec.name}, or name another one (\`encoding\`)`,
  });
}

/**
 * Refuses a file that is UTF-16 by its looks, and texts that are not ASCII in a file that is not
 * UTF-8, if nobody named the encoding.
 */
export function refuseEncoding(context: LocateContext, form: FileForm): void {
  const { codec, isEncodingNamed = false } = context.options;
  if (form.looksLike !== undefined && !isEncodingNamed) throw refuseLikelyUtf16(form.looksLike);
  if (form.isUtf8 || codec !== undefined) return;
  for (const [index, { oldString, newString }] of context.edits.entries()) {
    const isOldAscii = isAsciiText(oldString);
    if (isOldAscii && isAsciiText(newString)) continue;
    const label = labelOf(context, index);
    throw new MatchError({
      kind: "invalid-encoding",
      editIndex: index,
      message:
        "the file is not UTF-8, and " +
        `${isOldAscii ? label.replace("old", "new") : label} is not plain ASCII`,
      hint: giveEncoding,
    });
  }
}
