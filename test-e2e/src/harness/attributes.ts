/** Extended attributes of a file, by Python, since Node has no call for them. */
import { execFileSync } from "node:child_process";

function python(program: string, ...args: readonly string[]): string {
  return execFileSync("python3", ["-c", program, ...args], { encoding: "utf8" });
}

/** Sets an attribute to these bytes. Throws where the filesystem has none. */
export function setAttribute(path: string, name: string, value: Uint8Array): void {
  const program = "import os,sys;os.setxattr(sys.argv[1],sys.argv[2],bytes.fromhex(sys.argv[3]))";
  python(program, path, name, Buffer.from(value).toString("hex"));
}

/** Every attribute that can be seen, by name, its bytes in hex. */
export function attributesOf(path: string): Record<string, string> {
  const program = `
import os, sys, json
path = sys.argv[1]
names = set(os.listxattr(path)) | {"system.posix_acl_access"}
found = {}
for name in sorted(names):
    try:
        found[name] = os.getxattr(path, name).hex()
    except OSError:
        pass
print(json.dumps(found))`;
  return JSON.parse(python(program, path));
}

const none = 0xff_ff_ff_ff;

/** An access list in the form of `system.posix_acl_access`: [tag, permission bits, id] each. */
export function accessList(entries: readonly (readonly [number, number, number?])[]): Buffer {
  const bytes = Buffer.alloc(4 + 8 * entries.length);
  bytes.writeUInt32LE(2, 0);
  for (const [index, [tag, permissions, id = none]] of entries.entries()) {
    bytes.writeUInt16LE(tag, 4 + 8 * index);
    bytes.writeUInt16LE(permissions, 6 + 8 * index);
    bytes.writeUInt32LE(id, 8 + 8 * index);
  }
  return bytes;
}

/** Owner, a user by number, the group, the mask, and others. */
export const tags = { owner: 0x01, user: 0x02, group: 0x04, mask: 0x10, other: 0x20 } as const;
