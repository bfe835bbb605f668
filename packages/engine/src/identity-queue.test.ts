import { createNodeOs } from "@fe/native";
import { describe, expect, it } from "vitest";
import { IdentityQueue, queueOf } from "./identity-queue.ts";

describe("IdentityQueue", () => {
  it("S10 gives turns of one key in the order in which they were asked for", async () => {
    const queue = new IdentityQueue();
    const order: number[] = [];
    const endFirst = await queue.take("k", undefined);
    const others = [1, 2, 3].map(async (number) => {
      const end = await queue.take("k", undefined);
      order.push(number);
      end();
    });
    await Promise.resolve();
    expect(order).toEqual([]);
    endFirst();
    await Promise.all(others);
    expect(order).toEqual([1, 2, 3]);
  });

  it("S10 lets different keys run side by side", async () => {
    const queue = new IdentityQueue();
    const ends = await Promise.all([queue.take("a", undefined), queue.take("b", undefined)]);
    expect(ends).toHaveLength(2);
  });

  it("passes a turn over somebody who gave up, and ends a turn once only", async () => {
    const queue = new IdentityQueue();
    const end = await queue.take("k", undefined);
    const giveUp = new AbortController();
    const second = queue.take("k", giveUp.signal);
    const third = queue.take("k", undefined);
    giveUp.abort(new Error("enough"));
    await expect(second).rejects.toThrow("enough");
    end();
    end();
    const endThird = await third;
    let fourthHasTurn = false;
    const fourth = queue.take("k", undefined).then((endFourth) => {
      fourthHasTurn = true;
      endFourth();
    });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(fourthHasTurn).toBe(false);
    endThird();
    await fourth;
  });

  it("refuses a signal that has aborted already", async () => {
    const queue = new IdentityQueue();
    await expect(queue.take("k", AbortSignal.abort())).rejects.toThrow();
    expect(await queue.take("k", undefined)).toBeTypeOf("function");
  });

  it("is one per port", () => {
    const os = createNodeOs();
    expect(queueOf(os)).toBe(queueOf(os));
    expect(queueOf(os)).not.toBe(queueOf(createNodeOs()));
  });
});
