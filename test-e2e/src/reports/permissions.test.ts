// Reports of files that lost, or got, owner, mode, access list or attributes by an edit.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createNodeOs, type FileStatus } from "@fe/native";
import { interceptOs } from "@fe/native/testing";
import { afterEach, beforeEach, describe, expect, it, type TestContext } from "vitest";
import { needs } from "../../../native/test/abilities.ts";
import { strandEdit } from "../../../packages/engine/test/orphans.ts";
import { failureOf, Place, publishing } from "../../../packages/engine/test/place.ts";
import { accessList, attributesOf, setAttribute, tags } from "../harness/attributes.ts";
import { CommandFolder, fileState, replace } from "../harness/command.ts";
import { mountMemory, unmountAll } from "../harness/mounts.ts";
import { isRoot, needsReachableCheckout, otherUser } from "../harness/other-user.ts";

let folder: CommandFolder;

beforeEach(async () => {
  folder = await CommandFolder.create();
});

afterEach(async () => {
  unmountAll();
  await folder[Symbol.asyncDispose]();
});

function needRoot(context: TestContext, what: string): void {
  if (!isRoot) context.skip(`needs root, ${what}`);
}

describe("a file that may not be written", () => {
  it("3A-23 is refused as it is: no byte, mode, time or record changes", async (context) => {
    if (isRoot) needsReachableCheckout(context);
    const path = await folder.write("f", "one\n");
    chmodSync(path, 0o444);
    const options = isRoot ? { uid: otherUser } : {};
    if (isRoot) await folder.giveTo(otherUser);
    const state = await fileState(path);
    const refused = await folder.fe(replace("f", "one", "1", "--json"), options);
    expect(refused.exit).toBe(6);
    expect(JSON.parse(refused.out).error).toMatchObject({
      code: "FE_PERMISSION_DENIED",
      effect: "none",
    });
    expect(await fileState(path)).toEqual(state);
    expect(await folder.storeFiles()).toEqual([]);
    expect(readdirSync(folder.path)).toEqual(["f"]);
  });

  it("3C-2 is told to be perhaps immutable, and nothing is pending", async (context) => {
    needRoot(context, "to make a file immutable");
    const path = await folder.write("f", "one\n");
    for (const flag of ["i", "a"]) {
      try {
        execFileSync("chattr", [`+${flag}`, path], { stdio: "ignore" });
      } catch {
        context.skip("chattr is not possible here");
      }
      try {
        const state = await fileState(path);
        const refused = await folder.fe(replace("f", "one", "1", "--json"));
        expect(refused.exit).toBe(6);
        const { error } = JSON.parse(refused.out);
        expect(error.code).toBe("FE_PERMISSION_DENIED");
        expect(error.message).toMatch(/does not permit it \(it may be immutable or append-only\)/u);
        expect(await fileState(path)).toEqual(state);
        expect(await folder.storeFiles()).toEqual([]);
      } finally {
        execFileSync("chattr", [`-${flag}`, path]);
      }
    }
    // Another reason is told as another one.
    mkdirSync(folder.file("read-only"));
    const mount = mountMemory(context, folder.file("read-only"), 64);
    writeFileSync(`${mount}/f`, "one\n");
    execFileSync("mount", ["-o", "remount,ro", mount]);
    const refused = await folder.fe(replace(`${mount}/f`, "one", "1", "--json"));
    expect(JSON.parse(refused.out).error).toMatchObject({
      code: "FE_PERMISSION_DENIED",
      message: expect.stringContaining("read-only"),
    });
  });
});

describe("mode and owner", () => {
  it.for([0o755, 0o2750, 0o640, 0o700])("3A-24 keeps mode %o", async (mode, context) => {
    needs(context, "modes");
    const path = await folder.write("script", "#!/bin/sh\necho one\n");
    chmodSync(path, mode);
    expect((await folder.fe(replace("script", "echo one", "echo one and more"))).exit).toBe(0);
    expect(statSync(path).mode & 0o7777).toBe(mode);
    if (mode === 0o755) expect(execFileSync(path, { encoding: "utf8" })).toBe("one and more\n");
  });

  it("3A-25 leaves the file of another user to that user when root edits it", async (context) => {
    needRoot(context, "to be another user");
    const path = await folder.write("f", "one\n");
    chownSync(path, 1000, 1001);
    mkdirSync(folder.file("d"));
    chownSync(folder.file("d"), 1000, 1001);
    expect((await folder.fe(replace("f", "one", "1, and longer"))).exit).toBe(0);
    expect(statSync(path)).toMatchObject({ uid: 1000, gid: 1001 });
    const inner = await folder.write("d/f", "one\n");
    chownSync(inner, 1000, 1001);
    expect((await folder.fe(replace("d/f", "one", "1"))).exit).toBe(0);
    expect(statSync(inner)).toMatchObject({ uid: 1000, gid: 1001 });
    expect(readdirSync(folder.file("d"))).toEqual(["f"]);
  });
});

describe("attributes and access lists", () => {
  const userMayWrite = accessList([
    [tags.owner, 6],
    [tags.user, 6, 12_345],
    [tags.group, 4],
    [tags.mask, 6],
    [tags.other, 0],
  ]);
  const userMayNothing = accessList([
    [tags.owner, 6],
    [tags.user, 0, 12_345],
    [tags.group, 4],
    [tags.mask, 7],
    [tags.other, 4],
  ]);

  /** Sets both, or skips the test where the filesystem of temporary files has none. */
  function setBoth(context: TestContext, path: string, list: Buffer): void {
    try {
      setAttribute(path, "user.note", Buffer.from("kept"));
      setAttribute(path, "system.posix_acl_access", list);
    } catch {
      context.skip("no extended attributes or access lists on this filesystem, or no python3");
    }
  }

  it("3A-26 keeps both through an edit, and through the restoring of one", async (context) => {
    const place = new Place();
    const path = place.path("f");
    writeFileSync(path, "one two\n");
    setBoth(context, path, userMayWrite);
    const attributes = attributesOf(path);
    expect(Object.keys(attributes)).toEqual(["system.posix_acl_access", "user.note"]);
    const engine = await place.engine();
    await engine.edit({ path, oldString: "two", newString: "2, and longer" });
    expect(attributesOf(path)).toEqual(attributes);
    const edit = { oldString: "one", newString: "1" };
    const id = await strandEdit(place, path, edit, "torn");
    await engine.recovery.resolve(id, { keep: "before" });
    expect(readFileSync(path, "utf8")).toBe("one 2, and longer\n");
    expect(attributesOf(path)).toEqual(attributes);
  });

  it("3A-27 keeps a list that differs from what the directory gives to new files", async (c) => {
    mkdirSync(folder.file("d"));
    const path = await folder.write("d/f", "one\n");
    setBoth(c, path, userMayNothing);
    setAttribute(folder.file("d"), "system.posix_acl_default", userMayWrite);
    const attributes = attributesOf(path);
    expect((await folder.fe(replace("d/f", "one", "1, and longer"))).exit).toBe(0);
    expect(attributesOf(path)).toEqual(attributes);
    // A file that is made anew there gets the other list.
    await folder.write("d/new", "");
    expect(attributesOf(folder.file("d/new"))).not.toEqual(attributes);
  });

  it("3A-27 [simulated: Windows] compares security descriptors, and makes no file", async () => {
    const place = new Place();
    const path = place.path("f");
    const descriptor = "ab".repeat(32);
    writeFileSync(path, "one two\n");
    let list = descriptor;
    const calls = new Set<string>();
    // As a system would that has security identifiers and descriptors in place of modes.
    const sids = { owner: "S-1-5-21-1-2-3-1001", group: "S-1-5-32-545" };
    const withDescriptor = (status: FileStatus): FileStatus => ({
      ...status,
      permission: { ...status.permission, ...sids, accessList: list },
    });
    const os = interceptOs(createNodeOs(), async (call) => {
      calls.add(call.name);
      const answer = (await call.proceed()) as object;
      if (/^(pinned|reader|target)\.status$/u.test(call.name)) {
        return withDescriptor(answer as FileStatus);
      }
      if (typeof answer !== "object" || answer === null || !("targetStatus" in answer)) {
        return answer;
      }
      return { ...answer, targetStatus: withDescriptor(answer.targetStatus as FileStatus) };
    });
    const engine = await place.engine({}, os);
    const result = await engine.edit({ path, oldString: "one", newString: "1" });
    expect([result.status, result.metadataChanges]).toEqual(["applied", []]);
    // The file stays the file: nothing sets its descriptor, and no other takes its place.
    expect([...calls].filter((name) => /setMode/u.test(name))).toEqual([]);
    expect(readdirSync(place.work)).toEqual(["f"]);
    // Another's change of it between the first look and the write is a conflict.
    const before = interceptOs(os, (call) => {
      if (call.name === publishing) list = "cd".repeat(32);
      return call.proceed();
    });
    const other = await place.engine({}, before);
    const failure = await failureOf(other.edit({ path, oldString: "two", newString: "2" }));
    expect(failure.code).toBe("FE_PERMISSION_CHANGED");
    expect(readFileSync(path, "utf8")).toBe("1 two\n");
  });
});
