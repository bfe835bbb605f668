/**
 * Applies a unified diff with no tolerance whatever: every line number, count, context line and
 * mark of a missing newline must be right. Bytes stand as Latin-1.
 */
export function applyPatch(before: Uint8Array, diff: Uint8Array): Buffer {
  const lines = splitLines(Buffer.from(before).toString("latin1"));
  const patch = splitLines(Buffer.from(diff).toString("latin1"));
  if (patch.length === 0) return Buffer.from(before);
  if (!patch[0]?.startsWith("--- ") || !patch[1]?.startsWith("+++ ")) throw new Error("no header");
  let at = 2;
  let done = 0;
  const after: string[] = [];
  while (at < patch.length) {
    const [, from, fromCount = "1", to, toCount = "1"] =
      /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n$/u.exec(patch[at] ?? "") ?? [];
    if (from === undefined) throw new Error(`no hunk: ${patch[at]}`);
    at += 1;
    const first = Number(fromCount) === 0 ? Number(from) : Number(from) - 1;
    for (const line of lines.slice(done, first)) after.push(line);
    done = first;
    const start = Number(toCount) === 0 ? Number(to) : Number(to) - 1;
    if (after.length !== start) throw new Error(`the hunk is at ${start}, not ${after.length}`);
    let context = [0, 0];
    let seen = false;
    for (; at < patch.length && !patch[at]?.startsWith("@@"); at++) {
      const line = patch[at] ?? "";
      const open = patch[at + 1]?.startsWith("\\ No newline") === true;
      const text = open ? line.slice(1, -1) : line.slice(1);
      if (line[0] === " " || line[0] === "-") {
        if (lines[done] !== text) throw new Error(`line ${done + 1} is not ${text}`);
        done += 1;
      }
      if (line[0] === " " || line[0] === "+") after.push(text);
      if (line[0] === " ")
        context = seen ? [context[0] ?? 0, (context[1] ?? 0) + 1] : [(context[0] ?? 0) + 1, 0];
      else {
        seen = true;
        context = [context[0] ?? 0, 0];
      }
      if (open) at += 1;
    }
    if (done - first !== Number(fromCount)) throw new Error("wrong count before");
    if (after.length - start !== Number(toCount)) throw new Error("wrong count after");
    // `patch` takes fewer lines on one side for an end of the file.
    const [above = 0, below = 0] = context;
    if (above > 3 || below > 3 || !seen) throw new Error("wrong context");
    if (above < 3 && start !== 0) throw new Error("too little context above");
    if (below < 3 && done !== lines.length) throw new Error("too little context below");
  }
  for (const line of lines.slice(done)) after.push(line);
  return Buffer.from(after.join(""), "latin1");
}

function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
}
