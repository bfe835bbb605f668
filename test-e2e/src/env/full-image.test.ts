// A small disk image that is really full: the edit that grows is refused before a byte changes, and
// the file is as it was. `full-disk.linux.test.ts` does the same on tmpfs.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommandFolder, fileState, replace } from "../harness/command.ts";
import { needsReachableCheckout, otherUser } from "../harness/other-user.ts";
import { ImageFolder, whyNoImages } from "./disk-image.ts";

let folder: CommandFolder;
let images: ImageFolder;

beforeEach(async () => {
  folder = await CommandFolder.create();
  images = new ImageFolder();
});

afterEach(async () => {
  images.remove();
  await folder[Symbol.asyncDispose]();
});

const here = path.dirname(fileURLToPath(import.meta.url));

/** Asks for more room than there is. */
const reserve = `
  import { createNodeOs } from "@fe/native";
  const { target } = await createNodeOs().openTarget(process.argv[1]);
  const file = await target.openForWriting();
  console.log(await file.reserve(100_000).catch(({ code }) => code));`;

/** Writes until the system says that there is no room, and makes that durable. */
function fill(file: string): void {
  const filler = openSync(file, "w");
  try {
    for (;;) writeSync(filler, Buffer.alloc(512, "x"));
  } catch (error) {
    expect(error).toMatchObject({ code: "ENOSPC" });
  } finally {
    fsyncSync(filler);
    closeSync(filler);
  }
}

describe("fe edit on a full ext4 image of 1 MiB", () => {
  it("B2 exits with 1 and FE_NO_SPACE, the file byte for byte as before", async (context) => {
    const why = whyNoImages("ext4");
    if (why !== undefined) context.skip(why);
    const mount = images.mount(images.make("ext4", "image", 1024 * 1024), "ext4", "mount");
    const file = path.join(mount, "f");
    writeFileSync(file, `needle\n${"text ".repeat(2_000)}\n`);
    fill(path.join(mount, "filler"));
    writeFileSync(folder.file("long"), "y".repeat(100_000));
    const before = await fileState(file);
    const longer = ["edit", file, "--old-string", "needle", "--new-file", "long", "--json"];
    for (const exclusive of ["prefer", "require", "off"]) {
      const refused = await folder.fe([...longer, "--exclusive", exclusive]);
      expect(refused.exit).toBe(1);
      const { error } = JSON.parse(refused.out);
      expect(error).toMatchObject({ code: "FE_NO_SPACE", effect: "none" });
      expect(await fileState(file)).toEqual(before);
      expect(await folder.storeFiles()).toEqual([]);
    }
    // What needs no more room still works, and so does the first one when there is room.
    expect((await folder.fe(replace(file, "needle", "thread"))).exit).toBe(0);
    expect((await folder.fe(replace(file, "thread", "needle"))).exit).toBe(0);
    rmSync(path.join(mount, "filler"));
    expect((await folder.fe(longer)).exit).toBe(0);
  });

  it("B2 I8 a refused reservation leaves set-id bits and time as they were", async (context) => {
    const why = whyNoImages("ext4");
    if (why !== undefined) context.skip(why);
    needsReachableCheckout(context);
    const mount = images.mount(images.make("ext4", "image", 1024 * 1024), "ext4", "mount");
    chmodSync(path.dirname(mount), 0o711);
    const file = path.join(mount, "f");
    writeFileSync(file, "text\n");
    chownSync(file, otherUser, otherUser);
    chmodSync(file, 0o4755);
    fill(path.join(mount, "filler"));
    const before = await fileState(file);
    const ids = { uid: otherUser, gid: otherUser };
    const parameters = ["--input-type=module", "-e", reserve, file];
    const { stdout, stderr } = spawnSync(process.execPath, parameters, { cwd: here, ...ids });
    expect(`${stdout}${stderr}`).toBe("ENOSPC\n");
    expect(await fileState(file)).toEqual(before);
  });
});
