/**
 * Fuzz target: what the server reads before the SDK does. Input: a command line with a NUL between
 * its words; and the same bytes as a stream in pieces, which must come out as whole lines.
 */
import path from "node:path";
import { type FuzzTarget, must } from "../../../../scripts/fuzz/target.mjs";
import { parseArguments } from "../../src/arguments.ts";
import { LineJoiner } from "../../src/line-joiner.ts";

const lineFeed = 0x0a;
const longestLine = 40;

/** Whether the command line would start a server. */
function checkArguments(input: Buffer): boolean {
  const argv = input.length === 0 ? [] : input.toString("utf8").split("\0");
  const parsed = parseArguments(argv, "/here");
  if (parsed.kind === "usage") {
    must(parsed.message !== "" && parsed.hint !== "", "says nothing, or no way out");
    must(!parsed.message.includes("\n"), "says it in more than a line");
  }
  if (parsed.kind !== "serve") return false;
  const { roots, engine } = parsed.settings;
  must(roots.length > 0 && roots.every((root) => root !== ""), "serves without a root");
  const { userDataDirectory, maxFileBytes } = engine;
  must(userDataDirectory === undefined || path.isAbsolute(userDataDirectory), "a relative store");
  must(maxFileBytes === undefined || maxFileBytes >= 0, "a size below nothing");
  return true;
}

/** Pieces as a pipe may cut them: each length comes from the bytes. */
function* piecesOf(input: Buffer): Generator<Buffer> {
  for (let at = 0; at < input.length; ) {
    const length = 1 + ((input[at] ?? 0) % 23);
    yield input.subarray(at, at + length);
    at += length;
  }
}

async function checkLines(input: Buffer): Promise<void> {
  const joiner = new LineJoiner(longestLine);
  const out: Buffer[] = [];
  let failure: Error | undefined;
  joiner.on("data", (chunk: Buffer) => out.push(chunk));
  joiner.on("error", (error) => {
    failure = error;
  });
  for (const piece of piecesOf(input)) if (failure === undefined) joiner.write(piece);
  await new Promise((resolve) => setImmediate(resolve));
  const said = Buffer.concat(out);
  must(said.equals(input.subarray(0, said.length)), "gives other bytes than it was given");
  must(said.length === 0 || said.at(-1) === lineFeed, "gives half a line");
  must(
    out.every((chunk) => chunk.at(-1) === lineFeed),
    "gives a line in pieces",
  );
  const left = input.length - (input.lastIndexOf(lineFeed) + 1);
  if (failure === undefined) {
    must(said.length === input.length - left, "keeps a line that is whole");
    must(left <= longestLine, "keeps more than it may");
  }
  const parts = input.toString("latin1").split("\n");
  const isLong = parts.some((line) => line.length > longestLine);
  must(failure === undefined || isLong, "refuses lines that are short enough");
  joiner.destroy();
}

const lines = [
  "--root\0/a",
  "--root=/a\0--root\0b\0--allow-resolve",
  "--root\0/a\0--max-file-size\x0064KiB\0--no-follow-symlinks",
  "--root\0/a\0--user-data-dir\0d\0--app\0x\0--profile\0y",
  "--help",
  "-V",
  "--root\0/a\0--max-file-size\0x\ny",
  '{"jsonrpc":"2.0","id":1}\n{"a":1}\n',
  `${"x".repeat(39)}\n${"y".repeat(41)}\n`,
];

export const target: FuzzTarget = {
  name: "stream",
  form: "text",
  words: [
    "\n",
    "\0",
    "--root",
    "--app=",
    "--profile",
    "--max-file-size",
    "1GiB",
    "off",
    "9".repeat(20),
  ],
  maxBytes: 400,
  seeds: () => lines.map((line) => Buffer.from(line)),
  async check(input) {
    await checkLines(input);
    return checkArguments(input);
  },
};
