// Which engine a call gets while roots change, with engines that are not real.
import { type Engine, FeError } from "@fe/engine";
import { describe, expect, it } from "vitest";
import { fakeEngine } from "../test/connection.ts";
import { type AskClient, Workspace } from "./workspace.ts";

interface Opened {
  readonly workspace: Workspace;
  /** Roots of the engines that are open. */
  open(): string[];
}

async function openWorkspace(
  own: readonly string[],
  ask: AskClient,
  real: (root: string) => string = (root) => root,
): Promise<Opened> {
  const engines = new Map<Engine, readonly string[]>();
  const workspace = await Workspace.open(
    async ({ roots = [] }) => {
      const resolved = roots.map(real);
      const engine = fakeEngine(resolved, {
        close: async () => {
          engines.delete(engine);
        },
      });
      engines.set(engine, resolved);
      return engine;
    },
    {},
    own,
    ask,
  );
  return { workspace, open: () => [...engines.values()].map((roots) => roots.join()).sort() };
}

function rootsOf(workspace: Workspace): Promise<readonly string[]> {
  return workspace.use(async ({ roots }) => roots);
}

async function failureOf(promise: Promise<unknown>): Promise<FeError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof FeError) return error;
  throw new Error(`It should have been refused, and ended with ${String(error)}`);
}

describe("Workspace", () => {
  it("uses its own roots for a client that tells none", async () => {
    const { workspace, open } = await openWorkspace(["/p", "/q"], async () => undefined);
    expect(await rootsOf(workspace)).toEqual(["/p", "/q"]);
    expect(open()).toEqual(["/p,/q"]);
  });

  it("opens an engine with what both allow, and lets go of it at a change", async () => {
    let told = ["/p/a", "/elsewhere"];
    const { workspace, open } = await openWorkspace(["/p"], async () => told);
    expect(await rootsOf(workspace)).toEqual(["/p/a"]);
    expect(open()).toEqual(["/p", "/p/a"]);
    told = ["/"];
    workspace.changed();
    expect(await rootsOf(workspace)).toEqual(["/p"]);
    await workspace.close();
    expect(open()).toEqual([]);
  });

  it.each([
    ["none of its roots is below ours", ["/elsewhere"]],
    ["it has none", []],
  ])("allows nothing if %s", async (_what, told) => {
    const { workspace } = await openWorkspace(["/p"], async () => told);
    const error = await failureOf(rootsOf(workspace));
    expect(error.code).toBe("FE_OUTSIDE_ROOT");
    expect(error.hint).toContain('"/p"');
  });

  it("refuses an engine that a link led out of the roots while it was opened", async () => {
    let looks = 0;
    const real = (root: string): string => {
      if (root !== "/p/a") return root;
      looks += 1;
      return looks === 1 ? "/p/a" : "/etc";
    };
    const { workspace, open } = await openWorkspace(["/p"], async () => ["/p/a"], real);
    const error = await failureOf(rootsOf(workspace));
    expect(error).toMatchObject({ code: "FE_OUTSIDE_ROOT" });
    expect(error.message).toContain("was moved while it was opened");
    expect(open()).toEqual(["/p"]);
  });

  it("takes a client's root for what it really is", async () => {
    const real = (root: string): string => (root === "/p/link" ? "/etc" : root);
    const { workspace } = await openWorkspace(["/p"], async () => ["/p/link"], real);
    expect((await failureOf(rootsOf(workspace))).code).toBe("FE_OUTSIDE_ROOT");
  });

  it("allows nothing while the client does not answer, and asks again", async () => {
    let fails = true;
    const { workspace } = await openWorkspace(["/p"], async () => {
      if (fails) throw new Error("no answer");
      return ["/p"];
    });
    const error = await failureOf(rootsOf(workspace));
    expect(error.message).toBe("The client did not say which roots it allows: no answer");
    fails = false;
    expect(await rootsOf(workspace)).toEqual(["/p"]);
  });

  it("asks a client that does not answer once for all calls that wait", async () => {
    let asked = 0;
    let fail: (() => void) | undefined;
    const { workspace } = await openWorkspace(["/p"], () => {
      asked += 1;
      return new Promise((_resolve, reject) => {
        fail = () => reject(new Error("no answer"));
      });
    });
    const waiting = [workspace.prepare(), failureOf(rootsOf(workspace))] as const;
    fail?.();
    expect((await waiting[1]).code).toBe("FE_OUTSIDE_ROOT");
    await waiting[0];
    expect(asked).toBe(1);
    const next = failureOf(rootsOf(workspace));
    fail?.();
    await next;
    expect(asked).toBe(2);
  });

  it("lets a running call end on the engine that it began with", async () => {
    let told = ["/p/a"];
    const { workspace, open } = await openWorkspace(["/p"], async () => told);
    let goOn: (() => void) | undefined;
    const running = workspace.use(async ({ roots }) => {
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      return roots;
    });
    while (goOn === undefined) await Promise.resolve();
    told = ["/p/b"];
    workspace.changed();
    expect(await rootsOf(workspace)).toEqual(["/p/b"]);
    expect(open()).toEqual(["/p", "/p/a", "/p/b"]);
    const closing = workspace.close();
    expect((await failureOf(rootsOf(workspace))).code).toBe("FE_CLOSED");
    goOn();
    expect(await running).toEqual(["/p/a"]);
    await closing;
    expect(open()).toEqual([]);
  });

  it("gives no call the roots of an answer that a change has overtaken", async () => {
    const answers: Array<(roots: string[]) => void> = [];
    const { workspace } = await openWorkspace(
      ["/p"],
      () => new Promise((resolve) => answers.push(resolve)),
    );
    const roots = rootsOf(workspace);
    workspace.changed();
    answers[0]?.(["/p/old"]);
    while (answers.length < 2) await new Promise((resolve) => setImmediate(resolve));
    answers[1]?.(["/p/new"]);
    expect(await roots).toEqual(["/p/new"]);
  });
});
