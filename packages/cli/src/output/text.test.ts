import { FeError } from "@fe/engine";
import { describe, expect, it } from "vitest";
import { editResult, record, resolveResult, undoResult } from "../../../engine/test/samples.ts";
import {
  createColors,
  editNotes,
  editText,
  errorText,
  listText,
  resolveNotes,
  resolveText,
  undoNotes,
  undoText,
} from "./text.ts";
import { tellerFor } from "./words.ts";

const plain = createColors(false);
const shown = { storeOptions: [], tell: tellerFor("edit") };

describe("editText()", () => {
  it("says what was replaced, where, and the sizes", () => {
    expect(editText(editResult)).toBe(
      "Replaced 2 places in notes.md\n  at     3:7, 9:1\n  bytes  200 -> 202\n",
    );
  });

  it("shows the first places only", () => {
    const matches = Array.from({ length: 20 }, (_, index) => ({
      line: index + 1,
      column: 1,
      byteOffset: index * 2,
    }));
    expect(editText({ ...editResult, matches, replacements: 5000 })).toContain(
      "1:1, 2:1, 3:1, 4:1, 5:1, 6:1, 7:1, 8:1 and 4992 more\n",
    );
  });

  it("tells a dry run and an edit without effect apart from an edit", () => {
    const preview = { ...editResult, status: "unchanged", dryRun: true, replacements: 1 } as const;
    expect(editText(preview)).toMatch(/^Would replace 1 place in notes\.md\n/);
    const same = { ...editResult, status: "unchanged", afterSha256: "b".repeat(64) } as const;
    expect(editText(same)).toBe("notes.md already is as asked for: nothing to change\n");
  });

  it("escapes the name", () => {
    expect(editText({ ...editResult, path: "a\u001b]0;x\u0007\n\u202eb" })).toMatch(
      /^Replaced 2 places in a\\x1b\]0;x\\x07\\n\\u202eb\n/,
    );
  });

  it("has notes only where there is something to note", () => {
    expect(editNotes(editResult)).toBe("");
    const noted = {
      ...editResult,
      warnings: ["the record could not be removed"],
      metadataChanges: ["set-user-id bit was put back"],
      recovered: { recordId: record.id, decision: "the file was complete" },
    };
    expect(editNotes(noted)).toBe(
      "warning: the record could not be removed\n" +
        "note: set-user-id bit was put back\n" +
        "note: settled record 0123456789ab of an earlier edit: the file was complete\n",
    );
  });
});

describe("listText()", () => {
  it("shows a record with all that is known of it", () => {
    expect(listText([record], "/store", plain)).toMatchInlineSnapshot(`
      "0123456789ab  prepared  /home/someone/notes.md
        why       the owner is gone and the file holds neither version
        owner     pid 4242, gone: no process has this pid
        made      2023-11-14T22:13:20.123Z
        before    1 byte, sha256 bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
        after     202 bytes, sha256 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
        identity  volume 66306, file 4711, born 1700000000000000000 ns
        record    /home/someone/.config/fe/edit-recovery/0123.fer
      "
    `);
  });

  it("shows what little is known of one that cannot be read", () => {
    const unreadable = {
      id: "short",
      recordPath: "/store/short.fer",
      phase: "unreadable",
      why: "its header checksum is wrong",
    } as const;
    expect(listText([unreadable], "/store", plain)).toMatchInlineSnapshot(`
      "short  unreadable  (file not known)
        why     its header checksum is wrong
        record  /store/short.fer
      "
    `);
  });

  it("shortens ids only as far as they stay apart", () => {
    const other = { ...record, id: `${record.id.slice(0, 12)}ff` };
    const text = listText([record, other], "/store", plain);
    expect(text).toContain(record.id);
    expect(text).toContain(`${other.id}  prepared`);
    expect(listText([], "/store\n", plain)).toBe("No recovery records in /store\\n\n");
  });
});

describe("resolveText()", () => {
  it("says what the file holds, and where the rest went", () => {
    expect(resolveText(resolveResult)).toMatchInlineSnapshot(`
      "/home/someone/notes.md now holds the version before the edit
        saved   what it held until now: /home/someone/.config/fe/edit-recovery/saved/1.bytes
        record  moved to /home/someone/.config/fe/edit-recovery/saved/1.fer
      "
    `);
  });

  it("I10 does not say of a record that it is gone which could not be moved", () => {
    const { movedRecordTo: _, ...rest } = resolveResult;
    expect(resolveText(rest)).toContain("  record  removed\n");
    const text = resolveText({ ...rest, recordStands: true });
    expect(text).toContain("  record  could not be moved; see the warning\n");
    expect(resolveNotes({ ...rest, recordStands: true }, [])).not.toContain("instead");
  });

  it("says that nothing was written", () => {
    const { savedPath: _, ...rest } = resolveResult;
    const kept = { ...rest, kept: "current", status: "unchanged" } as const;
    expect(resolveText({ ...kept, movedRecordTo: "/store/saved/0123.fer" })).toBe(
      "/home/someone/notes.md is left as it is\n  record  moved to /store/saved/0123.fer\n",
    );
    // Of a file that is gone nothing can be said to be left as it is.
    const { before: __, after: ___, ...gone } = kept;
    expect(resolveText(gone)).toContain("Nothing was written to /home/someone/notes.md\n");
    const aside = { ...gone, movedRecordTo: "/store/saved/0123.fer" };
    const read = "To read its versions: fe recovery show 0123456789ab --version before --app x > ";
    expect(resolveNotes(aside, ["--app", "x"])).toContain(read);
    const unreadable = { ...aside, record: { ...aside.record, phase: "unreadable" as const } };
    expect(resolveNotes(unreadable, [])).not.toContain("To read");
  });
});

describe("undoNotes()", () => {
  it("B10 says that the same command takes it back, from the same store", () => {
    expect(undoNotes(undoResult, ["--app", "x y"])).toBe(
      "To take this back: fe recovery undo 0123456789ab --app 'x y'\n",
    );
  });

  it("B10 says nothing of it, and of no copy, where nothing was replaced", () => {
    const { savedPath: _, ...unchanged } = undoResult;
    expect(undoNotes({ ...unchanged, status: "unchanged" }, [])).toBe("");
    expect(undoText({ ...unchanged, status: "unchanged" })).not.toContain("saved");
    expect(undoText(undoResult)).toContain("saved");
  });
});

describe("errorText()", () => {
  it("Q5 names options and commands, and of a request its members", () => {
    const error = new FeError("FE_NO_MATCH", "It is not there", {
      hint: 'See `recovery.list`, `replaceAll`, `encoding: "gbk"`, `roots`',
    });
    expect(errorText(error, plain, shown)).toContain(
      "hint: See `fe recovery list`, `--replace-all`, `--encoding gbk`, `--root`",
    );
    expect(
      errorText(error, plain, { ...shown, tell: tellerFor("edit", { isRequest: true }) }),
    ).toContain('hint: See `fe recovery list`, `replace_all`, `encoding: "gbk"`, `--root`');
  });

  const text = (error: FeError): string => errorText(error, plain, shown);

  it("says what happened, then what to do", () => {
    const error = new FeError("FE_NOT_FOUND", 'Cannot edit "a\nb": no such file', {
      hint: "Check the name",
    });
    expect(text(error)).toBe(
      'error FE_NOT_FOUND: Cannot edit "a\\nb": no such file\nhint: Check the name\n',
    );
    expect(text(new FeError("FE_IO", "Cannot read", { hint: "" }))).toBe(
      "error FE_IO: Cannot read\n",
    );
  });

  it("says a reason once", () => {
    const reason = "line 1 differs in white space only";
    const miss = { editIndex: 0, count: 0, positions: [], reason };
    const error = new FeError("FE_NO_MATCH", `the old text is not there: ${reason}`, { miss });
    expect(errorText(error, createColors(false), shown).split(reason)).toHaveLength(2);
  });

  it("explains a miss by the nearest lines and the reason", () => {
    const error = new FeError("FE_NO_MATCH", 'Cannot edit "f": the text was not found', {
      miss: {
        editIndex: 0,
        count: 0,
        positions: [],
        reason: "the file has a tab where the text has spaces",
        nearest: [
          { line: 9, text: "\tfoo();" },
          { line: 120, text: "foo()" },
        ],
      },
      hint: "Copy the text from the file",
    });
    expect(text(error)).toMatchInlineSnapshot(`
      "error FE_NO_MATCH: Cannot edit "f": the text was not found
        nearest    9 | \\tfoo();
                 120 | foo()
        reason   the file has a tab where the text has spaces
      hint: Copy the text from the file
      "
    `);
  });

  it("shows what differs, with marks for what cannot be seen", () => {
    const error = new FeError("FE_NO_MATCH", "Cannot edit", {
      miss: {
        editIndex: 0,
        count: 0,
        positions: [],
        differing: [{ line: 9, there: "\tfoo(a,\u00a0b) ", given: "  foo(a,  b)" }],
      },
    });
    expect(text(error)).toContain("9 in the file | →foo(a,\\u00a0b)·\n");
    expect(text(error)).toContain("  as given    | ··foo(a,··b)\n");
  });

  it("lists the places of an ambiguity", () => {
    const error = new FeError("FE_AMBIGUOUS_MATCH", 'Cannot edit "f": found 3 times', {
      miss: {
        editIndex: 0,
        count: 3,
        positions: [
          { line: 1, column: 1, byteOffset: 0 },
          { line: 1, column: 2, byteOffset: 1 },
        ],
      },
    });
    expect(text(error)).toContain("\n  found at  1:1, 1:2 and 1 more\n");
  });

  it("S16 says of a failure, too, that it settled a record", () => {
    const recovered = { recordId: record.id, decision: "the file was complete" };
    const note = "\nnote: settled record 0123456789ab of an earlier edit: the file was complete\n";
    expect(text(new FeError("FE_NO_MATCH", "No", { recovered, hint: "h" }))).toContain(note);
    expect(text(new FeError("FE_RECOVERY_REQUIRED", "No", { recovered, record }))).toContain(note);
  });

  it("says that a file was put back", () => {
    const error = new FeError("FE_NO_SPACE", "Cannot write", { effect: "rolled_back" });
    expect(text(error)).toContain("\nThe file was put back as it was, and verified.\n");
  });

  it("shows the places where the addon was looked for, a line each", () => {
    const error = new FeError("FE_NATIVE_UNAVAILABLE", "No addon\nTried:\n  /a\u001b[0m");
    expect(text(error)).toBe("error FE_NATIVE_UNAVAILABLE: No addon\n  Tried:\n    /a\\x1b[0m\n");
  });

  it("says why a record stands only once", () => {
    const message = `Cannot edit "f": ${record.why}`;
    const said = text(new FeError("FE_RECOVERY_REQUIRED", message, { record }));
    expect(said.split(record.why)).toHaveLength(2);
  });

  it("colours only where asked to", () => {
    const error = new FeError("FE_IO", "x");
    expect(errorText(error, createColors(true), shown)).toContain(
      "\u001b[31merror\u001b[39m FE_IO",
    );
  });
});
