import type { ChartLine, Frame } from "./line-chart.ts";
import { element, escapeText } from "./svg.ts";

/** The names of the lines beside the picture, and below them the name of the reference values. */
export function drawLegend(lines: readonly ChartLine[], { right, top }: Frame, others: string): string[] {
  const x = right + 20;
  const y = (i: number): number => top + 14 + 22 * i;
  const entries = lines.map(({ name, color, dash }, i) =>
    element(
      "g",
      {},
      element("line", {
        x1: x,
        x2: x + 24,
        y1: y(i),
        y2: y(i),
        stroke: color,
        "stroke-width": 2,
        "stroke-dasharray": dash,
      }),
      element("text", { x: x + 31, y: y(i) + 4 }, escapeText(name)),
    ),
  );
  if (lines.every((line) => (line.others ?? []).length === 0)) return entries;
  const last = y(lines.length) + 8;
  return [
    ...entries,
    element("circle", { cx: x + 12, cy: last, r: 2, fill: "white", stroke: "#555" }),
    element("text", { x: x + 31, y: last + 4 }, escapeText(others)),
  ];
}
