/** The objects that are printed for programs; their parts have the engine's own shapes. */
import {
  type JsonObject,
  type RecordReport,
  type ResolvedReport,
  recordToJson,
  resolvedToJson,
  type ShownVersion,
} from "@fe/engine";

/** Answer of `recovery list`. */
export function listToJson(
  records: readonly RecordReport[],
  resolved: readonly ResolvedReport[],
): JsonObject {
  return { records: records.map(recordToJson), resolved: resolved.map(resolvedToJson) };
}

/** Answer of `recovery show`. */
export function shownToJson(shown: ShownVersion, content: Buffer, sha256: string): JsonObject {
  return {
    record: recordToJson(shown.record),
    version: shown.version,
    bytes: content.length,
    sha256,
    content_base64: content.toString("base64"),
  };
}
