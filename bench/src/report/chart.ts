/**
 * A bar chart as SVG: groups of bars, each relative to the same base, which is a line. Written by
 * hand, so that nothing is needed to draw it. Pure.
 */

export interface Bar {
  readonly name: string;
  readonly value: number;
}

export interface BarGroup {
  readonly title: string;
  readonly bars: readonly Bar[];
}

export interface ChartOptions {
  readonly title: string;
  readonly subtitle: string;
  /** Longer bars are cut here and say what they are. */
  readonly cutAt: number;
  /** Where the line of the base is. */
  readonly base: number;
  /** The name of the bars that stand out. */
  readonly emphasized: string;
}

const width = 760;
const left = 170;
const right = 90;
const barHeight = 16;
const barGap = 3;
const groupGap = 16;
const top = 62;

/** The text of an SVG file. */
export function barChart(groups: readonly BarGroup[], options: ChartOptions): string {
  const { title, subtitle, cutAt, base, emphasized } = options;
  const scale = (width - left - right) / cutAt;
  const parts: string[] = [];
  let y = top;
  for (const group of groups) {
    parts.push(text(12, y + 12, group.title, "group"));
    for (const { name, value } of group.bars) {
      const isCut = value > cutAt;
      const length = Math.max(1, Math.min(value, cutAt) * scale);
      const kind = name === emphasized ? "bar ours" : "bar";
      const label = `${value.toFixed(value < 10 ? 2 : 0)}${isCut ? " »" : ""}`;
      parts.push(text(left - 8, y + 12, name, "name"));
      const size = `width="${round(length)}" height="${barHeight}"`;
      parts.push(`<rect class="${kind}" x="${left}" y="${y}" ${size}/>`);
      parts.push(text(round(left + length + 6), y + 12, label, "value"));
      y += barHeight + barGap;
    }
    y += groupGap;
  }
  const lineAt = round(left + base * scale);
  const across = `y1="${top - 6}" y2="${y - groupGap + 4}"`;
  const line = `<line class="base" x1="${lineAt}" x2="${lineAt}" ${across}/>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${styles}</style>`,
    `<rect class="back" width="${width}" height="${y}"/>`,
    text(12, 24, title, "title"),
    text(12, 44, subtitle, "subtitle"),
    ...parts,
    line,
    "</svg>",
    "",
  ].join("\n");
}

const styles = [
  "text{font:12px system-ui,sans-serif;fill:#24292f}",
  ".back{fill:#fff}.title{font-size:15px;font-weight:600}.subtitle{fill:#57606a}",
  ".group{font-weight:600}.name{text-anchor:end}.bar{fill:#9aa7b5}.ours{fill:#1f7a4d}",
  ".base{stroke:#24292f;stroke-dasharray:3 3}",
  "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.back{fill:#0d1117}",
  ".subtitle{fill:#9198a1}.bar{fill:#56606b}.ours{fill:#3fb27f}.base{stroke:#e6edf3}}",
].join("");

function text(x: number, y: number, content: string, kind: string): string {
  return `<text class="${kind}" x="${x}" y="${y}">${escaped(content)}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
