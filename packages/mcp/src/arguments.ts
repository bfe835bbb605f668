/**
 * From the command line to settings. Pure: it asks nothing of the system, so all of it can be
 * tested. What a root is, and whether it exists, the engine says when it is opened.
 */
import path from "node:path";
import { parseArgs } from "node:util";
import type { EngineOptions } from "@fe/engine";
import { escapeText } from "@fe/engine/display";

/** What the server is started with. */
export interface Settings {
  /** Directories that tools may touch, as they were given. At least one. */
  readonly roots: readonly string[];
  /** Whether `recovery_resolve` may do anything. */
  readonly allowResolve: boolean;
  /** Everything else that the engine is opened with. */
  readonly engine: Omit<EngineOptions, "roots">;
  /** Options that lead the `fe` command to the same store, to be shown to a person. */
  readonly storeOptions: readonly string[];
}

/** What a command line asks for. */
export type ParsedArguments =
  | { readonly kind: "help" }
  | { readonly kind: "version" }
  | { readonly kind: "serve"; readonly settings: Settings }
  | { readonly kind: "usage"; readonly message: string; readonly hint: string };

class UsageError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** Every option of the command line. */
export const options = {
  root: { type: "string", multiple: true },
  "allow-resolve": { type: "boolean" },
  "user-data-dir": { type: "string" },
  app: { type: "string" },
  profile: { type: "string" },
  "max-file-size": { type: "string" },
  "no-follow-symlinks": { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "V" },
} as const;

const sizeUnits: Readonly<Record<string, number>> = {
  "": 1,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
};

/** Bytes of `1048576`, `64KiB`, `16MiB` or `1GiB`; `off` is `Infinity`. */
function parseSize(text: string): number {
  if (text === "off") return Number.POSITIVE_INFINITY;
  const [, digits, unit = ""] = /^(\d+)(KiB|MiB|GiB)?$/.exec(text) ?? [];
  const bytes = Number(digits) * (sizeUnits[unit] ?? Number.NaN);
  if (!Number.isSafeInteger(bytes)) {
    throw new UsageError(
      `Option --max-file-size is not a size: "${text}"`,
      "Give a whole number of bytes, or one with KiB, MiB or GiB, such as 64KiB; or off",
    );
  }
  return bytes;
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    // Node's message goes on with advice that fits other programs.
    const [first = ""] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/);
    throw new UsageError(first, "fe-mcp --help shows the options; directories are given by --root");
  }
}

function refuseEmpty(values: ReturnType<typeof parse>): void {
  const texts = [
    ...(values.root ?? []).map((text) => ["root", text] as const),
    ...(["user-data-dir", "app", "profile"] as const).map((name) => [name, values[name]] as const),
  ];
  for (const [name, text] of texts) {
    if (text === "") throw new UsageError(`Option --${name} is empty`, "Give it a value");
  }
}

function settle(values: ReturnType<typeof parse>, cwd: string): Settings {
  const { root: roots = [], app, profile } = values;
  refuseEmpty(values);
  if (roots.length === 0) {
    throw new UsageError(
      "No --root is given, so there is nothing that this server may touch",
      "Start it as: fe-mcp --root DIR",
    );
  }
  const maxFileSize = values["max-file-size"];
  const directory = values["user-data-dir"];
  const userDataDirectory = directory === undefined ? undefined : path.resolve(cwd, directory);
  return {
    roots,
    allowResolve: values["allow-resolve"] === true,
    engine: {
      ...(userDataDirectory === undefined ? {} : { userDataDirectory }),
      ...(app === undefined ? {} : { appName: app }),
      ...(profile === undefined ? {} : { profile }),
      ...(maxFileSize === undefined ? {} : { maxFileBytes: parseSize(maxFileSize) }),
      ...(values["no-follow-symlinks"] === true ? { followSymlinks: false } : {}),
    },
    storeOptions: [
      ...(userDataDirectory === undefined ? [] : ["--user-data-dir", userDataDirectory]),
      ...(app === undefined ? [] : ["--app", app]),
      ...(profile === undefined ? [] : ["--profile", profile]),
    ],
  };
}

/** Reads a command line; `cwd`: what `--user-data-dir` is relative to. Never throws. */
export function parseArguments(argv: readonly string[], cwd: string): ParsedArguments {
  try {
    const values = parse(argv);
    if (values.help === true) return { kind: "help" };
    if (values.version === true) return { kind: "version" };
    return { kind: "serve", settings: settle(values, cwd) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    // It quotes what was typed, which must not be able to make a line of its own.
    return { kind: "usage", message: escapeText(error.message), hint: error.hint };
  }
}
