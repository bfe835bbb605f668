// That a command which a hint names can be typed as it stands.
import { FeError } from "@fe/engine";
import { describe, expect, it } from "vitest";
import { fe } from "../../test/fake-world.ts";

describe("run() with hints of the engine", () => {
  it("B10 names in a hint the record and the store that the command was given", async () => {
    const hint = 'Look again (`recovery.show`), or see `recovery.list`, or `keep: "current"`';
    const refuse = () => Promise.reject(new FeError("FE_CONTENT_CHANGED", "Changed", { hint }));
    const recovery = { show: refuse, resolve: refuse, undo: refuse };
    const store = ["--app", "x"];
    for (const [command, given, keep] of [
      ["show", ["--version", "before"], "fe recovery resolve 01234567 --keep current --app x"],
      ["diff", [], "fe recovery resolve 01234567 --keep current --app x"],
      ["merge", [], "fe recovery resolve 01234567 --keep current --app x"],
      ["resolve", ["--keep", "before"], "--keep current"],
      ["undo", [], "fe recovery resolve 01234567 --keep current --app x"],
    ] as const) {
      const argv = ["recovery", command, "01234567", ...given, ...store];
      const told =
        "Look again (`fe recovery show 01234567 --version VERSION --app x`), " +
        `or see \`fe recovery list --app x\`, or \`${keep}\``;
      expect((await fe(argv, { engine: { recovery } })).err, command).toContain(`${told}\n`);
      const json = await fe([...argv, "--json"], { engine: { recovery } });
      expect(JSON.parse(json.out)).toMatchObject({ error: { hint: told } });
    }
  });
});
