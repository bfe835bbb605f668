import { describe, expect, it } from "vitest";
import { diffText } from "./diff.ts";
import { createColors } from "./text.ts";

const plain = createColors(false);

describe("diffText()", () => {
  it("B6 escapes what a terminal would obey, and shows stray bytes", () => {
    const diff = Buffer.from("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\tb\u001b[2J\r\n+\u202e\n", "utf8");
    expect(diffText(diff, plain)).toBe(
      "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\tb\\x1b[2J\\r\n+\\u202e\n",
    );
    expect(diffText(Buffer.from([0x2d, 0xe4, 0x41, 0x0a]), plain)).toBe("-\\xe4A\n");
    expect(diffText(Buffer.from("-größe\n"), plain)).toBe("-größe\n");
  });

  it("B6 colours lines by their sign, and a removed line that looks like a header", () => {
    const text = diffText(
      Buffer.from("--- a/f\n+++ b/f\n@@ -1,2 +1 @@\n--- x\n+y\n z\n"),
      createColors(true),
    );
    const [head, , hunk, removed, added, kept] = text.split("\n");
    expect(head).toBe("\u001b[1m--- a/f\u001b[22m");
    expect(hunk).toContain("\u001b[36m");
    expect(removed).toBe("\u001b[31m--- x\u001b[39m");
    expect(added).toContain("\u001b[32m");
    expect(kept).toBe(" z");
  });
});
