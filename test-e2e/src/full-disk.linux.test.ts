// A disk that is really full: the edit that grows is refused, and the file is as it was.
import { mkdir, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommandFolder, fileState, replace } from "./harness/command.ts";
import { mountMemory, unmountAll } from "./harness/mounts.ts";

let folder: CommandFolder;

beforeEach(async () => {
  folder = await CommandFolder.create();
});

afterEach(async () => {
  unmountAll();
  await folder[Symbol.asyncDispose]();
});

describe("fe edit on a full disk", () => {
  it("B2 3A-9 exits with 1 and FE_NO_SPACE, the file byte for byte as before", async (context) => {
    const mount = folder.file("small");
    await mkdir(mount);
    mountMemory(context, mount, 1024);
    const path = `${mount}/f`;
    await writeFile(path, `needle\n${"x".repeat(900_000)}\n`);
    await writeFile(folder.file("long"), "y".repeat(400_000));
    const before = await fileState(path);
    const parameters = ["edit", path, "--old-string", "needle", "--new-file", "long", "--json"];
    const result = await folder.fe(parameters);
    expect(result.exit).toBe(1);
    expect(JSON.parse(result.out).error).toMatchObject({ code: "FE_NO_SPACE", effect: "none" });
    expect(await fileState(path)).toEqual(before);
    expect(await folder.storeFiles()).toEqual([]);
    expect((await folder.fe(replace(path, "needle", "pin"))).exit).toBe(0);
  });
});
