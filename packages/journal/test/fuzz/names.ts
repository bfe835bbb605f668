/**
 * Fuzz target: names in the store, and paths that are not UTF-8. A name that is taken apart is put
 * together again to the same name, and the bytes of a path survive being text.
 */
import { bytesToPath, isUtf8Path, pathToBytes } from "@fe/native";
import { type FuzzTarget, must } from "../../../../scripts/fuzz/target.mjs";
import {
  isKey,
  legacyRecordName,
  lockName,
  parseSavedName,
  parseStoreName,
  recordName,
  type StoreName,
} from "../../src/file-names.ts";

function isPutTogether(parsed: StoreName, name: string): boolean {
  switch (parsed.kind) {
    case "record":
      return name === (parsed.form === "json" ? legacyRecordName : recordName)(parsed.stem);
    case "unpublished":
      return name.startsWith(`${parsed.stem}.`) && /^.{64}\.[0-9a-f-]{36}\.tmp$/.test(name);
    case "tombstone":
      return new RegExp(`^${parsed.stem}\\.${parsed.madeFor}\\.[0-9a-f]+\\.reap$`).test(name);
  }
}

async function check(input: Buffer): Promise<boolean> {
  const name = bytesToPath(input);
  must(pathToBytes(name).equals(input), "the bytes of a path do not survive");
  const isText = Buffer.from(input.toString("utf8"), "utf8").equals(input);
  must(isUtf8Path(name) === isText, "takes a path for text that is none, or the other way round");
  const parsed = parseStoreName(name);
  const saved = parseSavedName(name);
  must(parsed === undefined || saved === undefined, "one name in two places");
  if (saved !== undefined) {
    must(name === `${saved.group}.${saved.ending}`, "takes a saved name apart otherwise");
    must(isKey(saved.id) && saved.group.startsWith(saved.id), "tells another record");
    must(Number.isSafeInteger(saved.savedMs) && saved.savedMs >= 0, "tells no time");
  }
  if (parsed === undefined) return saved !== undefined;
  must(isKey(parsed.stem), "gives a stem that is none");
  must(isPutTogether(parsed, name), "takes a name apart that it would not make");
  must(name !== lockName(parsed.stem), "takes a lock for a record");
  return true;
}

const stem = "0123456789abcdef".repeat(4);
const id = "0f8b8f0e-7d5c-4b5a-9b1e-1f2a3b4c5d6e";

export const target: FuzzTarget = {
  name: "names",
  form: "bytes",
  words: [".fer", ".json", ".tmp", ".reap", ".lock", ".bytes", ".note", stem, id, "0123456789ab"],
  maxBytes: 200,
  seeds: () =>
    [
      ...[`${stem}.fer`, `${stem}.json`, `${stem}.${id}.tmp`, `${stem}.lock`],
      ...[`${stem}.${id}.0123456789ab.reap`, `${stem}.${stem}.0123456789ab.reap`],
      ...[`${stem}.1796000000000.0123456789ab.bytes`, `${stem}.1796000000000.0123456789ab.note`],
      ...["\u00e9\u20ac\u{1f600}", "a/b\0c"],
    ]
      .map((name) => Buffer.from(name))
      .concat([Buffer.from("ff80c3a9edb280f0808080", "hex")]),
  check,
};
