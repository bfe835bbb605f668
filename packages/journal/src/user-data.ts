/**
 * One resolver of the user-data directory for desktop, command line and daemon: the same profile
 * gives all three the same directory, so that they meet at the same records. Pure.
 */
import { posix, win32 } from "node:path";
import type { ProcessEnvironment } from "@fe/native";
import { sha256 } from "./checksum.ts";
import { UserDataError } from "./errors.ts";

/** Which user-data directory is meant. What is left out comes from the environment. */
export interface UserDataOptions {
  /** The user-data directory itself, absolute: neither app name nor platform rule is asked then. */
  readonly userDataDirectory?: string | undefined;
  /** Name of the app, an Electron app's own as it is. @default `FE_APP_NAME`, else `fe` */
  readonly appName?: string | undefined;
  /**
   * `default` is the directory itself, others are below it. @default `FE_PROFILE`, else `default`
   */
  readonly profile?: string | undefined;
  /** Electron's `appData`, absolute, in place of the rule of the platform. */
  readonly electronAppData?: string | undefined;
}

const defaultAppName = "fe";
const defaultProfile = "default";
/** Longest profile id before the addition that keeps two ids apart. */
const maxIdLength = 64;

interface PlatformRule {
  readonly path: typeof posix;
  /** Where apps of this system keep their data. */
  appData(environment: ProcessEnvironment): string;
}

const platformRules: Readonly<Record<ProcessEnvironment["platform"], PlatformRule>> = {
  linux: {
    path: posix,
    appData({ homeDirectory, variables }) {
      const configured = variables.XDG_CONFIG_HOME;
      // A relative one is to be ignored, says the XDG Base Directory Specification.
      const isUsable = configured !== undefined && posix.isAbsolute(configured);
      return isUsable ? configured : posix.join(homeDirectory, ".config");
    },
  },
  darwin: {
    path: posix,
    appData: ({ homeDirectory }) => posix.join(homeDirectory, "Library", "Application Support"),
  },
  win32: {
    path: win32,
    appData({ homeDirectory, variables }) {
      const configured = variables.APPDATA;
      const isUsable = configured !== undefined && win32.isAbsolute(configured);
      return isUsable ? configured : win32.join(homeDirectory, "AppData", "Roaming");
    },
  },
};

/**
 * The user-data directory of a profile, absolute. Options come before the environment
 * (`FE_USER_DATA_DIR`, `FE_APP_NAME`, `FE_PROFILE`; empty ones count as unset), and that before the
 * rule of the platform, which is that of Electron's `app.getPath("appData")`, with the name of the
 * app behind it:
 *
 * - Linux: `XDG_CONFIG_HOME` if absolute (XDG Base Directory Specification), else `~/.config`.
 * - macOS: `~/Library/Application Support`.
 * - Windows: `APPDATA` if absolute, else `AppData\Roaming` below the home directory.
 *
 * Another profile than `default` is `profiles/<id>` below it, the id in lower case. Names that one
 * of these systems could not have are refused on all. Pure: whether the directory is there, nobody
 * asks.
 *
 * Errors: `UserDataError` for a relative directory, an app name that is not one name, a bad profile
 * id.
 */
export function resolveUserDataDirectory(
  environment: ProcessEnvironment,
  options: UserDataOptions = {},
): string {
  for (const name of ["userDataDirectory", "appName", "profile", "electronAppData"] as const) {
    const value: unknown = options[name];
    if (value === undefined || typeof value === "string") continue;
    throw new UserDataError(`${name} must be text, not ${typeof value}`, "Give it as text");
  }
  const rule = platformRules[environment.platform];
  const root = rootDirectory(environment, options, rule);
  const profile = options.profile ?? fromEnvironment(environment, "FE_PROFILE") ?? defaultProfile;
  const id = profileId(profile);
  return id === defaultProfile ? root : rule.path.join(root, "profiles", id);
}

function rootDirectory(
  environment: ProcessEnvironment,
  options: UserDataOptions,
  { path, appData }: PlatformRule,
): string {
  const explicit = options.userDataDirectory ?? fromEnvironment(environment, "FE_USER_DATA_DIR");
  if (explicit !== undefined) return absolute(path, explicit, "The user-data directory");
  const base =
    options.electronAppData === undefined
      ? absolute(path, appData(environment), "The home directory")
      : absolute(path, options.electronAppData, "Electron's appData");
  const app = options.appName ?? fromEnvironment(environment, "FE_APP_NAME") ?? defaultAppName;
  return path.join(base, checkAppName(app));
}

function fromEnvironment(environment: ProcessEnvironment, name: string): string | undefined {
  const value = environment.variables[name];
  return value === "" ? undefined : value;
}

function absolute(path: typeof posix, directory: string, what: string): string {
  if (!path.isAbsolute(directory) || directory.includes("\0")) {
    throw new UserDataError(`${what} is not an absolute path: "${directory}"`, "Give a full path");
  }
  const normal = path.normalize(directory);
  // `normalize` keeps a separator at the end, which a root needs and nothing else.
  const isRoot = path.parse(normal).root === normal;
  return isRoot ? normal : normal.replace(/[\\/]$/, (end) => (end === path.sep ? "" : end));
}

/** Device names of Windows; a file of such a name cannot be had there, whatever its ending. */
const deviceName = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/** The name of a directory on every system, or an error. */
function checkAppName(app: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no name may hold.
  const forbidden = /[\u0000-\u001f<>:"/\\|?*]/;
  if (isNoName(app) || app.length > maxIdLength || forbidden.test(app)) {
    throw new UserDataError(
      `The app name is not the name of a directory: "${app}"`,
      'Give the name as the app itself uses it, such as "My Editor"',
    );
  }
  return app;
}

/**
 * The directory name of a profile: lower case, only `[a-z0-9._-]`, 64 characters. Where that
 * changed the id, `-` and 8 hex digits of its SHA-256 keep it apart from every other.
 */
function profileId(profile: string): string {
  if (isNoName(profile)) {
    throw new UserDataError(
      `The profile name cannot be used: "${profile}"`,
      "Give a name that is not empty, does not end with a dot, and is no device name of Windows",
    );
  }
  const reduced = profile
    .toLowerCase()
    .replace(/[^a-z0-9._-]/gu, "-")
    .slice(0, maxIdLength);
  if (reduced === profile) return profile;
  return `${reduced}-${sha256(profile).toString("hex").slice(0, 8)}`;
}

/** Empty, only dots, a dot at the end, or a device name: no system has all of these as names. */
function isNoName(text: string): boolean {
  return text === "" || text.endsWith(".") || deviceName.test(text);
}
