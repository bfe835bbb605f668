// Reports of edits that were lost because two of them, or another program, worked on one file.
import { utimesSync, writeFileSync } from "node:fs";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { createNodeOs } from "@fe/native";
import { interceptOs } from "@fe/native/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { needs } from "../../../native/test/abilities.ts";
import { failureOf, Place } from "../../../packages/engine/test/place.ts";
import { CommandFolder, fileState, replace } from "../harness/command.ts";
import { editOwnLines, oldLines } from "../harness/edit-lines.ts";
import { startMcp } from "../harness/mcp.ts";

let folder: CommandFolder;

beforeEach(async () => {
  folder = await CommandFolder.create();
});

afterEach(async () => {
  await folder[Symbol.asyncDispose]();
});

describe("edits at the same time", () => {
  it("3A-1 applies six parallel edits, each with the hashes of its own step", async () => {
    const lines = Array.from({ length: 6 }, (_, line) => `line ${line} is old`);
    const path = await folder.write("f", `${lines.join("\n")}\n`);
    await using server = await startMcp(folder, folder.path);
    const answers = await Promise.all(
      lines.map((line) =>
        server.call("edit_file", {
          file_path: path,
          old_string: line,
          new_string: line.replace("old", "new, and longer"),
        }),
      ),
    );
    expect(answers.map(({ structured }) => structured.status)).toEqual(lines.map(() => "applied"));
    expect((await readFile(path, "utf8")).match(/is new, and longer/gu)).toHaveLength(6);
    // One after the other: what one of them left is what the next one found.
    const found = new Set(answers.map(({ structured }) => structured.before_sha256));
    const left = new Set(answers.map(({ structured }) => structured.after_sha256));
    expect([found.size, left.size]).toEqual([6, 6]);
    const last = [...left].filter((hash) => !found.has(hash));
    expect(last).toEqual([(await fileState(path))?.sha256]);
  });

  it("3A-3 serialises two processes, one of which comes by a directory link", async (context) => {
    needs(context, "symlinks");
    await mkdir(folder.file("target"));
    await symlink("target", folder.file("alias"));
    const path = await folder.write("target/f", oldLines(60));
    const userData = folder.dataPath;
    const output = await Promise.all([
      editOwnLines({ path, userData, from: 0, to: 30 }),
      editOwnLines({ path: folder.file("alias/f"), userData, from: 30, to: 60 }),
    ]);
    expect(output).toEqual(["", ""]);
    expect((await readFile(path, "utf8")).match(/ is new/gu)).toHaveLength(60);
  });

  it("3C-20 [simulated: case is ignored] has one queue for File.ts and file.ts", async () => {
    const place = new Place();
    const path = place.path("File.ts");
    writeFileSync(path, "one two three four\n");
    let writing = 0;
    let most = 0;
    // As a volume that ignores case would: a name in either case leads to one file, and the real
    // path keeps the case that was asked for.
    const os = interceptOs(createNodeOs(), async (call) => {
      const stored = (name: unknown): string => String(name).replace(/file\.ts$/u, "File.ts");
      if (call.name === "target.startExclusion") writing += 1;
      most = Math.max(most, writing);
      if (call.name === "directory.finishRecord") writing -= 1;
      if (call.name === "os.resolveRealPath") {
        await call.proceed(stored(call.args[0]), ...call.args.slice(1));
        return call.args[0];
      }
      if (/^os\.(openTarget|inspectTarget)$/u.test(call.name)) {
        return call.proceed(stored(call.args[0]));
      }
      return call.proceed();
    });
    const engine = await place.engine({}, os);
    const texts = ["one", "two", "three", "four"];
    const results = await Promise.all(
      texts.map((oldString, index) => {
        const name = index % 2 === 0 ? "File.ts" : "file.ts";
        return engine.edit({ path: place.path(name), oldString, newString: `${index}` });
      }),
    );
    expect(new Set(results.map(({ realPath }) => realPath)).size).toBe(2);
    expect(results.map(({ status }) => status)).toEqual(texts.map(() => "applied"));
    expect(await readFile(path, "utf8")).toBe("0 1 2 3\n");
    expect(most).toBe(1);
  });
});

describe("a file that another program changed", () => {
  it("3A-5 is a conflict for an edit with the old hash; the other bytes stay", async () => {
    const path = await folder.write("f", "mine\ntheirs\n");
    const { sha256 } = (await fileState(path)) ?? { sha256: "" };
    await folder.write("f", "mine\nchanged by another\n");
    const state = await fileState(path);
    const options = [`--expected-sha256=${sha256}`, "--json"];
    const refused = await folder.fe(replace("f", "mine", "edited", ...options));
    expect(refused.exit).toBe(5);
    expect(JSON.parse(refused.out)).toMatchObject({
      status: "conflict",
      error: { code: "FE_CONTENT_CHANGED", effect: "none" },
    });
    expect(await fileState(path)).toEqual(state);
    expect(await folder.storeFiles()).toEqual([]);
  });

  it("3C-9 is edited if only its times changed, before the edit or in its midst", async () => {
    const place = new Place();
    const path = place.path("f");
    writeFileSync(path, "one two\n");
    const touch = (): void => utimesSync(path, new Date(), new Date());
    const { beforeSha256 } = await (await place.engine()).preview({
      ...{ path, oldString: "one", newString: "1" },
    });
    touch();
    for (const moment of ["directory.linkUnnamedFile", "target.overwrite", "target.sync"]) {
      writeFileSync(path, "one two\n");
      const engine = await place.before(moment, touch);
      const request = { path, oldString: "one", newString: "1", expectedSha256: beforeSha256 };
      expect((await engine.edit(request)).status, moment).toBe("applied");
      expect(await readFile(path, "utf8")).toBe("1 two\n");
    }
  });

  it("3C-17 is not taken for any content when the expected hash is empty", async () => {
    const path = await folder.write("f", "one\n");
    const state = await fileState(path);
    const place = new Place();
    const engine = await place.engine();
    const request = { path, oldString: "one", newString: "1" };
    const failure = await failureOf(engine.edit({ ...request, expectedSha256: "" }));
    expect(failure.code).toBe("FE_INVALID_REQUEST");
    const told = await folder.fe(replace("f", "one", "1", "--expected-sha256=", "--json"));
    expect([told.exit, JSON.parse(told.out).error.code]).toEqual([2, "FE_INVALID_REQUEST"]);
    await using server = await startMcp(folder, folder.path);
    const input = { file_path: path, old_string: "one", new_string: "1", expected_sha256: "" };
    const answer = await server.call("edit_file", input);
    expect([answer.isError, answer.code]).toEqual([true, "FE_INVALID_REQUEST"]);
    // Neither is half a hash, nor one of another kind.
    for (const expectedSha256 of ["ab", "0".repeat(40)]) {
      const other = await failureOf(engine.edit({ ...request, expectedSha256 }));
      expect(other.code).toBe("FE_INVALID_REQUEST");
    }
    expect(await fileState(path)).toEqual(state);
  });
});
