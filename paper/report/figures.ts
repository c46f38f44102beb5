import { type ChartLine, drawLineChart } from "conformant-workbench";
import { methodOf, PAPER_METHODS } from "../methods/methods.ts";
import type { Measure, Results } from "../protocol/scores/results.ts";
import { authorsSeries } from "./published.ts";
import { roundUp } from "./round-up.ts";
import { MEASURE_NAMES, shortTitle } from "./series.ts";

/** The methods of the figures, in the order of the legend. Colors by Okabe and Ito, distinct to color-blind eyes. */
const LINES: readonly (readonly [method: string, color: string, dash?: string])[] = [
  ["nacl", "#d55e00"],
  ["mean", "#0072b2"],
  ["median", "#009e73"],
  ["min", "#cc79a7"],
  ["max", "#999999"],
  ["naive_bayes", "#555555", "5 4"],
  ["em", "#56b4e9", "2 3"],
  ["knn", "#000000", "2 3"],
  ["mixture", "#e69f00"],
];

/** A picture of one dataset and measure. */
export interface Panel {
  readonly file: string;
  readonly title: string;
  readonly svg: string;
}

/** Every dataset in both measures with the authors' numbers as dots; of two splits the authors' own. */
export function drawPanels(results: readonly Results[]): Panel[] {
  const shown = results.filter(
    ({ dataset, split }) =>
      split === "authors" || !results.some((other) => other.dataset === dataset && other.split === "authors"),
  );
  return shown.flatMap((result) => [
    drawPanel(result, "cross_entropy"),
    drawPanel(result, correctnessOf(result)),
  ]);
}

/** The measure of correctness that the authors' file has. */
function correctnessOf({ dataset, measure }: Results): Measure {
  const series = authorsSeries(dataset);
  return series && !series[measure] ? "accuracy" : measure;
}

function drawPanel(result: Results, measure: Measure): Panel {
  const isImage = result.measure === "accuracy";
  const fidelity = measure === "cross_entropy";
  // Like the paper's figure without max, which is orders of magnitude worse on images.
  const lines = LINES.filter(([method]) => !(isImage && fidelity && method === "max"));
  const yMax = fidelity ? roundUp(largestOf(result, isImage)) : 1;
  const yMin = fidelity ? 0 : startOf(result, measure);
  const title = `${shortTitle(result)}: ${fidelity ? "cross entropy to the full-data prediction" : MEASURE_NAMES[measure]}`;
  const { columns } = result;
  const svg = drawLineChart({
    title,
    x: {
      title: `missing ${isImage ? "pixels" : "columns"} of ${columns}`,
      domain: [0, columns],
      ticks: ticksOf(columns),
    },
    y: {
      title: fidelity ? "cross entropy in nats" : MEASURE_NAMES[measure],
      domain: [yMin, yMax],
      ticks: fifths(yMin, yMax),
    },
    dots: 0,
    alone: { others: "authors' files" },
    lines: lines.flatMap((line) => chartLine(result, measure, line, yMax)),
  });
  return { file: `${result.dataset}-${measure.replace("_", "-")}.svg`, title, svg };
}

/** The largest cross entropy of the paper's methods; on images, where they go off the picture, of NaCL and the mean. */
function largestOf({ cross_entropy }: Results, isImage: boolean): number {
  const methods = isImage ? ["nacl", "mean"] : PAPER_METHODS;
  return Math.max(...methods.flatMap((method) => (cross_entropy[method] ?? []).map((y) => y ?? 0)));
}

/** Zero, or half where everything lies above. */
function startOf(result: Results, measure: Measure): number {
  const least = Math.min(
    ...PAPER_METHODS.flatMap((method) => result[measure][method] ?? []).map((y) => y ?? 1),
  );
  return least > 0.5 ? 0.5 : 0;
}

/** The ends of a range and four numbers between them. */
export function fifths(least: number, most: number): number[] {
  return Array.from({ length: 6 }, (_, i) => Number((least + ((most - least) * i) / 5).toFixed(2)));
}

/** Four even steps, or every second of a few columns. */
function ticksOf(columns: number): number[] {
  const step = columns > 100 ? 200 : columns > 20 ? 12 : 2;
  const even = Array.from({ length: Math.floor(columns / step) + 1 }, (_, i) => i * step);
  return even.includes(columns) || columns < 20 ? even : [...even, columns];
}

/** One method with a band of two standard errors; nothing beyond the top of the picture. */
function chartLine(
  result: Results,
  measure: Measure,
  [method, color, dash]: (typeof LINES)[number],
  yMax: number,
): ChartLine[] {
  const values = result[measure][method];
  // Where a method was not run its line goes on to the next number.
  const places = result.missing.map((_, i) => i).filter((i) => (values?.[i] ?? null) !== null);
  // A method that ran only where almost nothing is missing has no line.
  if (!values || places.length < 5) return [];
  const errors = result.standard_error[measure][method];
  const series = authorsSeries(result.dataset);
  const others = (series?.[measure]?.[method] ?? []).flatMap((y, i): [number, number][] =>
    y === null || y > yMax ? [] : [[series?.missing[i] ?? 0, y]],
  );
  return [
    {
      name: methodOf(method).label,
      color,
      dash,
      points: places.map((i) => ({
        x: result.missing[i],
        y: (values[i] ?? 0) > yMax ? Number.NaN : (values[i] ?? Number.NaN),
        error: 2 * (errors[i] ?? 0),
      })),
      others,
    },
  ];
}
