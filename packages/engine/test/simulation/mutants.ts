/**
 * Engines with one protection taken out, to show that the simulation sees what it is for.
 *
 * Most are made by a port that leaves a call out or lies about its answer, so that the product
 * needs no hook; the rest by replacing a module (see `simulation.mutants.crash.test.ts`).
 */
import type { Os, StoreFile } from "@fe/native";
import { type InterceptedCall, interceptOs, type Watcher } from "@fe/native/testing";
import type { MakeOs } from "./books.ts";
import { contended, failingDisk, type Profile, throng, vandal } from "./profiles.ts";

/** Leaves calls out, as if they had succeeded. */
function without(isLeftOut: (call: InterceptedCall) => boolean): MakeOs {
  return (os) => interceptOs(os, (call) => (isLeftOut(call) ? undefined : call.proceed()));
}

/** A watcher with a memory of its own for each process. */
function watching(make: () => Watcher): MakeOs {
  return (os) => interceptOs(os, make());
}

/** The mark of a failed sync: the one writing at the beginning of a record that says 3. */
function unmarked(os: Os): Os {
  return interceptOs(os, ({ name, args, proceed }) => {
    const [bytes, position] = args as [Uint8Array, number];
    const isMark = name === "file.write" && position === 0 && bytes[8] === 3;
    return isMark ? bytes.length : proceed();
  });
}

/** Syncs of directories: that of step 14, when nothing else is to be done, or all others. */
function directorySyncs(which: "late" | "others"): MakeOs {
  return without(({ name }) => {
    if (name !== "directory.sync") return false;
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 20;
    const isLate = new Error("who calls").stack?.includes("syncIfNeeded") === true;
    Error.stackTraceLimit = stackTraceLimit;
    return isLate === (which === "late");
  });
}

interface Remembered {
  bytes: Uint8Array | undefined;
  status: unknown;
  isWritten: boolean;
}

/**
 * Step 10 sees the bytes, or the path, as they were at the first look: for each open target what it
 * read first until it is written, for each path where it led first.
 */
function blindToBytes(os: Os): Os {
  const memory = new WeakMap<object, Remembered>();
  return interceptOs(os, async (call) => {
    if (!call.name.startsWith("target.")) return call.proceed();
    const seen = memory.get(call.handle) ?? {
      bytes: undefined,
      status: undefined,
      isWritten: false,
    };
    memory.set(call.handle, seen);
    if (/overwrite|setLength/.test(call.name)) seen.isWritten = true;
    if (seen.isWritten) return call.proceed();
    if (call.name === "target.status") {
      const status = await call.proceed();
      seen.status ??= status;
      return seen.bytes === undefined ? status : seen.status;
    }
    const [buffer, position] = call.args as [Uint8Array, number];
    if (call.name !== "target.read" || position !== 0) return call.proceed();
    if (seen.bytes === undefined) {
      const count = Number(await call.proceed());
      seen.bytes = buffer.slice(0, count);
      return count;
    }
    const part = seen.bytes.subarray(0, buffer.length);
    buffer.set(part);
    return part.length;
  });
}

function blindToPath(os: Os): Os {
  const found = new Map<unknown, unknown>();
  return interceptOs(os, async (call) => {
    const [path] = call.args;
    if (call.name === "os.openTarget") {
      const opened = await call.proceed();
      found.set(path, opened);
      return opened;
    }
    return call.name === "os.inspectTarget" ? found.get(path) : call.proceed();
  });
}

/** How the journal asks whether locks exclude here; told so, it takes them for real. */
const isProbe = /openFile .*\.lock$/;

/** Locks that are said to be taken and are not. The probe of the store is answered as it should. */
function locksNotTaken(which: RegExp): MakeOs {
  return watching(() => {
    const opened = new WeakMap<object, string>();
    return async (call) => {
      const { name, args, handle } = call;
      if (/\.(openFile|openOrCreateFile|createFile|createUnnamedFile)$/.test(name)) {
        const made = (await call.proceed()) as object;
        opened.set(made, `${name} ${String(args[0])}`);
        return made;
      }
      const about = opened.get(handle) ?? "";
      if (name !== "file.tryLock") return call.proceed();
      if (isProbe.test(about)) return false;
      return which.test(about) ? true : call.proceed();
    };
  });
}

/**
 * A record is taken for the one that was judged, whatever stands at its name by now: the look after
 * locking and the look at the tombstone both see what was opened first.
 */
function unverified(os: Os): Os {
  let judged: StoreFile | undefined;
  const tombstones = new WeakSet<object>();
  return interceptOs(os, async (call) => {
    const { name, args, handle } = call;
    const about = typeof args[0] === "string" ? args[0] : "";
    if (name === "directory.openFile" && /\.(fer|reap)$/.test(about)) {
      const opened = (await call.proceed()) as StoreFile;
      if (about.endsWith(".fer")) judged = opened;
      else tombstones.add(opened);
      return opened;
    }
    if (judged === undefined) return call.proceed();
    if (name === "directory.entryStatus" && about.endsWith(".fer")) {
      return judged.entryStatus().catch(() => call.proceed());
    }
    if (!tombstones.has(handle)) return call.proceed();
    if (name === "file.entryStatus") return judged.entryStatus();
    return name === "file.read"
      ? judged.read(args[0] as Uint8Array, args[1] as number)
      : call.proceed();
  });
}

/** The process says nothing of itself but its pid. */
function onlyPid(os: Os): Os {
  return interceptOs(os, async (call) => {
    if (call.name === "os.probeProcess") {
      const { answer } = (await call.proceed()) as { answer: string };
      return { answer };
    }
    if (call.name !== "os.self") return call.proceed();
    const { pid, hostId } = (await call.proceed()) as { pid: number; hostId: string };
    return { pid, hostId };
  });
}

/** The kernel is said to keep others out, and keeps nobody out. */
function lyingLease(os: Os): Os {
  return interceptOs(os, ({ name, proceed }) => {
    if (name === "target.startExclusion") return { granted: true, holdsMs: 45_000 };
    return name === "target.isExclusionUnbroken" ? true : proceed();
  });
}

/** A protection that is taken out, and who is to notice. */
export interface Mutant {
  readonly name: string;
  readonly makeOs?: MakeOs;
  /** Other runs than the usual ones. */
  readonly profile?: Profile;
  /** Which replaced module behaves wrongly. */
  readonly module?: string;
  /** `caught`: within the seeds of the test. `harmless`: nothing is wrong without it. */
  readonly expected: "caught" | "harmless";
  readonly why?: string;
}

export const mutants: readonly Mutant[] = [
  {
    name: "sync of the record left out",
    makeOs: without(({ name }) => name === "file.sync"),
    expected: "caught",
  },
  {
    name: "sync of the directories after a name was made left out",
    makeOs: directorySyncs("others"),
    expected: "caught",
  },
  {
    name: "sync of the target left out",
    makeOs: without(({ name }) => name === "target.sync"),
    expected: "caught",
  },
  {
    name: "sync of the target before a reclaim left out",
    makeOs: without(({ name }) => name === "reader.sync"),
    expected: "caught",
  },
  {
    name: "late sync of the directory left out",
    makeOs: directorySyncs("late"),
    expected: "harmless",
    why: "a removed record that comes back is judged again: F, G or I",
  },
  {
    name: "verify before: bytes not compared",
    makeOs: blindToBytes,
    expected: "caught",
  },
  { name: "verify before: path not walked again", makeOs: blindToPath, expected: "caught" },
  { name: "verify before: left out", module: "no-verify", expected: "caught" },
  { name: "truncated first", module: "truncate-first", expected: "caught" },
  {
    name: "key lock not taken",
    makeOs: locksNotTaken(/openOrCreateFile .*\.lock/),
    profile: throng,
    expected: "caught",
  },
  {
    name: "record lock not taken",
    profile: { ...vandal, alwaysLocks: true },
    makeOs: locksNotTaken(/openFile .*\.fer|createUnnamedFile|createFile .*\.tmp/),
    expected: "caught",
  },
  {
    name: "neither lock taken",
    makeOs: locksNotTaken(/openOrCreateFile .*\.lock|\.fer|createUnnamedFile|\.tmp/),
    profile: throng,
    expected: "caught",
  },
  {
    name: "record removed by path, unverified",
    makeOs: unverified,
    profile: { ...vandal, alwaysLocks: true },
    expected: "caught",
  },
  {
    name: "lease said to be held, and not taken",
    makeOs: lyingLease,
    profile: contended,
    expected: "caught",
  },
  { name: "owner judged by its pid alone", makeOs: onlyPid, expected: "caught" },
  {
    name: "failed sync not marked in the record",
    makeOs: unmarked,
    profile: failingDisk,
    expected: "caught",
  },
  {
    name: "equal bytes trusted when a doubtful record is resolved",
    module: "trusting-resolve",
    profile: failingDisk,
    expected: "caught",
  },
];
