/** One object for programs. Apart from `json.ts`, which needs the engine. */
import type { JsonObject } from "@fe/engine";

/** The object on one line, and a line break. */
export function jsonLine(object: JsonObject): string {
  return `${JSON.stringify(object)}\n`;
}
