// What the documents must say whatever else changes: the promises that are not made.
import { describe, expect, it } from "vitest";
import { pageText } from "./docs/page-text.mjs";

const readme = pageText("README.md");
const api = pageText("packages/engine/README.md");
const protocol = pageText("docs/protocol.md");

describe("the documents", () => {
  it("S11 say that other profiles and programs do not share the record", () => {
    expect(readme).toContain("Separate profiles, and all other programs, do not share the record");
    expect(protocol).toMatch(/different user-data directories do not see each other/u);
  });

  it("S11 say that no mode is a compare-and-swap of the filesystem, and what kernel means", () => {
    expect(readme).toContain("No compare-and-swap of the filesystem, in any mode");
    expect(api).toContain("no compare-and-swap of the filesystem");
    expect(protocol).toContain("No mode of this is a compare-and-swap of the filesystem");
    expect(protocol).toMatch(/exclusion: "kernel" says that no other process could open the file/u);
  });

  it("S36 say that nothing is replaced atomically and part of the new bytes can be left", () => {
    expect(readme).toMatch(/No atomic replacement.*can leave part of the new bytes in the file/u);
    expect(api).toContain("no atomic replacement");
  });

  it("S36 say how far durability over a power loss is shown, and no more", () => {
    expect(readme).toContain("Power loss: only as far as the evidence pages show");
    expect(api).toMatch(/power/u);
  });
});
