// What a person is told to do about a record, as `errorText()` shows it.
import { FeError, type Version } from "@fe/engine";
import { maxComparedBytes } from "@fe/engine/display";
import { describe, expect, it } from "vitest";
import { record, recoveryRequired } from "../../../engine/test/samples.ts";
import { createColors, errorText } from "./text.ts";
import { tellerFor } from "./words.ts";

const plain = createColors(false);
const shown = { storeOptions: [], tell: tellerFor("edit") };
const text = (error: FeError): string => errorText(error, plain, shown);

describe("guidance", () => {
  it("S18 says of a doubtful record what is different, before the steps", () => {
    const doubtful = { ...record, phase: "doubtful" } as const;
    const said = text(new FeError("FE_RECOVERY_REQUIRED", "Cannot edit", { record: doubtful }));
    expect(said).toContain("A sync of the file failed: what it shows may not be on its disk.");
    expect(said.indexOf("Every choice of step 3")).toBeLessThan(said.indexOf("  1. Save"));
    const plainly = text(new FeError("FE_RECOVERY_REQUIRED", "Cannot edit", { record }));
    expect(plainly).not.toContain("A sync of the file failed");
  });

  it("S18 leads through a recovery in order, with commands that keep to the store", () => {
    expect(
      errorText(recoveryRequired, plain, { ...shown, storeOptions: ["--app", "x y"] }),
    ).toMatchInlineSnapshot(`
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
           or side by side, in a program of yours:
             fe recovery diff 0123456789ab --from current --to after --tool meld --app 'x y'
        3. Restore the version you mean, by one of these:
             fe recovery resolve 0123456789ab --keep before --app 'x y'
             fe recovery resolve 0123456789ab --keep after --app 'x y'
             fe recovery resolve 0123456789ab --keep current --app 'x y'
           or, if somebody else changed the file too, merge them: look at what is
           proposed, or make the file by hand, and give it:
             fe recovery merge 0123456789ab --app 'x y' > ./notes.md.fe-merged
             fe recovery resolve 0123456789ab --with ./notes.md.fe-merged --app 'x y'
      "
    `);
  });

  it("S18 shows only commands that can work, where the file is another one by now", () => {
    const { code, message } = recoveryRequired;
    const choices = ["current"] as const;
    const told = errorText(
      new FeError(code, message, { record: { ...record, choices } }),
      plain,
      shown,
    );
    expect(told).toContain("Save the file as it is now, if there is one:");
    expect(told).toContain("resolve 0123456789ab --keep current\n");
    expect(told).not.toMatch(/--keep (?:before|after)|--with|--(?:from|to) current/u);
  });

  it("S18 leaves out what fails for large versions, and offers a program for them", () => {
    const { code, message } = recoveryRequired;
    const told = (sizeBytes: number, choices?: readonly Version[]): string => {
      const after = { sizeBytes, sha256: "a".repeat(64) };
      const large = { ...record, after, ...(choices === undefined ? {} : { choices }) };
      return text(new FeError(code, message, { record: large }));
    };
    const bare = /recovery (?:merge|diff (?!.*--tool))/u;
    expect(told(maxComparedBytes)).toMatch(bare);
    const large = told(maxComparedBytes + 1);
    expect(large).not.toMatch(bare);
    expect(large).toContain("recovery diff 0123456789ab --from current --to after --tool meld\n");
    expect(large).toContain("resolve 0123456789ab --with ./notes.md.fe-merged\n");
    const replaced = told(maxComparedBytes + 1, ["current"]);
    expect(replaced).not.toMatch(bare);
    expect(replaced).toContain("diff 0123456789ab --from before --to after --tool meld\n");
  });

  it("S18 says that the commands go by the record's name, where another was asked for", () => {
    const { code, message } = recoveryRequired;
    const told = (path: string): string => text(new FeError(code, message, { path, record }));
    const note = "If it was\nrenamed since, give it that name again first.";
    expect(told("sub/moved.md")).toContain(note);
    expect(told("sub/moved.md")).toContain("  file    /home/someone/notes.md");
    expect(told("./notes.md")).not.toContain(note);
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

  it("S18 offers a mode for a record that others could read, and none if they could write", () => {
    const told = (why: string): string => {
      const { id, recordPath } = record;
      const unreadable = { id, recordPath, phase: "unreadable", why } as const;
      const details = { path: "f", record: unreadable };
      return text(new FeError("FE_RECORD_UNSAFE", 'Cannot edit "f"', details));
    };
    const mode = `chmod 600 -- ${record.recordPath}\n`;
    const readable = told(
      "the record can be read by others (mode 644; with mode 600 it is trusted)",
    );
    expect(readable).toContain(mode);
    expect(readable).toContain("resolve 0123456789ab --keep current\n");
    expect(told("the record can be written by others (mode 666)")).not.toContain("chmod");
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

  it("S18 takes a record that cannot be read for no file of its own", () => {
    const { recordPath } = record;
    const unreadable = { id: record.id, recordPath, phase: "unreadable", why: "torn" } as const;
    const details = { path: recordPath, record: unreadable };
    const told = text(new FeError("FE_RECORD_UNSAFE", "Cannot show version", details));
    expect(told).toContain("The record does not say which it is");
    expect(told).not.toMatch(/^ {2}file |cp -p/mu);
  });
});
