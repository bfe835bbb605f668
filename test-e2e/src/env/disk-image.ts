/** Filesystems in files, attached to loop devices and mounted; needs root. */
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export type ImageType = "ext4" | "xfs" | "btrfs";

/** The least that `mkfs.xfs` takes; the file is sparse. */
const imageBytes = 400 * 1024 * 1024;

function run(command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
  if (status === 0) return stdout.trim();
  throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? stderr.trim()}`);
}

/** Why images of this type cannot be used here; `undefined` if they can. */
export function whyNoImages(type: ImageType): string | undefined {
  if (process.getuid?.() !== 0) return "needs root, for loop devices and mounts";
  for (const tool of [`mkfs.${type}`, "losetup", "mount"]) {
    if (spawnSync("which", [tool]).status !== 0) return `needs ${tool}`;
  }
  return undefined;
}

/** A folder for images and mounts, all undone at the end. */
export class ImageFolder {
  readonly #path: string = realpathSync(mkdtempSync(path.join(tmpdir(), "fe-images-")));
  readonly #devices = new Map<string, string>();
  readonly #mounts = new Set<string>();

  make(type: ImageType, name: string, sizeBytes: number = imageBytes): string {
    const image = path.join(this.#path, name);
    writeFileSync(image, "");
    truncateSync(image, sizeBytes);
    run(`mkfs.${type}`, "-q", image);
    return image;
  }

  copy(image: string): string {
    const copied = `${image}-copy`;
    copyFileSync(image, copied);
    return copied;
  }

  /** Mounts an image, and returns where. */
  mount(image: string, type: ImageType, name: string): string {
    const at = path.join(this.#path, name);
    mkdirSync(at, { recursive: true });
    const device = this.#attach(image);
    // Only so does xfs take a second image with one UUID.
    const options = type === "xfs" ? ["-o", "nouuid"] : [];
    run("mount", "-t", type, ...options, device, at);
    this.#mounts.add(at);
    return at;
  }

  /** Attaches an image to the first free device. */
  #attach(image: string): string {
    const device = run("losetup", "-f", "--show", image);
    this.#devices.set(image, device);
    return device;
  }

  /** Unmounts an image and lets another have its device, so that it gets another one next time. */
  unmount(image: string, at: string, { successor }: { readonly successor?: string } = {}): void {
    run("umount", at);
    this.#mounts.delete(at);
    const device = this.#devices.get(image) ?? "";
    run("losetup", "-d", device);
    this.#devices.delete(image);
    if (successor === undefined) return;
    // If it fails, a process beside this test was quicker, which is as good.
    if (spawnSync("losetup", [device, successor]).status === 0) {
      this.#devices.set(successor, device);
    }
  }

  remove(): void {
    for (const at of this.#mounts) run("umount", at);
    for (const device of this.#devices.values()) run("losetup", "-d", device);
    rmSync(this.#path, { recursive: true, force: true });
  }
}
