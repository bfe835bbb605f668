import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { strandEdit } from "../test/orphans.ts";
import { failureOf, Place } from "../test/place.ts";
import { unhandledDuring } from "../test/unhandled.ts";
import { eventChannels } from "./events.ts";
import type { EditRequest } from "./options.ts";

/** Messages of both channels while something runs. */
async function messagesOf(work: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const messages: Record<string, unknown>[] = [];
  const listener = (message: unknown, name: string | symbol) => {
    messages.push({ channel: name, ...(message as object) });
  };
  for (const name of Object.values(eventChannels)) subscribe(name, listener);
  try {
    await work();
  } finally {
    for (const name of Object.values(eventChannels)) unsubscribe(name, listener);
  }
  return messages;
}

function throwing(message: string): never {
  throw new Error(message);
}

const edit = { oldString: "secret", newString: "hidden" };

describe("events", () => {
  it("B15 tell of an edit and a preview: sizes, hashes, duration; no bytes", async () => {
    const place = new Place();
    const path = place.path("f");
    writeFileSync(path, "a secret\n");
    const engine = await place.engine();
    const messages = await messagesOf(async () => {
      await engine.preview({ path, ...edit }, { diff: true });
      await engine.edit({ path, ...edit }, { diff: true });
    });
    const facts = { channel: "fe:edit", path, realPath: path, bytesBefore: 9, bytesAfter: 9 };
    expect(messages).toMatchObject([
      { ...facts, operation: "preview", status: "unchanged", durability: "none" },
      { ...facts, operation: "edit", status: "applied", replacements: 1, durability: "synced" },
    ]);
    for (const { durationMs, afterSha256 } of messages) {
      expect(durationMs).toBeGreaterThan(0);
      expect(afterSha256).toMatch(/^[0-9a-f]{64}$/u);
    }
    expect(JSON.stringify(messages)).not.toMatch(/secret|hidden/u);
  });

  it("Q5 name no path if a program without types gives one that is no text", async () => {
    const engine = await new Place().engine();
    const messages = await messagesOf(async () => {
      for (const request of [undefined, { path: 7, ...edit }]) {
        await failureOf(engine.edit(request as unknown as EditRequest));
      }
    });
    expect(messages).toMatchObject([
      { code: "FE_INVALID_REQUEST" },
      { code: "FE_INVALID_REQUEST" },
    ]);
    expect(messages.some((message) => "path" in message)).toBe(false);
  });

  it("B15 change nothing in when a call begins: `close` waits for it", async () => {
    const place = new Place();
    const path = place.path("f");
    writeFileSync(path, "a secret\n");
    const engine = await place.engine();
    const messages = await messagesOf(async () => {
      const calls = [engine.edit({ path, ...edit }), engine.recovery.list()] as const;
      await engine.close();
      expect(await Promise.all(calls)).toMatchObject([{ status: "applied" }, []]);
    });
    expect(messages).toHaveLength(2);
  });

  it("B15 leave it to Node if a subscriber throws or rejects; the call is as it was", async () => {
    const place = new Place();
    const path = place.path("f");
    writeFileSync(path, "a secret\n");
    const engine = await place.engine();
    for (const [event, subscriber] of [
      ["uncaughtException", () => throwing("thrown")],
      ["unhandledRejection", async () => throwing("thrown")],
    ] as const) {
      subscribe(eventChannels.edit, subscriber);
      const met = await unhandledDuring(event, async () => {
        expect(await engine.preview({ path, ...edit })).toMatchObject({ dryRun: true });
      }).finally(() => unsubscribe(eventChannels.edit, subscriber));
      expect(met, event).toMatchObject([{ message: "thrown" }]);
    }
  });

  it("B15 tell of failures, by their codes, also of a closed engine", async () => {
    const place = new Place();
    const path = place.path("f");
    writeFileSync(path, "a\n");
    const engine = await place.engine();
    const messages = await messagesOf(async () => {
      await failureOf(engine.edit({ path, ...edit }));
      await engine.close();
      await failureOf(engine.edit({ path, ...edit }));
      await failureOf(engine.recovery.list());
    });
    expect(messages).toMatchObject([
      { status: "rejected", code: "FE_NO_MATCH", effect: "none", retryable: false },
      { status: "failed", code: "FE_CLOSED" },
      { channel: "fe:recovery", operation: "list", code: "FE_CLOSED" },
    ]);
    expect(JSON.stringify(messages)).not.toMatch(/secret|hidden/u);
  });

  it("B15 tell of recovery: what was decided, and taken back", async () => {
    const place = new Place();
    const path = place.path("f");
    writeFileSync(path, "a secret\n");
    const id = await strandEdit(place, path, edit, "torn");
    const engine = await place.engine();
    const messages = await messagesOf(async () => {
      await failureOf(engine.edit({ path, ...edit }));
      await engine.recovery.list();
      await (await engine.recovery.show(id, "before")).close();
      await engine.recovery.resolve(id, { keep: "before" });
      await engine.recovery.undo(id);
    });
    expect(messages).toMatchObject([
      {
        operation: "edit",
        status: "recovery_required",
        code: "FE_RECOVERY_REQUIRED",
        recordId: id,
      },
      { operation: "list", status: "done" },
      { operation: "show", status: "done", id },
      {
        operation: "resolve",
        status: "applied",
        kept: "before",
        path,
        bytesBefore: 4,
        recordId: id,
      },
      { operation: "undo", status: "applied", path, bytesBefore: 9, bytesAfter: 4 },
    ]);
    expect(messages.every(({ durationMs }) => typeof durationMs === "number")).toBe(true);
  });
});
