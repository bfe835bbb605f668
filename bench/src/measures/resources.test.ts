import { describe, expect, it } from "vitest";
import { callCountOf, flushesOf, readCounts } from "./resources.ts";

const table = `syscall              calls
---------------- ---------
fsync                  360
pread64               1200
futex                   99
---------------- ---------
total                 1659
`;

describe("readCounts()", () => {
  it("reads the table of strace without its total", () => {
    expect(readCounts(table)).toEqual({ fsync: 360, pread64: 1200, futex: 99 });
  });
});

describe("flushesOf() and callCountOf()", () => {
  const result = { contender: "fe", sizeBytes: 4096, writtenBytes: 1, calls: readCounts(table) };

  it("count flushes, and calls without those whose number is chance", () => {
    expect(flushesOf(result)).toBe(360);
    expect(callCountOf(result)).toBe(1560);
  });

  it("know nothing where nothing was traced", () => {
    expect(flushesOf({ ...result, calls: undefined })).toBeNaN();
  });
});
