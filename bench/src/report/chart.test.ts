import { describe, expect, it } from "vitest";
import { barChart } from "./chart.ts";

const options = { title: "T", subtitle: "S", cutAt: 2, base: 1, emphasized: "us" };

function widths(svg: string): number[] {
  return [...svg.matchAll(/class="bar[^"]*" [^>]*?width="([\d.]+)"/gu)].map((hit) =>
    Number(hit[1]),
  );
}

describe("barChart()", () => {
  it("draws bars in proportion, and marks ours", () => {
    const bars = [
      { name: "us", value: 0.5 },
      { name: "them", value: 1 },
    ];
    const svg = barChart([{ title: "4 KiB", bars }], options);
    const [ours = 0, theirs = 0] = widths(svg);
    expect(theirs).toBeCloseTo(2 * ours, 0);
    expect(svg.match(/class="bar ours"/gu)).toHaveLength(1);
    expect(svg).toContain(">0.50<");
  });

  it("cuts a bar that is too long, and says how long it is", () => {
    const bars = [
      { name: "a", value: 2 },
      { name: "b", value: 27 },
    ];
    const svg = barChart([{ title: "128 MiB", bars }], options);
    const [full, cut] = widths(svg);
    expect(cut).toBe(full);
    expect(svg).toContain(">27 »<");
  });

  it("lets no text end an element", () => {
    const svg = barChart([{ title: "<b>&", bars: [{ name: "</text>", value: 1 }] }], options);
    expect(svg).toContain("&lt;b&gt;&amp;");
    expect(svg).not.toContain("</text></text>");
  });

  it("grows with its groups", () => {
    const group = { title: "g", bars: [{ name: "a", value: 1 }] };
    const heightOf = (svg: string): number => Number(/viewBox="0 0 760 (\d+)"/u.exec(svg)?.[1]);
    const one = heightOf(barChart([group], options));
    expect(heightOf(barChart([group, group], options))).toBeGreaterThan(one);
  });
});
