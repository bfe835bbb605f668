// `diff` of a result, and what `beforeCommit` is shown.
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { applyPatch } from "../../test/apply-patch.ts";
import { failureOf, Place } from "../../test/place.ts";
import { editResultToJson } from "../json.ts";

describe("edit() and preview() with diff", () => {
  it("B6 say what changes: the preview, and the edit after it, the same", async () => {
    const place = new Place();
    const engine = await place.engine();
    const path = place.path("f");
    const before = Buffer.from("a\r\nb\xe4\r\nc", "latin1");
    writeFileSync(path, before);
    const request = {
      path,
      edits: [
        { oldString: "a", newString: "1" },
        { oldString: "c", newString: "2\n" },
      ],
    };
    const preview = await engine.preview(request, { diff: true });
    expect(readFileSync(path)).toEqual(before);
    const result = await engine.edit(request, { diff: true });
    expect(result.diff).toEqual(preview.diff);
    expect(applyPatch(before, result.diff?.bytes ?? before)).toEqual(readFileSync(path));
    expect((await engine.preview({ path, oldString: "2", newString: "3" })).diff).toBeUndefined();
  });

  it("B6 gives JSON text where it is text, and base64 where it is not", async () => {
    const place = new Place();
    const engine = await place.engine();
    const path = place.path("f");
    writeFileSync(path, "\u00e9\nb\n");
    const edit = { path, oldString: "b", newString: "c" };
    expect(editResultToJson(await engine.preview(edit, { diff: true })).diff).toMatch(
      /^ \u00e9$/mu,
    );
    writeFileSync(path, Buffer.from("\xe9\nb\n", "latin1"));
    const json = editResultToJson(await engine.preview(edit, { diff: true }));
    expect(json.diff).toBeUndefined();
    expect(Buffer.from(String(json.diff_base64), "base64").toString("latin1")).toMatch(/^ \xe9$/mu);
  });

  it("B6 shows beforeCommit the diff, also of a file that is not read into memory", async () => {
    const place = new Place();
    const path = place.path("f");
    const long = `${"0123456789abcde\n".repeat(600_000)}needle\n`;
    for (const text of ["a\nneedle\n", long]) {
      writeFileSync(path, text);
      let shown = "";
      const engine = await place.engine({
        beforeCommit: (question) => {
          shown = Buffer.from(question.diff().bytes).toString();
          return false;
        },
      });
      const edit = { path, oldString: "needle", newString: "pin" };
      expect((await failureOf(engine.edit(edit))).code).toBe("FE_POLICY_DENIED");
      expect(shown).toMatch(/^-needle\n\+pin$/mu);
      expect(applyPatch(Buffer.from(text), Buffer.from(shown)).toString()).toBe(
        text.replace("needle", "pin"),
      );
    }
  });
});
