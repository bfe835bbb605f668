import { describe, expect, it } from "vitest";
import { decide } from "./decide.ts";
import { explainDecision } from "./explain.ts";
import { factValues, type OrphanFacts } from "./facts.ts";

const orphan: OrphanFacts = {
  record: "prepared",
  owner: "locks-obtained",
  identity: "same",
  bytes: "before",
  storeHasLocks: true,
};
const explain = (facts: Partial<OrphanFacts>) => {
  const all = { ...orphan, ...facts };
  return explainDecision(decide(all), all);
};

describe("explainDecision()", () => {
  it("is one clause without full stop for every combination of facts", () => {
    for (const record of factValues.record)
      for (const owner of factValues.owner)
        for (const identity of factValues.identity)
          for (const bytes of factValues.bytes)
            for (const storeHasLocks of factValues.storeHasLocks) {
              const text = explain({ record, owner, identity, bytes, storeHasLocks });
              expect(text).toMatch(/^[a-z][a-z ,]+[a-z]$/);
              expect(text.length).toBeLessThan(170);
            }
  });

  it("S16 says that the file did not change, or that the edit was complete", () => {
    expect(explain({ bytes: "before" })).toMatch(/interrupted before it changed the file/);
    expect(explain({ bytes: "after" })).toMatch(/interrupted after it had written everything/);
  });

  it("S17 says that the file holds neither version", () => {
    expect(explain({ bytes: "other" })).toMatch(/neither of its two versions, so a person/);
    expect(explain({ record: "committed", bytes: "other" })).toMatch(
      /edit was complete and the file was changed since/,
    );
  });

  it("S19 tells a missing file from another one", () => {
    expect(explain({ identity: "missing" })).toMatch(/no longer there/);
    expect(explain({ identity: "changed" })).toMatch(/another file stands in the place/);
  });

  it("says why a person is needed in a store without locks", () => {
    const facts = { owner: "gone", storeHasLocks: false } as const;
    expect(explain(facts)).toMatch(/in a store without locks a person must decide/);
  });

  it("says nothing about the bytes of a file at which somebody works", () => {
    for (const bytes of factValues.bytes) {
      expect(explain({ owner: "lock-held", bytes })).toBe(
        "another edit of this file is at work, so this edit has to wait",
      );
    }
  });
});
