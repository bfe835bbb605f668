import { FeError, type NamedRecord } from "@fe/engine";
import { inWords, maxComparedBytes } from "@fe/engine/display";
import { describe, expect, it } from "vitest";
import {
  editResult,
  record,
  resolveResult,
  undoResult,
  unreadableRecord,
} from "../../../engine/test/samples.ts";
import { maxTextLength } from "../limits.ts";
import { shorten } from "./excerpt.ts";
import type { RecoveryGuide } from "./guidance.ts";
import { editText, errorText, hintOf, listText, resolveText, undoText } from "./text.ts";
import { toolWords } from "./words.ts";

const guide: RecoveryGuide = {
  allowResolve: false,
  storeOptions: ["--user-data-dir", "/home/some one/data"],
};

describe("editText()", () => {
  it("says what was replaced, where, and the file's hash", () => {
    expect(editText(editResult)).toBe(
      [
        "Replaced 2 places in notes.md, at line:column 3:7, 9:1.",
        "Bytes: 200 before, 202 after.",
        `SHA-256 of the file now: ${"a".repeat(64)}`,
      ].join("\n"),
    );
  });

  it("tells a dry run from an edit, with the hash that the file still has", () => {
    const text = editText({ ...editResult, status: "unchanged", dryRun: true });
    expect(text).toContain("Dry run: would replace 2 places");
    expect(text).toContain("b".repeat(64));
  });

  it("shows a diff, safe to read, and says if it is shortened", () => {
    const dry = { ...editResult, status: "unchanged", dryRun: true } as const;
    const withDiff = (bytes: Uint8Array): string =>
      editText({ ...dry, diff: { bytes, truncated: false } });
    expect(withDiff(Buffer.from("-\ta\n+\tb\u202e\n"))).toMatch(/\n-\ta\n\+\tb\\u202e$/);
    expect(withDiff(Uint8Array.of(0xff))).toContain("The diff is not UTF-8");
    const shortened = { bytes: Buffer.from("-a\n"), truncated: true };
    expect(editText({ ...dry, diff: shortened })).toMatch(/\n-a\n\(the diff is shortened/);
  });

  it("names few of many places, and passes warnings on", () => {
    const matches = Array.from({ length: 100 }, (_, i) => ({ line: i, column: 1, byteOffset: i }));
    const text = editText({ ...editResult, replacements: 100, matches, warnings: ["w\n"] });
    expect(text).toContain("7:1 and 92 more.");
    expect(text).toContain("Warning: w\\n");
  });
});

describe("errorText()", () => {
  it("Q5 names tools and arguments in a hint, as the structured answer does", () => {
    const hint = 'See `recovery.list`, `replaceAll`, `keep: "current"`';
    const told = 'See `recovery_list`, `replace_all`, `keep: "current"`';
    const error = new FeError("FE_NO_MATCH", "It is not there", { hint });
    expect(errorText(error, guide)).toContain(`Hint: ${told}`);
    expect(inWords(toolWords, hint)).toBe(told);
  });

  it("shows nearest lines as they can be copied, the reason, and what to do", () => {
    const error = new FeError("FE_NO_MATCH", 'Cannot edit "a": the old text is not there', {
      hint: "Read the file again",
      miss: {
        editIndex: 0,
        count: 0,
        positions: [],
        reason: "line 12 differs in white space only",
        nearest: [
          { line: 9, text: "\tdraft\u202e" },
          { line: 12, text: "draft  x" },
        ],
      },
    });
    expect(errorText(error, guide).split("\n")).toEqual([
      'FE_NO_MATCH: Cannot edit "a": the old text is not there',
      "Reason: line 12 differs in white space only.",
      "Nearest lines:",
      " 9 | \tdraft\\u202e",
      "12 | draft  x",
      "The file was not changed.",
      "Hint: Read the file again",
    ]);
  });

  it("says when the same call may succeed later", () => {
    expect(errorText(new FeError("FE_BUSY", "Cannot edit"), guide)).toContain(
      "The same call may succeed later.",
    );
  });

  it("S18 names the record and the three steps, in this order", () => {
    const error = new FeError("FE_RECOVERY_REQUIRED", "Cannot edit", { path: "a", record });
    const text = errorText(error, guide);
    const steps = [
      record.recordPath,
      "1. Save the file as it is now: recovery_show",
      "2. Look at the record's path, its identity (recovery_list) and both versions",
      "3. Restore the version that is meant, or merge the versions",
      "fe recovery resolve 0123456789ab --keep VERSION --user-data-dir '/home/some one/data'",
      `fe recovery merge ${record.id.slice(0, 12)} --user-data-dir '/home/some one/data' > MERGED`,
      `fe recovery resolve ${record.id.slice(0, 12)} --with MERGED`,
    ].map((step) => text.indexOf(step));
    expect(steps.every((at) => at >= 0)).toBe(true);
    expect([...steps].sort((a, b) => a - b)).toEqual(steps);
    expect(errorText(error, { ...guide, allowResolve: true })).toContain("recovery_resolve with");
  });

  it("S18 says of a doubtful record that reading the file proves nothing", () => {
    const doubtful = { ...record, phase: "doubtful" } as const;
    const text = errorText(
      new FeError("FE_RECOVERY_REQUIRED", "Cannot edit", { record: doubtful }),
      guide,
    );
    expect(text).toContain("may not be on its disk, so reading it proves nothing");
    expect(text.indexOf("A sync of the file failed")).toBeLessThan(text.indexOf("1. Save"));
    const plain = new FeError("FE_RECOVERY_REQUIRED", "Cannot edit", { record });
    expect(errorText(plain, guide)).not.toContain("A sync of the file failed");
  });

  it("does not promise to show or settle what tools do not reach", () => {
    const error = new FeError("FE_RECORD_UNSAFE", "Cannot edit", { record: unreadableRecord });
    const text = errorText(error, { ...guide, allowResolve: true });
    expect(text).not.toContain("recovery_");
    expect(text).toContain("fe recovery resolve ffffffffffff --keep current");
    expect(text).not.toMatch(/--keep VERSION|recovery merge|--version/u);
  });

  it("S18 offers only what is possible for the record, in the text and as the hint", () => {
    const ours = { ...guide, allowResolve: true };
    const told = (change: Partial<NamedRecord>, by: RecoveryGuide = ours): string => {
      const changed = { ...record, ...change };
      const error = new FeError("FE_RECOVERY_REQUIRED", "Cannot edit", { record: changed });
      const hint = hintOf(error, by) ?? "";
      const text = errorText(error, by);
      // Line by line as in the text, so that no command runs into the next one.
      expect(text).toContain(`\n${hint}`);
      return hint;
    };
    const replaced = told({ choices: ["current"] });
    expect(replaced).toContain("recovery_resolve with id 0123456789ab, keep current");
    expect(replaced).not.toMatch(/that version as keep|as content|--with/u);
    const damaged = told({ choices: ["current"], phase: "unreadable" });
    expect(damaged).toContain("recovery_show with id 0123456789ab and version current");
    expect(damaged).not.toMatch(/version before|version after/u);
    const refused = told({ choices: ["current"] }, guide);
    expect(refused).toContain("fe recovery resolve 0123456789ab --keep current");
    expect(refused).not.toContain("recovery_resolve");
    const large = told({ before: { sizeBytes: 300_000, sha256: "b".repeat(64) } });
    expect(large).toContain("fe recovery show 0123456789ab --version before");
    expect(large).toContain("which gives its sha256 all the same");
    expect(told({})).not.toContain("--version");
    expect(told({})).toContain("a merge may be meant: give it, whole, as\n");
  });

  it("S18 names no command or argument that is refused for large versions", () => {
    const told = (sizeBytes: number, by: RecoveryGuide): string => {
      const after = { sizeBytes, sha256: "b".repeat(64) };
      const details = { record: { ...record, after } };
      return hintOf(new FeError("FE_RECOVERY_REQUIRED", "Cannot edit", details), by) ?? "";
    };
    const command = /^ {5}fe recovery resolve 0123456789ab --with \w+ .*$/mu;
    expect(told(maxComparedBytes, guide)).toMatch(/^ {5}fe recovery merge 0123456789ab .*$/mu);
    const byHand = told(maxComparedBytes + 1, guide);
    expect(byHand).not.toContain("recovery merge");
    expect(byHand).toMatch(command);
    const ours = { ...guide, allowResolve: true };
    expect(told(maxTextLength, ours)).toContain("   content, in place of keep");
    expect(told(maxTextLength, ours)).not.toMatch(command);
    const byFile = told(maxTextLength + 1, ours);
    expect(byFile).not.toContain("in place of keep");
    expect(byFile).toMatch(command);
  });

  it("names the command where the tool is refused, and nothing of the file where none is", () => {
    const hint = "See `recovery.resolve`";
    const error = new FeError("FE_BUSY", "Cannot", { hint, record });
    expect(errorText(error, guide)).toContain("Hint: See the command `fe recovery resolve`\n");
    const ours = { ...guide, allowResolve: true };
    expect(errorText(error, ours)).toContain("Hint: See `recovery_resolve`\n");
    expect(errorText(error, ours, true)).not.toContain("The file was not changed");
    const choices = ["current"] as const;
    const replaced = { record: { ...record, choices } };
    expect(errorText(new FeError("FE_TARGET_REPLACED", "No", replaced), ours)).not.toContain(
      "may succeed later",
    );
  });

  it("names the option of the server that refuses links", () => {
    const hint = "`followSymlinks` is what refuses links";
    const error = new FeError("FE_LINK_REFUSED", "It is a link", { hint });
    expect(hintOf(error, guide)).toBe(
      "`--no-follow-symlinks` of this server is what refuses links",
    );
  });

  it("says that a person reaches what is outside of the roots", () => {
    const hint = "files outside of `roots` do not count";
    const error = new FeError("FE_NOT_FOUND", "There is none", { hint });
    const roots = "the roots of this server (a person reaches them with the command `fe recovery`)";
    expect(hintOf(error, guide)).toBe(hint.replace("`roots`", roots));
  });

  it("says that an unknown outcome may have changed the file", () => {
    const details = { record, effect: "unknown" } as const;
    expect(errorText(new FeError("FE_OUTCOME_UNKNOWN", "Began", details), guide)).toContain(
      "The file may hold part of the new text.",
    );
  });
});

describe("listText(), resolveText()", () => {
  it("are short", () => {
    expect(listText([])).toBe("No recovery records: no edit was left unfinished.");
    expect(listText([record, unreadableRecord])).toContain("unreadable (file not known)");
    const held = listText([{ ...record, holds: "before" }]);
    expect(held).toContain(
      "0123456789ab prepared /home/someone/notes.md\n  Why: the owner is gone",
    );
    expect(held).toContain("neither version. The file holds the version before the edit.\n");
    // Step 2 of what a person is to do sends whoever reads only the text here.
    expect(held).toContain(
      `\n  Record: ${record.recordPath}\n` +
        "  Identity: volume 66306, file 4711, born 1700000000000000000 ns since 1970\n",
    );
    const nameless = listText([unreadableRecord]);
    expect(nameless).toContain(`\n  Record: ${unreadableRecord.recordPath}\n`);
    expect(nameless).not.toContain("Identity");
    expect(held).not.toContain(record.id);
    const alike = { ...record, id: `${record.id.slice(0, 63)}0` };
    expect(listText([record, alike])).toContain(`${record.id} prepared`);
    expect(listText(Array.from({ length: 25 }, () => record))).toContain("and 5 more");
    expect(resolveText(resolveResult)).toContain("saved at");
    const { movedRecordTo: _, ...rest } = resolveResult;
    expect(resolveText(rest)).toContain("The record was removed.");
    const standing = resolveText({ ...rest, recordStands: true });
    expect(standing).toContain("The record could not be moved");
    expect(standing).not.toContain("recovery_undo with keep");
  });
});

describe("undoText()", () => {
  it("B10 tells of a copy only if something was replaced", () => {
    expect(undoText(undoResult)).toContain("recovery_undo with the same id");
    const { savedPath: _, ...unchanged } = undoResult;
    const told = undoText({ ...unchanged, status: "unchanged" });
    expect(told).not.toMatch(/saved|recovery_undo/u);
  });
});

describe("shorten()", () => {
  it("cuts between characters", () => {
    expect(shorten("😀😀😀", 2)).toBe("😀😀…");
  });
});
