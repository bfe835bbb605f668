/**
 * Holds NodeOs to the contract; on Linux by both ways of walking, and on a second kind of
 * filesystem.
 */
import fs from "node:fs";
import { tmpdir } from "node:os";
import { test } from "vitest";
import { makeNodeWorld } from "./node-world.ts";
import { describeOsContract } from "./os-contract.ts";

describeOsContract("NodeOs", () => makeNodeWorld());

if (process.platform === "linux") {
  describeOsContract("NodeOs without openat2", () => makeNodeWorld({ componentsOnly: true }));
  const memory = "/dev/shm";
  if (fs.existsSync(memory) && fs.statSync(memory).dev !== fs.statSync(tmpdir()).dev) {
    describeOsContract("NodeOs on tmpfs", () => makeNodeWorld({ below: memory }));
  } else {
    test.skip("NodeOs on tmpfs: /dev/shm is not another filesystem here", () => {});
  }
}
