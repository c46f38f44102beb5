import type { Frame, LineChart } from "./line-chart.ts";
import type { Scale } from "./scale.ts";
import { element, escapeText } from "./svg.ts";

const SOFT = { fill: "currentColor", "fill-opacity": 0.7 };

/** Both axes: ticks with labels, grid lines at the ticks of the vertical axis, and titles. */
export function drawAxes(
  { x, y }: LineChart,
  { left, right, top, bottom }: Frame,
  across: Scale,
  up: Scale,
): string[] {
  return [
    ...up.ticks.flatMap((tick) => [
      element("line", {
        x1: left,
        x2: right,
        y1: up.at(tick),
        y2: up.at(tick),
        stroke: "currentColor",
        "stroke-opacity": 0.13,
      }),
      element(
        "text",
        { x: left - 8, y: up.at(tick) + 4, "text-anchor": "end", ...SOFT },
        escapeText(up.format(tick)),
      ),
    ]),
    ...across.ticks.map((tick) =>
      element(
        "text",
        { x: across.at(tick), y: bottom + 18, "text-anchor": "middle", ...SOFT },
        escapeText(across.format(tick)),
      ),
    ),
    element(
      "text",
      { x: (left + right) / 2, y: bottom + 38, "text-anchor": "middle", fill: "currentColor" },
      escapeText(x.title),
    ),
    element("text", { x: 4, y: top - 12, fill: "currentColor" }, escapeText(y.title)),
  ];
}
