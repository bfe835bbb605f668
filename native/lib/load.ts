/** Finds and loads the addon. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import addonFile from "../binding.cjs";
import type { Addon } from "./binding.ts";

/**
 * There is no addon for this system, or it cannot be loaded. Nothing was opened. `cause` is the
 * loader's own error; the message says where was looked and what to do.
 */
export class NativeUnavailableError extends Error {
  override readonly name = "NativeUnavailableError";
  /** The places that were looked at, each with what was found there. */
  readonly tried: readonly string[];

  constructor(tried: readonly string[], cause: unknown, isBundled = false) {
    const reason = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause);
    super(
      [
        `The addon of @fe/native cannot be loaded on ${systemName()}: ${reason}`,
        ...(tried.length === 0 ? [] : ["Tried:", ...tried.map((place) => `  ${place}`)]),
        ...(isBundled ? adviceInBundle : adviceInPackage),
      ].join("\n"),
      { cause },
    );
    this.tried = tried;
  }
}

const adviceInPackage = [
  "If there is no prebuilt file for this system, build it: in the folder of @fe/native run",
  "  npx node-gyp rebuild",
  "which needs a C++20 compiler, make and python3",
  "If the file there is for another C library than the system's, set LIBC=musl or LIBC=glibc",
];

/** The code runs from another file than its own, and cannot know where the package is. */
const adviceInBundle = [
  "A bundler has made the package part of another file, far from its addon: leave it out, as with",
  "  esbuild --external:@fe/native",
  "and install it where the bundle is run",
];

/**
 * The addon of this system. The same object for every call within a thread.
 *
 * @throws NativeUnavailableError
 */
export function loadAddon(): Addon {
  return loadAddonFrom(addonFile);
}

/** Path of the file of the addon that is loaded, or would be; `undefined` if there is none. */
export function addonPath(): string | undefined {
  try {
    return addonFile.path();
  } catch {
    return undefined;
  }
}

/** As {@link loadAddon}, with what finds the addon given. */
export function loadAddonFrom(source: {
  readonly directory: string | undefined;
  readonly load: () => unknown;
}): Addon {
  try {
    // Both come from one build; lib/binding.ts states the shape, and the contract test holds it.
    return source.load() as Addon;
  } catch (error) {
    const { directory } = source;
    const tried = directory === undefined ? [] : placesBelow(directory);
    // The file that says where the package is, stands in it.
    const isBundled = directory === undefined || !existsSync(path.join(directory, "binding.cjs"));
    throw new NativeUnavailableError(tried, error, isBundled);
  }
}

function systemName(): string {
  return `${process.platform}-${process.arch}, Node ${process.versions.node}`;
}

/** The order of node-gyp-build. */
function placesBelow(directory: string): string[] {
  const places = [
    path.join(directory, "build", "Release"),
    path.join(directory, "build", "Debug"),
    path.join(directory, "prebuilds", `${process.platform}-${process.arch}`),
    path.join(path.dirname(process.execPath), "prebuilds", `${process.platform}-${process.arch}`),
  ];
  return places.map((place) => `${place} (${addonsIn(place)})`);
}

function addonsIn(folder: string): string {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(".node"));
  } catch {
    return "not there";
  }
  return names.length === 0 ? "no addon in it" : names.join(", ");
}
