import { type Axis, createScale, type Scale } from "./axis.ts";
import { element, escapeText, linePath } from "./svg.ts";

/** A point of a line. Where y is no number the line is broken. */
export interface ChartPoint {
  readonly x: number;
  readonly y: number;
  /** How far it may be off, to both sides. */
  readonly error?: number | undefined;
  /** The size of its dot. */
  readonly radius?: number;
  /** Whether a ring is drawn around it. */
  readonly isChosen?: boolean;
}

export interface ChartLine {
  readonly name: string;
  /** A colour of CSS. */
  readonly color: string;
  readonly dash?: string | undefined;
  readonly points: readonly ChartPoint[];
  /** Numbers of others that it is compared with, as hollow dots. */
  readonly others?: readonly (readonly [x: number, y: number])[];
}

/** Lines over an axis. What is not a line's own has the colour of the text around the picture. */
export interface LineChart {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly lines: readonly ChartLine[];
  /** How far points may be off: as a band along the line, or a bar at each. */
  readonly errors?: "band" | "bar";
  /** The size of dots; 0 for none. */
  readonly dots?: number;
  /** A line from (0, 0) to (1, 1), which points are compared with. */
  readonly diagonal?: boolean;
  /** For a picture in a file of its own, on white ground with its title and a legend, in which `others` have a name. */
  readonly alone?: { readonly others: string };
}

/** A picture and where its axes lie in it, in pixels. */
interface Frame {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const BESIDE_TEXT: Frame = { width: 560, height: 300, left: 60, right: 536, top: 34, bottom: 254 };
const ALONE: Frame = { width: 640, height: 400, left: 62, right: 470, top: 62, bottom: 348 };
/** About how wide a letter of a legend is. */
const LETTER = 6.6;

const SOFT = { fill: "currentColor", "fill-opacity": 0.7 };

/** Draws lines with bands or bars of how far they may be off; an SVG element as text. */
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
    ...axes(chart, frame, across, up),
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
    ...(alone ? legend(lines, frame, alone.others) : []),
  );
}

/** Wide enough for the longest name in the legend. */
function withRoomFor(lines: readonly ChartLine[]): Frame {
  const longest = Math.max(...lines.map(({ name }) => name.length));
  return { ...ALONE, width: Math.max(ALONE.width, Math.ceil(ALONE.right + 51 + LETTER * longest)) };
}

function axes({ x, y }: LineChart, { left, right, top, bottom }: Frame, across: Scale, up: Scale): string[] {
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

function drawLine(
  { color, dash, points, others = [] }: ChartLine,
  { dots = 3, errors = "band" }: LineChart,
  across: Scale,
  up: Scale,
): string {
  const known = points.filter(({ y }) => Number.isFinite(y));
  const place = ({ x, y }: ChartPoint, shift = 0): readonly [number, number] | null =>
    Number.isFinite(y) ? [across.at(x), up.at(y + shift)] : null;
  const dot = (point: ChartPoint, radius: number, attributes: Record<string, string>): string =>
    element("circle", { cx: across.at(point.x), cy: up.at(point.y), r: radius, ...attributes });
  return element(
    "g",
    {},
    ...drawErrors(known, errors, color, place),
    element("path", {
      d: linePath(points.map((point) => place(point))),
      fill: "none",
      stroke: color,
      "stroke-width": 2,
      "stroke-linejoin": "round",
      "stroke-dasharray": dash,
    }),
    ...known
      .filter(({ radius = dots }) => radius > 0)
      .map((point) => dot(point, point.radius ?? dots, { fill: color })),
    ...known
      .filter(({ isChosen }) => isChosen)
      .map((point) => dot(point, 2 * dots + 1, { fill: "none", stroke: color })),
    ...others.map(([x, y]) => dot({ x, y }, 2, { fill: "white", stroke: color })),
  );
}

function drawErrors(
  points: readonly ChartPoint[],
  errors: "band" | "bar",
  color: string,
  place: (point: ChartPoint, shift: number) => readonly [number, number] | null,
): string[] {
  const sure = points.filter(({ error = 0 }) => Number.isFinite(error) && error > 0);
  if (sure.length === 0) return [];
  const side = (sign: number, of: readonly ChartPoint[]): (readonly [number, number] | null)[] =>
    of.map((point) => place(point, sign * (point.error || 0)));
  if (errors === "bar")
    return sure.map((point) =>
      element("path", { d: linePath([...side(1, [point]), ...side(-1, [point])]), stroke: color }),
    );
  const outline = [...side(1, points), ...side(-1, points).reverse()];
  return [element("path", { d: `${linePath(outline)}Z`, fill: color, "fill-opacity": 0.16 })];
}

function legend(lines: readonly ChartLine[], { right, top }: Frame, others: string): string[] {
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
