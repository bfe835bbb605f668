import { FeError } from "@fe/engine";
import { describe, expect, it } from "vitest";
import {
  editResult,
  record,
  recoveryRequired,
  resolveResult,
} from "../../../engine/test/samples.ts";
import { createColors, editNotes, editText, errorText, listText, resolveText } from "./text.ts";

const plain = createColors(false);

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
    expect(listText([record], plain)).toMatchInlineSnapshot(`
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
    expect(listText([unreadable], plain)).toMatchInlineSnapshot(`
      "short  unreadable  (file not known)
        why     its header checksum is wrong
        record  /store/short.fer
      "
    `);
  });

  it("shortens ids only as far as they stay apart", () => {
    const other = { ...record, id: `${record.id.slice(0, 12)}ff` };
    const text = listText([record, other], plain);
    expect(text).toContain(record.id);
    expect(text).toContain(`${other.id}  prepared`);
    expect(listText([], plain)).toBe("No recovery records\n");
  });
});

describe("resolveText()", () => {
  it("says what the file holds, and where the rest went", () => {
    expect(resolveText(resolveResult)).toMatchInlineSnapshot(`
      "/home/someone/notes.md now holds the version before the edit
        saved   what it held until now: /home/someone/.config/fe/edit-recovery/saved/1
        record  removed
      "
    `);
  });

  it("says that nothing was written", () => {
    const { savedPath: _, ...rest } = resolveResult;
    const kept = { ...rest, kept: "current", status: "unchanged" } as const;
    expect(resolveText({ ...kept, movedRecordTo: "/store/saved/0123.fer" })).toBe(
      "/home/someone/notes.md is left as it is\n  record  moved to /store/saved/0123.fer\n",
    );
  });
});

describe("errorText()", () => {
  const text = (error: FeError): string => errorText(error, plain, []);

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

  it("S18 says of a doubtful record what is different, before the steps", () => {
    const doubtful = { ...record, phase: "doubtful" } as const;
    const said = text(new FeError("FE_RECOVERY_REQUIRED", "Cannot edit", { record: doubtful }));
    expect(said).toContain("A sync of the file failed: what it shows may not be on its disk.");
    expect(said.indexOf("Every choice of step 3")).toBeLessThan(said.indexOf("  1. Save"));
    const plainly = text(new FeError("FE_RECOVERY_REQUIRED", "Cannot edit", { record }));
    expect(plainly).not.toContain("A sync of the file failed");
  });

  it("says a reason once", () => {
    const reason = "line 1 differs in white space only";
    const miss = { editIndex: 0, count: 0, positions: [], reason };
    const error = new FeError("FE_NO_MATCH", `the old text is not there: ${reason}`, { miss });
    expect(errorText(error, createColors(false), []).split(reason)).toHaveLength(2);
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

  it("says that a file was put back", () => {
    const error = new FeError("FE_NO_SPACE", "Cannot write", { effect: "rolled_back" });
    expect(text(error)).toContain("\nThe file was put back as it was, and verified.\n");
  });

  it("S18 leads through a recovery in order, with commands that keep to the store", () => {
    expect(errorText(recoveryRequired, plain, ["--app", "x y"])).toMatchInlineSnapshot(`
      "error FE_RECOVERY_REQUIRED: Cannot edit "notes.md": an earlier edit was cut short
      This one changed nothing. The record of the earlier edit is kept until you decide.
        file    /home/someone/notes.md
        record  /home/someone/.config/fe/edit-recovery/0123.fer
        why     the owner is gone and the file holds neither version

      What to do, in this order:
        1. Save the file as it is now:
             fe recovery show 0123456789ab --version current --app 'x y' > ./notes.md.fe-current
        2. Look at the record's path, its identity and both versions:
             fe recovery list --app 'x y'
             fe recovery show 0123456789ab --version before --app 'x y' > ./notes.md.fe-before
             fe recovery show 0123456789ab --version after --app 'x y' > ./notes.md.fe-after
             fe recovery diff 0123456789ab --from before --to current --app 'x y'
             fe recovery diff 0123456789ab --from current --to after --app 'x y'
        3. Restore the version you mean; or merge both in a file of your own, and give that:
             fe recovery resolve 0123456789ab --keep before --app 'x y'
             fe recovery resolve 0123456789ab --keep after --app 'x y'
             fe recovery resolve 0123456789ab --keep current --app 'x y'
             fe recovery resolve 0123456789ab --with ./notes.md.fe-merged --app 'x y'
      "
    `);
  });

  it("S18 shows only commands that can work, where the file is another one by now", () => {
    const { code, message } = recoveryRequired;
    const choices = ["current"] as const;
    const shown = errorText(
      new FeError(code, message, { record: { ...record, choices } }),
      plain,
      [],
    );
    expect(shown).toContain("Save the file as it is now, if there is one:");
    expect(shown).toContain("resolve 0123456789ab --keep current\n");
    expect(shown).not.toMatch(/--keep (?:before|after)|--with|--(?:from|to) current/u);
  });

  it("S18 offers no version of a record that cannot be read", () => {
    const error = new FeError("FE_RECORD_UNSAFE", 'Cannot edit "-n": its record is malformed', {
      path: "-n",
      record: {
        id: record.id,
        recordPath: record.recordPath,
        phase: "unreadable",
        why: "its header checksum is wrong",
      },
    });
    expect(text(error)).toMatchInlineSnapshot(`
      "error FE_RECORD_UNSAFE: Cannot edit "-n": its record is malformed
      This one changed nothing. The record of an earlier edit cannot be trusted, and is kept.
        file    -n
        record  /home/someone/.config/fe/edit-recovery/0123.fer
        why     its header checksum is wrong

      What to do, in this order:
        1. Save the file as it is now:
             cp -p -- -n ./-n.fe-current
        2. Look at the record's path, its identity and both versions, as far as they can be read:
             fe recovery list
        3. Restore or merge the version you mean, then keep the current one. The file is left
           as it is and the record is moved aside, not removed:
             fe recovery resolve 0123456789ab --keep current
      "
    `);
  });

  it("S18 shows no command for a file that no record names", () => {
    const { id, recordPath } = record;
    const unreadable = { id, recordPath, phase: "unreadable", why: "it is malformed" } as const;
    const error = new FeError("FE_RECORD_UNSAFE", "Cannot show it", { record: unreadable });
    expect(text(error)).toContain("\n  1. Save the file as it is now. The record does not say");
    expect(text(error)).not.toContain("--version current");
  });

  it("S18 says of an edit of unknown outcome what the file may hold", () => {
    const error = new FeError("FE_OUTCOME_UNKNOWN", 'Cannot verify "f"', {
      effect: "unknown",
      record,
    });
    expect(text(error)).toContain("\nThe file may hold part of the new text.");
    expect(text(error)).toContain("\n  1. Save the file as it is now:\n");
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
    expect(errorText(error, createColors(true), [])).toContain("\u001b[31merror\u001b[39m FE_IO");
  });
});
