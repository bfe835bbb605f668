/** The built command with bad input of every kind: one clear error each, and nothing is changed. */
import { execFileSync } from "node:child_process";
import { mkdir, symlink, truncate } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type abilities, needs } from "../../native/test/abilities.ts";
import {
  CommandFolder,
  type CommandResult,
  fileState,
  type RunOptions,
  replace,
} from "./harness/command.ts";
import { isRoot, needsReachableCheckout, otherUser } from "./harness/other-user.ts";

let folder: CommandFolder;

beforeEach(async () => {
  folder = await CommandFolder.create();
  await folder.write("f", "a line\n");
});

afterEach(async () => {
  await folder[Symbol.asyncDispose]();
});

interface BadInput {
  readonly name: string;
  readonly prepare?: () => Promise<unknown>;
  readonly parameters: readonly string[];
  readonly options?: () => RunOptions;
  readonly code: string;
  readonly exit: number;
  /** The file that must stay as it is. */
  readonly watched?: string;
  /** What the system must be able to. */
  readonly ability?: keyof typeof abilities;
}

const makeSparse = async (name: string, sizeBytes: number): Promise<void> => {
  await truncate(await folder.write(name, "needle\n"), sizeBytes);
};

const badInputs: readonly BadInput[] = [
  {
    name: "an unknown option",
    parameters: ["edit", "f", "--bogus"],
    code: "FE_INVALID_REQUEST",
    exit: 2,
  },
  {
    name: "a text that is not given",
    parameters: ["edit", "f", "--old-string", "a"],
    code: "FE_INVALID_REQUEST",
    exit: 2,
  },
  {
    name: "a duration without a unit",
    parameters: replace("f", "a", "b", "--wait", "2"),
    code: "FE_INVALID_REQUEST",
    exit: 2,
  },
  {
    name: "a text file that is not UTF-8",
    prepare: () => folder.write("old", Uint8Array.of(0xff)),
    parameters: ["edit", "f", "--old-file", "old", "--new-string", "b"],
    code: "FE_INVALID_REQUEST",
    exit: 2,
  },
  {
    name: "a file that is missing",
    parameters: replace("gone", "a", "b"),
    code: "FE_NOT_FOUND",
    exit: 6,
  },
  {
    name: "a folder",
    prepare: () => mkdir(folder.file("d")),
    parameters: replace("d", "a", "b"),
    code: "FE_NOT_REGULAR",
    exit: 6,
  },
  {
    name: "a FIFO, without waiting for its other end",
    prepare: async () => execFileSync("mkfifo", [folder.file("fifo")]),
    parameters: replace("fifo", "a", "b"),
    code: "FE_NOT_REGULAR",
    exit: 6,
    ability: "fifos",
  },
  {
    name: "a device",
    parameters: replace("/dev/null", "a", "b"),
    code: "FE_NOT_REGULAR",
    exit: 6,
    ability: "devices",
  },
  {
    name: "a file that the user may only read",
    prepare: async () => {
      execFileSync("chmod", ["0444", folder.file("f")]);
      if (isRoot) await folder.giveTo(otherUser);
    },
    parameters: replace("f", "a", "b"),
    options: () => (isRoot ? { uid: otherUser } : {}),
    code: "FE_PERMISSION_DENIED",
    exit: 6,
    ability: "modes",
  },
  {
    name: "a file outside of the root, by ..",
    prepare: () => mkdir(folder.file("root")),
    parameters: replace("root/../f", "a", "b", "--root", "root"),
    code: "FE_OUTSIDE_ROOT",
    exit: 6,
  },
  {
    name: "a root that is a file",
    parameters: replace("f", "a", "b", "--root", "f"),
    code: "FE_INVALID_REQUEST",
    exit: 2,
  },
  {
    name: "a file outside of the root, by a link inside of it",
    prepare: async () => {
      await mkdir(folder.file("root"));
      await symlink("../f", folder.file("root/link"));
    },
    parameters: replace("root/link", "a", "b", "--root", "root"),
    code: "FE_OUTSIDE_ROOT",
    exit: 6,
    ability: "symlinks",
  },
  {
    name: "a link, with --no-follow-symlinks",
    prepare: () => symlink("f", folder.file("link")),
    parameters: replace("link", "a", "b", "--no-follow-symlinks"),
    code: "FE_LINK_REFUSED",
    exit: 6,
    ability: "symlinks",
  },
  {
    name: "an old text that is empty",
    parameters: replace("f", "", "b"),
    code: "FE_INVALID_REQUEST",
    exit: 2,
  },
  {
    name: "a text that is not there",
    parameters: replace("f", "zebra", "b"),
    code: "FE_NO_MATCH",
    exit: 3,
  },
  {
    name: "a text that is not ASCII, for a file that is not UTF-8",
    prepare: () => folder.write("f", Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a)),
    parameters: replace("f", "caf\u00e9", "tea"),
    code: "FE_INVALID_ENCODING",
    exit: 6,
  },
  {
    name: "a text that overlaps itself",
    prepare: () => folder.write("f", "aaa\n"),
    parameters: replace("f", "aa", "b"),
    code: "FE_AMBIGUOUS_MATCH",
    exit: 4,
  },
  {
    name: "another number of places than expected",
    prepare: () => folder.write("f", "a a a\n"),
    parameters: replace("f", "a", "b", "--replace-all", "--expected-replacements=2"),
    code: "FE_COUNT_MISMATCH",
    exit: 4,
  },
  {
    name: "other content than expected",
    parameters: replace("f", "a", "b", `--expected-sha256=${"0".repeat(64)}`),
    code: "FE_CONTENT_CHANGED",
    exit: 5,
  },
  {
    name: "a file over a given limit",
    parameters: replace("f", "a", "b", "--max-file-size", "1"),
    code: "FE_FILE_TOO_LARGE",
    exit: 6,
  },
  {
    name: "S28 a file of 129 MiB",
    prepare: () => makeSparse("big", 129 * 1024 * 1024),
    parameters: replace("big", "needle", "b"),
    code: "FE_FILE_TOO_LARGE",
    exit: 6,
    watched: "big",
  },
  {
    name: "S29 a file of 129 MiB with the limit off",
    prepare: () => makeSparse("big", 129 * 1024 * 1024),
    parameters: replace("big", "needle", "b", "--max-file-size", "off"),
    code: "FE_FILE_TOO_LARGE",
    exit: 6,
    watched: "big",
  },
  {
    name: "a record that does not exist",
    parameters: ["recovery", "show", "0123456789ab", "--version", "before"],
    code: "FE_NOT_FOUND",
    exit: 6,
  },
];

describe("Q5 fe refuses, with one clear error and nothing changed,", () => {
  const expectHuman = ({ exit, out, err }: CommandResult, input: BadInput): void => {
    expect({ exit, out }, err).toEqual({ exit: input.exit, out: "" });
    expect(err).toMatch(new RegExp(`^error ${input.code}: .+\n`));
    expect(err.match(/^error /gm)).toHaveLength(1);
    expect(err).toMatch(/^hint: .+\n/m);
    expect(err).not.toMatch(/^\s+at .*\.js:\d+/m);
  };

  const expectJson = ({ exit, out, err }: CommandResult, input: BadInput): void => {
    expect({ exit, err }, out).toEqual({ exit: input.exit, err: "" });
    expect(out.match(/\n/g)).toHaveLength(1);
    const { error, warnings } = JSON.parse(out);
    expect(error).toMatchObject({ code: input.code, effect: "none" });
    expect(error.message).not.toBe("");
    expect(error.hint ?? "").not.toBe("");
    expect(warnings).toEqual([]);
  };

  for (const input of badInputs) {
    it(`${input.name}: ${input.code}`, async (context) => {
      if (input.ability !== undefined) needs(context, input.ability);
      if (input.options?.().uid !== undefined) needsReachableCheckout(context);
      await input.prepare?.();
      const watched = folder.file(input.watched ?? "f");
      const before = await fileState(watched);
      expectHuman(await folder.fe(input.parameters, input.options?.()), input);
      const withJson = ["--json", ...input.parameters];
      expectJson(await folder.fe(withJson, input.options?.()), input);
      expect(await fileState(watched)).toEqual(before);
      expect(await folder.storeFiles()).toEqual([]);
    });
  }
});
