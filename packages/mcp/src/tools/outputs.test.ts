// Every outcome meets its tool's output schema, as a client checks it, and every member is named
// there.
import {
  type EditResult,
  editResultToJson,
  errorCodes,
  errorToJson,
  FeError,
  type FeErrorCode,
  type JsonObject,
  type RecordReport,
  recordToJson,
  resolvedToJson,
  resolveResultToJson,
  undoResultToJson,
} from "@fe/engine";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  editResult,
  record,
  resolvedRecord,
  resolveResult,
  unreadableRecord,
} from "../../../engine/test/samples.ts";
import { answerCall, tools } from "../answers.ts";
import type { CallContext, Tool } from "./tool.ts";

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

function schemaOf(tool: Tool): Schema & { type: "object" } {
  return tool.definition.outputSchema as Schema & { type: "object" };
}

/** Members that no schema names. */
function unnamed(value: unknown, schema: Schema | undefined, where = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => unnamed(item, schema?.items, where));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const named = schema?.properties?.[name];
    return named === undefined ? [`${where}${name}`] : unnamed(member, named, `${where}${name}.`);
  });
}

function toolNamed(name: string): Tool {
  const tool = tools.find(({ definition }) => definition.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}`);
  return tool;
}

// Making one takes longer than a hundred checks.
const validators = new Map(
  tools.map((tool) => [tool, new AjvJsonSchemaValidator().getValidator(schemaOf(tool))]),
);

/** Checks what the client gets, which has been JSON. */
function expectAccepted(tool: Tool, object: JsonObject): void {
  const sent: unknown = JSON.parse(JSON.stringify(object));
  expect(validators.get(toolNamed(tool.definition.name))?.(sent)).toMatchObject({ valid: true });
  expect(unnamed(sent, schemaOf(tool))).toEqual([]);
}

const sha256 = fc.stringMatching(/^[0-9a-f]{64}$/);
const size = fc.nat();
const version = fc.record({ sizeBytes: size, sha256 });
const path = fc.string({ unit: "binary", minLength: 1 });
const identity = fc.record(
  {
    volume: fc.bigInt({ min: 0n }),
    file: fc.bigInt({ min: 0n }),
    birthTimeNs: fc.bigInt({ min: 0n }),
  },
  { requiredKeys: ["volume", "file"] },
) as unknown as fc.Arbitrary<EditResult["identity"]>;
const match = fc.record({ line: size, column: size, byteOffset: size });

const anyRecord = fc.record(
  {
    id: sha256,
    recordPath: path,
    phase: fc.constantFrom("prepared", "committed", "doubtful", "unreadable"),
    why: fc.string(),
    path,
    transactionId: fc.uuid(),
    identity,
    owner: fc.record({
      pid: fc.nat(),
      state: fc.constantFrom("alive", "gone", "unknown"),
      why: fc.string(),
    }),
    createdMs: fc.integer(),
    before: version,
    after: version,
    holds: fc.constantFrom("before", "neither", "nothing", "another-file", "not-looked-at"),
    choices: fc.constant(["before", "after", "current"]),
  },
  { requiredKeys: ["id", "recordPath", "phase", "why"] },
) as fc.Arbitrary<RecordReport>;

const anyEditResult = fc.record(
  {
    status: fc.constantFrom("applied", "unchanged"),
    path,
    realPath: path,
    identity,
    replacements: size,
    matches: fc.array(match),
    matchesTruncated: fc.boolean(),
    beforeSha256: sha256,
    afterSha256: sha256,
    bytesBefore: size,
    bytesAfter: size,
    exclusion: fc.constant("cooperative"),
    durability: fc.constantFrom("synced", "none"),
    diff: fc.record(
      {
        bytes: fc.uint8Array(),
        truncated: fc.boolean(),
        transcodedFrom: fc.constantFrom("utf-16le", "utf-16be"),
      },
      { requiredKeys: ["bytes", "truncated"] },
    ),
    lineEndings: fc.constantFrom("lf", "crlf", "cr", "mixed", "none", "not-examined"),
    metadataChanges: fc.array(fc.string()),
    recovered: fc.record({ recordId: sha256, decision: fc.string() }),
    dryRun: fc.boolean(),
    warnings: fc.array(fc.string()),
  },
  {
    requiredKeys: [
      ...(["status", "path", "realPath", "identity", "replacements", "matches"] as const),
      ...(["matchesTruncated", "beforeSha256", "afterSha256", "bytesBefore"] as const),
      ...(["bytesAfter", "exclusion", "durability", "lineEndings"] as const),
      ...(["metadataChanges", "dryRun", "warnings"] as const),
    ],
  },
) as fc.Arbitrary<EditResult>;

const anyError = fc
  .record({
    code: fc.constantFrom(...(Object.keys(errorCodes) as FeErrorCode[])),
    message: fc.string(),
    effect: fc.constantFrom("none", "rolled_back", "unknown"),
    path: fc.option(path, { nil: undefined }),
    hint: fc.option(fc.string(), { nil: undefined }),
    record: fc.option(anyRecord, { nil: undefined }),
    miss: fc.option(
      fc.record({
        editIndex: size,
        count: size,
        positions: fc.array(match),
        reason: fc.string(),
        nearest: fc.array(fc.record({ line: size, text: fc.string() })),
        differing: fc.array(fc.record({ line: size, there: fc.string(), given: fc.string() })),
      }),
      { nil: undefined },
    ),
    recovered: fc.option(fc.record({ recordId: sha256, decision: fc.string() }), {
      nil: undefined,
    }),
  })
  .map(({ code, message, ...details }) => {
    const given = Object.entries(details).filter(([, value]) => value !== undefined);
    return new FeError(code, message, Object.fromEntries(given));
  });

describe("output schemas", () => {
  it("accept whatever an edit answers", () => {
    const edit = toolNamed("edit_file");
    fc.assert(
      fc.property(anyEditResult, (result) => expectAccepted(edit, editResultToJson(result))),
      { numRuns: 50 },
    );
    expectAccepted(edit, editResultToJson(editResult));
  });

  it("accept whatever records there are", () => {
    const list = toolNamed("recovery_list");
    const resolved = [resolvedRecord, { id: "0", path: "/\udcff", savedMs: 1 }].map(resolvedToJson);
    const accept = (records: readonly RecordReport[]): void =>
      expectAccepted(list, { records: records.map(recordToJson), resolved });
    fc.assert(fc.property(fc.array(anyRecord, { maxLength: 3 }), accept), { numRuns: 50 });
    accept([record, unreadableRecord]);
  });

  it("accept a resolution, with all members and with few", () => {
    const resolve = toolNamed("recovery_resolve");
    expectAccepted(resolve, resolveResultToJson(resolveResult));
    expectAccepted(
      resolve,
      resolveResultToJson({
        status: "unchanged",
        record: unreadableRecord,
        kept: "current",
        path: undefined,
        movedRecordTo: "/home/someone/saved",
        warnings: ["w"],
      }),
    );
  });

  it("accept a resolution with bytes that were given, and what takes it back", () => {
    const given = resolveResultToJson({ ...resolveResult, kept: "given" });
    expectAccepted(toolNamed("recovery_resolve"), given);
    const undo = toolNamed("recovery_undo");
    fc.assert(
      fc.property(anyEditResult, path, (result, savedPath) =>
        expectAccepted(undo, undoResultToJson({ ...result, recordId: record.id, savedPath })),
      ),
      { numRuns: 50 },
    );
  });

  for (const tool of tools) {
    it(`accept every failure of ${tool.definition.name}`, () => {
      fc.assert(
        fc.property(anyError, (error) => expectAccepted(tool, errorToJson(error))),
        { numRuns: 50 },
      );
    });

    it(`accept a fault in ${tool.definition.name}`, async () => {
      const faults: string[] = [];
      const broken: Tool = { ...tool, call: () => Promise.reject(new TypeError("x\u202e is not")) };
      const context = {} as CallContext;
      const answer = await answerCall(broken, {}, context, (fault) => faults.push(fault));
      expectAccepted(tool, answer.structuredContent ?? {});
      expect(answer).toMatchObject({
        isError: true,
        structuredContent: { status: "failed", error: { code: "INTERNAL", effect: "unknown" } },
      });
      expect(faults).toEqual([`fault in ${tool.definition.name}: TypeError: x\\u202e is not`]);
    });
  }
});
