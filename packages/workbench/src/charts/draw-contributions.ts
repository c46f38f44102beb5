import type { Explanation } from "conformant";
import { logit } from "conformant/internal";
import { element, picture, shorten, text } from "./svg.ts";

/** The size of the picture. */
export interface DrawContributionsOptions {
  /** Width of the picture in pixels. Default 720. */
  readonly width?: number;
  /** The number of features drawn separately, strongest first; the rest is one bar. Default 14. */
  readonly most?: number;
}

const COLORS = { for: "#2b7a9b", against: "#cc6a2c", line: "#c9ced4", ink: "#1d2330", faint: "#6b7280" };
const ROW = 24;
const TOP = 58;
/** Space for labels on the left and numbers on the right of the bars. */
const MARGIN = { left: 220, right: 84 };
/** Larger log-odds are drawn at the edge, because a probability of 1 has infinite log-odds. */
const EDGE = 14;

/** Space for a tick label. */
const TICK = 40;
/** Tick probabilities: the first list whose labels fit. */
const TICKS = [
  [1e-5, 1e-4, 0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999],
  [1e-5, 1e-4, 0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 0.9999, 0.99999],
  [1e-5, 1e-4, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999],
  [1e-5, 0.001, 0.1, 0.5, 0.9, 0.999, 0.99999],
] as const;

interface Bar {
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly marked: boolean;
}

/**
 * An explanation as signed bars from the prior to the prediction. The axis is in log-odds, where bars add up, with probabilities as ticks.
 * A dot marks the features of the sufficient explanation.
 *
 * @returns the text of an SVG file
 */
export function drawContributions(explanation: Explanation, options: DrawContributionsOptions = {}): string {
  const { width = 720, most = 14 } = options;
  const bars = barsOf(explanation, most);
  const start = clamp(logit(explanation.prior));
  const end = bars.length > 0 ? bars[bars.length - 1].to : start;
  const places = [start, end, ...bars.flatMap(({ from, to }) => [from, to])];
  const [low, high] = [Math.min(...places) - 0.4, Math.max(...places) + 0.4];
  const x = (logOdds: number): number =>
    MARGIN.left + ((logOdds - low) / (high - low)) * (width - MARGIN.left - MARGIN.right);
  const y = (row: number): number => TOP + row * ROW;
  const last = bars.length + 1;
  const height = y(last + 1) + 34;
  const { prediction, probability, prior } = explanation;
  const title = `Why ${prediction}: from ${percent(prior)} before any observation to ${percent(probability)}`;
  return picture(width, height, title, [
    text(shorten(title, 100), { x: 16, y: 26, "font-size": 15, "font-weight": 600, fill: COLORS.ink }),
    ...axis(low, high, x, y(0) - 6, y(last + 1) + 2),
    ...endLine("nothing known", prior, start, x, y(0)),
    ...bars.flatMap((bar, i) => drawBar(bar, x, y(i + 1))),
    ...endLine(`prediction: ${shorten(prediction, 20)}`, probability, end, x, y(last)),
    ...(explanation.sufficient.length > 0 ? legend(height - 12) : []),
  ]);
}

function barsOf({ path, contributions, sufficient, prior }: Explanation, most: number): Bar[] {
  const kept = new Set(sufficient);
  const values = new Map(contributions.map(({ column, value }) => [column, value]));
  let at = clamp(logit(prior));
  const shown = path.length > most + 1 ? path.slice(0, most) : path;
  const bars = shown.map(({ column, probability }) => {
    const value = values.get(column);
    const known = value === null ? " is missing" : typeof value === "object" ? "" : ` = ${value}`;
    const bar = { label: column + known, from: at, to: clamp(logit(probability)), marked: kept.has(column) };
    at = bar.to;
    return bar;
  });
  const rest = path.length - shown.length;
  if (rest === 0) return bars;
  const marks = path.slice(shown.length).filter(({ column }) => kept.has(column)).length;
  const label = `${rest} others${marks > 0 ? `, ${marks} marked` : ""}`;
  return [...bars, { label, from: at, to: clamp(logit(path[path.length - 1].probability)), marked: false }];
}

function drawBar({ label, from, to, marked }: Bar, x: (v: number) => number, top: number): string[] {
  const fill = to >= from ? COLORS.for : COLORS.against;
  const middle = top + ROW / 2;
  const change = `${to >= from ? "+" : "−"}${Math.abs(to - from).toFixed(2)}`;
  const dot = element("circle", { cx: MARGIN.left - 14, cy: middle, r: 3.5, fill: COLORS.ink });
  return [
    text(shorten(label, 30), {
      x: MARGIN.left - 24,
      y: middle + 4,
      "text-anchor": "end",
      fill: COLORS.ink,
      ...(marked && { "font-weight": 600 }),
    }),
    ...(marked ? [dot] : []),
    element("rect", {
      x: Math.min(x(from), x(to)),
      y: top + 4,
      width: Math.max(1, Math.abs(x(to) - x(from))),
      height: ROW - 8,
      fill,
    }),
    element("line", {
      x1: x(to),
      x2: x(to),
      y1: top + 4,
      y2: top + ROW + 4,
      stroke: COLORS.faint,
      "stroke-width": 1,
    }),
    text(change, { x: Math.max(x(from), x(to)) + 6, y: middle + 4, fill: COLORS.faint, "font-size": 11 }),
  ];
}

/** The first or last line: a label, a short mark and the probability. */
function endLine(label: string, p: number, at: number, x: (v: number) => number, top: number): string[] {
  const middle = top + ROW / 2;
  return [
    text(label, {
      x: MARGIN.left - 24,
      y: middle + 4,
      "text-anchor": "end",
      fill: COLORS.ink,
      "font-style": "italic",
    }),
    element("circle", { cx: x(at), cy: middle, r: 4.5, fill: COLORS.ink }),
    text(percent(p), { x: x(at) + 10, y: middle + 4, fill: COLORS.ink, "font-weight": 600 }),
  ];
}

function legend(y: number): string[] {
  return [
    element("circle", { cx: 20, cy: y - 4, r: 3.5, fill: COLORS.ink }),
    text("enough for the decision", { x: 30, y, fill: COLORS.faint, "font-size": 11 }),
  ];
}

/** Vertical lines at round probabilities within the range. */
function axis(low: number, high: number, x: (v: number) => number, top: number, bottom: number): string[] {
  const inside = (ticks: readonly number[]): number[] =>
    ticks.filter((p) => logit(p) >= low && logit(p) <= high);
  const fits = (ticks: readonly number[]): boolean =>
    ticks.every((p, i) => i === 0 || x(logit(p)) - x(logit(ticks[i - 1])) >= TICK);
  const ticks = TICKS.map(inside).find(fits) ?? [];
  return ticks.flatMap((p) => [
    element("line", { x1: x(logit(p)), x2: x(logit(p)), y1: top, y2: bottom, stroke: COLORS.line }),
    text(String(p), {
      x: x(logit(p)),
      y: bottom + 16,
      "text-anchor": "middle",
      fill: COLORS.faint,
      "font-size": 11,
    }),
  ]);
}

function clamp(logOdds: number): number {
  return Math.min(EDGE, Math.max(-EDGE, logOdds));
}

function percent(p: number): string {
  if (p > 0.9995) return "> 0.999";
  return p < 0.0005 ? "< 0.001" : p.toFixed(3);
}
