import { drawAxes } from "./draw-axes.ts";
import { drawLegend } from "./draw-legend.ts";
import { drawLine } from "./draw-line.ts";
import type { ChartLine, Frame, LineChart } from "./line-chart.ts";
import { createScale } from "./scale.ts";
import { element, escapeText } from "./svg.ts";

const BESIDE_TEXT: Frame = { width: 560, height: 300, left: 60, right: 536, top: 34, bottom: 254 };
const ALONE: Frame = { width: 640, height: 400, left: 62, right: 470, top: 62, bottom: 348 };
/** The approximate width of a legend letter. */
const LETTER = 6.6;

/** Draws lines with error bands or bars; an SVG element as text. */
export function drawLineChart(chart: LineChart): string {
  const { title, x, y, lines, diagonal, alone } = chart;
  const frame = alone ? withRoomFor(lines) : BESIDE_TEXT;
  const points = lines.flatMap((line) => line.points);
  const across = createScale(
    x,
    points.map((point) => point.x),
    frame.left,
    frame.right,
  );
  const up = createScale(
    y,
    points.flatMap((point) => [point.y - (point.error ?? 0), point.y + (point.error ?? 0)]),
    frame.bottom,
    frame.top,
  );
  const { width, height } = frame;
  const corner = { x1: across.at(0), y1: up.at(0), x2: across.at(1), y2: up.at(1) };
  return element(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      class: "chart",
      viewBox: `0 0 ${width} ${height}`,
      ...(alone && { width, height }),
      "font-family": "system-ui, sans-serif",
      "font-size": alone ? 12 : 14,
      role: "img",
      "aria-label": title,
    },
    ...(alone
      ? [
          element("rect", { width, height, fill: "white" }),
          element("text", { x: frame.left, y: 24, "font-size": 15, "font-weight": 600 }, escapeText(title)),
        ]
      : []),
    ...drawAxes(chart, frame, across, up),
    ...(diagonal
      ? [
          element("line", {
            ...corner,
            stroke: "currentColor",
            "stroke-opacity": 0.5,
            "stroke-dasharray": "3 3",
          }),
        ]
      : []),
    ...lines.map((line) => drawLine(line, chart, across, up)),
    ...(alone ? drawLegend(lines, frame, alone.others) : []),
  );
}

/** Wide enough for the longest name in the legend. */
function withRoomFor(lines: readonly ChartLine[]): Frame {
  const longest = Math.max(...lines.map(({ name }) => name.length));
  return { ...ALONE, width: Math.max(ALONE.width, Math.ceil(ALONE.right + 51 + LETTER * longest)) };
}
