import type { ChartLine, ChartPoint, LineChart } from "./line-chart.ts";
import type { Scale } from "./scale.ts";
import { element, linePath } from "./svg.ts";

/** A line with its dots, errors and reference values. */
export function drawLine(
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
