import type { Results } from "../protocol/results.ts";
import { type ChartLine, drawLineChart } from "./line-chart.ts";
import { figures } from "./published.ts";

/** The methods of the figures, in the order of the legend. Colours by Okabe and Ito, distinct to colour-blind eyes. */
const LINES: readonly (readonly [method: string, label: string, color: string, dash?: string])[] = [
  ["nacl", "NaCL", "#d55e00"],
  ["mean", "mean", "#0072b2"],
  ["median", "median", "#009e73"],
  ["min", "min", "#cc79a7"],
  ["naive_bayes", "naive Bayes", "#555555", "5 4"],
  ["mixture", "mixture", "#e69f00"],
];

/** A picture of one dataset and measure. */
export interface Panel {
  readonly file: string;
  readonly title: string;
  readonly svg: string;
}

/** The paper's figures from our results, with the paper's numbers as dots. */
export function drawPanels(results: readonly Results[]): Panel[] {
  return results.flatMap((result) =>
    result.dataset === "mnist" || result.dataset === "fashion"
      ? [drawPanel(result, "cross_entropy"), drawPanel(result, "accuracy")]
      : [],
  );
}

function drawPanel(result: Results, measure: "cross_entropy" | "accuracy"): Panel {
  const fidelity = measure === "cross_entropy";
  // Fashion's classifier is the more confident one, and wrong constants cost it more.
  const yMax = fidelity ? (result.dataset === "fashion" ? 8 : 5) : 1;
  const title = `${result.title}: ${fidelity ? "cross entropy to the full-data prediction" : "accuracy"}`;
  const svg = drawLineChart({
    title,
    xLabel: `missing pixels of ${result.columns}`,
    yLabel: fidelity ? "cross entropy in nats" : "share of test images",
    xMax: result.columns,
    yMax,
    xTicks: [0, 200, 400, 600, 784],
    yTicks: fidelity ? Array.from({ length: yMax + 1 }, (_, i) => i) : [0, 0.2, 0.4, 0.6, 0.8, 1],
    lines: LINES.flatMap((line) => chartLine(result, measure, line, yMax)),
  });
  return { file: `${result.dataset}-${measure.replace("_", "-")}.svg`, title, svg };
}

/** One method with a band of two standard errors; nothing beyond the top of the picture. */
function chartLine(
  result: Results,
  measure: "cross_entropy" | "accuracy",
  [method, label, color, dash]: (typeof LINES)[number],
  yMax: number,
): ChartLine[] {
  const values = result[measure][method];
  if (values === undefined) return [];
  // Where a method was not run its line goes on to the next number.
  const places = result.missing.map((_, i) => i).filter((i) => values[i] !== null);
  const errors = result.standard_error[measure][method];
  const published = result.dataset === "mnist" ? figures.mnist : figures.fashion;
  const dots = (published[measure][method] ?? []).flatMap((y, i): [number, number][] =>
    y === null || y > yMax || i % 2 === 1 ? [] : [[published.missing_pixels[i], y]],
  );
  return [
    {
      label,
      color,
      ...(dash ? { dash } : {}),
      x: places.map((i) => result.missing[i]),
      values: places.map((i) => ((values[i] ?? 0) > yMax ? null : values[i])),
      band: places.map((i) => 2 * (errors[i] ?? 0)),
      dots,
    },
  ];
}
