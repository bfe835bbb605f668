// A record and its file after the volume got another device number, beside a copy of the volume,
// and after the file's inode number was given to another file.
//
// Method: filesystems in image files on loop devices; a real edit is killed while it writes.
// Fault model: SIGKILL. A reboot is imitated: another loop device gives another `st_dev`, and the
// record states another boot id. Not covered: the volume id after a real reboot.
import { readFileSync, renameSync, rmSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommandFolder, replace } from "../harness/command.ts";
import { endOwners, killedOwner, Owner } from "../harness/owner.ts";
import { ImageFolder, type ImageType, whyNoImages } from "./disk-image.ts";

const before = "one two three\n";
const edit = { oldString: "one", newString: "a longer one" };
const torn = "a lon two three\n";

let folder: CommandFolder;
let images: ImageFolder;

beforeEach(async () => {
  folder = await CommandFolder.create();
  images = new ImageFolder();
});

afterEach(async () => {
  await endOwners();
  images.remove();
  await folder[Symbol.asyncDispose]();
});

/** An edit that was killed while it wrote; its record states that boot, or this one. */
async function leaveTorn(file: string, bootId?: string): Promise<void> {
  const self = bootId === undefined ? {} : { self: { bootId } };
  await killedOwner({ path: file, userData: folder.dataPath, edit, ...self });
  writeFileSync(file, torn);
}

const otherBoot = "00000000-0000-4000-8000-000000000000";

interface Answer {
  readonly status: string;
  readonly record?: { readonly id: string; readonly choices: readonly string[] };
  readonly recovered?: unknown;
}

async function editBy(file: string): Promise<Answer> {
  return JSON.parse((await folder.fe(replace(file, "two", "2", "--json"))).out);
}

describe.each<ImageType>(["ext4", "xfs", "btrfs"])("on %s", (type) => {
  it("B3 3A-39 a record is found after a reboot with another device number", async (context) => {
    const why = whyNoImages(type);
    if (why !== undefined) context.skip(why);
    const image = images.make(type, "image");
    const first = images.mount(image, type, "mount");
    const file = path.join(first, "f");
    writeFileSync(file, before);
    await leaveTorn(file, otherBoot);
    const { dev, ino } = statSync(file, { bigint: true });
    images.unmount(image, first, { successor: images.make(type, "placeholder") });
    // Something else takes the anonymous numbers that btrfs would get again.
    const filler = images.make("btrfs", "filler");
    if (type === "btrfs") images.mount(filler, "btrfs", "filler-mount");
    images.mount(image, type, "mount");
    const now = statSync(file, { bigint: true });
    expect(now.ino).toBe(ino);
    expect(now.dev).not.toBe(dev);
    const refused = await editBy(file);
    expect(refused.status).toBe("recovery_required");
    expect(refused.record?.choices).toEqual(["before", "after", "current"]);
    expect(readFileSync(file, "utf8")).toBe(torn);
    const id = refused.record?.id ?? "";
    expect((await folder.fe(["recovery", "resolve", id, "--keep", "before"])).exit).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(before);
    // And one whose file is whole is just reclaimed.
    await leaveTorn(file, otherBoot);
    writeFileSync(file, before);
    expect(await editBy(file)).toMatchObject({ status: "applied", recovered: {} });
  });

  it("B3 a copy of the volume, mounted beside it, is left as it is", async (context) => {
    const why = whyNoImages(type);
    if (why !== undefined) context.skip(why);
    const image = images.make(type, "image");
    const first = images.mount(image, type, "mount");
    const file = path.join(first, "f");
    writeFileSync(file, before);
    images.unmount(image, first);
    const copy = images.copy(image);
    images.mount(image, type, "mount");
    const second = path.join(images.mount(copy, type, "copy-mount"), "f");
    expect(statSync(second).ino).toBe(statSync(file).ino);
    await leaveTorn(file);
    // The copy holds exactly the before-image: without the device number it would be taken for the
    // file of the record, which would be removed.
    const answer = await editBy(second);
    if (type === "btrfs" && answer.status === "applied") {
      // Newer kernels give the copy a volume id of its own.
      expect(readFileSync(second, "utf8")).toBe(before.replace("two", "2"));
    } else {
      expect(answer).toMatchObject({ status: "recovery_required" });
      expect(answer.record?.choices).toEqual(["current"]);
      expect(readFileSync(second, "utf8")).toBe(before);
    }
    const refused = await editBy(file);
    expect(refused.status).toBe("recovery_required");
    expect(refused.record?.choices).toEqual(["before", "after", "current"]);
    expect(readFileSync(file, "utf8")).toBe(torn);
  });
});

describe("on ext4", () => {
  const tries = 5_000;

  /** Makes files anew until one has this inode number. */
  function untilReused(file: string, inode: bigint): boolean {
    const made: string[] = [];
    let isReused = false;
    for (let count = 0; count < tries && !isReused; count++) {
      const name = `${file}.${count}`;
      writeFileSync(name, before);
      isReused = statSync(name, { bigint: true }).ino === inode;
      if (isReused) renameSync(name, file);
      else made.push(name);
    }
    for (const name of made) rmSync(name);
    return isReused;
  }

  it("B3 S19 3A-38 a new file with a record's inode number is not touched", async (context) => {
    const why = whyNoImages("ext4");
    if (why !== undefined) context.skip(why);
    const mount = images.mount(images.make("ext4", "image"), "ext4", "mount");
    const file = path.join(mount, "f");
    writeFileSync(file, before);
    await leaveTorn(file);
    const { ino } = statSync(file, { bigint: true });
    unlinkSync(file);
    expect(untilReused(file, ino)).toBe(true);
    // It holds exactly the before-image, so only the identity tells that it is another file.
    const refused = await editBy(file);
    expect(refused.status).toBe("recovery_required");
    expect(refused.record?.choices).toEqual(["current"]);
    expect(readFileSync(file, "utf8")).toBe(before);
    // By another name too, where the key alone leads to the record.
    renameSync(file, `${file}.moved`);
    expect((await editBy(`${file}.moved`)).status).toBe("recovery_required");
    expect(readFileSync(`${file}.moved`, "utf8")).toBe(before);
    const id = refused.record?.id ?? "";
    const resolved = await folder.fe(["recovery", "resolve", id, "--keep", "before"]);
    expect(resolved.exit).not.toBe(0);
    expect((await folder.fe(["recovery", "resolve", id, "--keep", "current"])).exit).toBe(0);
    expect(await editBy(`${file}.moved`)).toMatchObject({ status: "applied" });
  });

  it("B3 S15 while its owner lives, the new file is busy and not touched", async (context) => {
    const why = whyNoImages("ext4");
    if (why !== undefined) context.skip(why);
    const mount = images.mount(images.make("ext4", "image"), "ext4", "mount");
    const file = path.join(mount, "f");
    writeFileSync(file, before);
    const plan = { path: file, userData: folder.dataPath, edit };
    const owner = await new Owner({ ...plan, stops: [{ at: "target.overwrite" }] }).stopped();
    renameSync(file, `${file}.old`);
    writeFileSync(file, before);
    expect((await editBy(file)).status).toBe("conflict");
    expect(readFileSync(file, "utf8")).toBe(before);
    expect((await owner.finish()).status).toMatch(/FE_OUTCOME_UNKNOWN|FE_TARGET_REPLACED/);
  });
});
