import { expect, test } from "vitest";
import { isTrustedOwner, mayMakeBelow } from "./owners.ts";

const user = "S-1-5-21-1-2-3-1001";

test("S32 a directory of the user or of a superuser is trusted, and no other", () => {
  for (const owner of ["1000", "0"]) expect(isTrustedOwner(owner, "1000")).toBe(true);
  for (const owner of [user, "S-1-5-18", "S-1-5-32-544"]) {
    expect(isTrustedOwner(owner, user)).toBe(true);
  }
  for (const owner of ["1001", "", "S-1-5-32-545"]) {
    expect(isTrustedOwner(owner, "1000")).toBe(false);
    expect(isTrustedOwner(owner, user)).toBe(false);
  }
});

test("S32 nothing is made below a directory of uid 0, but below one of a Windows superuser", () => {
  expect(mayMakeBelow("1000", "1000")).toBe(true);
  expect(mayMakeBelow("0", "1000")).toBe(false);
  expect(mayMakeBelow("1000", "0")).toBe(false);
  for (const owner of [user, "S-1-5-18", "S-1-5-32-544"]) {
    expect(mayMakeBelow(owner, user)).toBe(true);
  }
  expect(mayMakeBelow("S-1-5-21-1-2-3-1002", user)).toBe(false);
});
