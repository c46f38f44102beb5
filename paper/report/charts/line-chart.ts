import { element, escapeText, linePath } from "./svg.ts";

/** A line over x with a band around it, and dots for the published numbers. */
export interface ChartLine {
  readonly label: string;
  readonly color: string;
  readonly dash?: string;
  readonly x: readonly number[];
  /** One value for each x; the line is broken where there is none. */
  readonly values: readonly (number | null)[];
  /** Half the height of the band at each x. */
  readonly band: readonly (number | null)[];
  readonly dots: readonly (readonly [x: number, y: number])[];
}

export interface LineChart {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly xMax: number;
  readonly yMin: number;
  readonly yMax: number;
  readonly xTicks: readonly number[];
  readonly yTicks: readonly number[];
  readonly lines: readonly ChartLine[];
}

/** Wide enough for short labels; longer ones widen the picture. */
const LEAST_WIDTH = 640;
/** Where labels begin, and about how wide a letter is. */
const [LABELS, LETTER] = [521, 6.6];
const HEIGHT = 400;
const LEFT = 62;
const RIGHT = 470;
const TOP = 40;
const BOTTOM = 340;

type Point = readonly [number, number];

/** Where x and y of the data lie in the picture. */
interface Scale {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
}

/** Draws a chart: title, axes with light lines, bands, lines, the published dots, and a legend at the side. */
export function drawLineChart(chart: LineChart): string {
  const scale: Scale = {
    x: (value) => LEFT + (value / chart.xMax) * (RIGHT - LEFT),
    y: (value) =>
      BOTTOM - ((Math.min(value, chart.yMax) - chart.yMin) / (chart.yMax - chart.yMin)) * (BOTTOM - TOP),
  };
  const longest = Math.max(...chart.lines.map(({ label }) => label.length));
  const width = Math.max(LEAST_WIDTH, Math.ceil(LABELS + LETTER * longest));
  return element(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `0 0 ${width} ${HEIGHT}`,
      width,
      height: HEIGHT,
      "font-family": "system-ui, sans-serif",
      "font-size": 12,
      role: "img",
      "aria-label": chart.title,
    },
    element("rect", { width, height: HEIGHT, fill: "white" }),
    element("text", { x: LEFT, y: 22, "font-size": 15, "font-weight": 600 }, escapeText(chart.title)),
    ...axes(chart, scale),
    ...chart.lines.map((line) => drawLine(line, scale)),
    ...legend(chart.lines),
  );
}

function axes({ xTicks, yTicks, xLabel, yLabel }: LineChart, { x, y }: Scale): string[] {
  const middle = (TOP + BOTTOM) / 2;
  return [
    ...yTicks.flatMap((tick) => [
      element("line", { x1: LEFT, x2: RIGHT, y1: y(tick), y2: y(tick), stroke: "#e4e4e4" }),
      element("text", { x: LEFT - 8, y: y(tick) + 4, "text-anchor": "end", fill: "#555" }, String(tick)),
    ]),
    ...xTicks.flatMap((tick) => [
      element("line", { x1: x(tick), x2: x(tick), y1: BOTTOM, y2: BOTTOM + 5, stroke: "#999" }),
      element("text", { x: x(tick), y: BOTTOM + 19, "text-anchor": "middle", fill: "#555" }, String(tick)),
    ]),
    element("line", { x1: LEFT, x2: RIGHT, y1: BOTTOM, y2: BOTTOM, stroke: "#999" }),
    element("text", { x: (LEFT + RIGHT) / 2, y: BOTTOM + 42, "text-anchor": "middle" }, escapeText(xLabel)),
    element(
      "text",
      { x: 18, y: middle, "text-anchor": "middle", transform: `rotate(-90 18 ${middle})` },
      escapeText(yLabel),
    ),
  ];
}

function drawLine(line: ChartLine, scale: Scale): string {
  const { x } = line;
  const at = (i: number, shift: number): Point | null => {
    const value = line.values[i];
    return value === null ? null : [scale.x(x[i]), scale.y(value + shift)];
  };
  const upper = x.map((_, i) => at(i, line.band[i] ?? 0));
  const lower = x.map((_, i) => at(i, -(line.band[i] ?? 0))).reverse();
  const outline = [...upper, ...lower].filter((point) => point !== null);
  return element(
    "g",
    {},
    element("path", { d: `${linePath(outline)}Z`, fill: line.color, opacity: 0.18 }),
    element("path", {
      d: linePath(x.map((_, i) => at(i, 0))),
      fill: "none",
      stroke: line.color,
      "stroke-width": 2,
      "stroke-dasharray": line.dash,
    }),
    ...line.dots.map(([a, b]) =>
      element("circle", { cx: scale.x(a), cy: scale.y(b), r: 2, fill: "white", stroke: line.color }),
    ),
  );
}

function legend(lines: readonly ChartLine[]): string[] {
  const x = RIGHT + 20;
  const entries = lines.map(({ label, color, dash }, i) => {
    const y = TOP + 14 + 22 * i;
    return element(
      "g",
      {},
      element("line", {
        x1: x,
        x2: x + 24,
        y1: y,
        y2: y,
        stroke: color,
        "stroke-width": 2,
        "stroke-dasharray": dash,
      }),
      element("text", { x: x + 31, y: y + 4 }, escapeText(label)),
    );
  });
  if (lines.every(({ dots }) => dots.length === 0)) return entries;
  const y = TOP + 14 + 22 * lines.length + 8;
  return [
    ...entries,
    element("circle", { cx: x + 12, cy: y, r: 2, fill: "white", stroke: "#555" }),
    element("text", { x: x + 31, y: y + 4 }, "authors' files"),
  ];
}
