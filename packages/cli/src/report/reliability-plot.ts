import * as Plot from "@observablehq/plot";
import type { Evaluation } from "conformant-workbench";
import { drawPlot } from "./draw-plot.ts";
import { seriesColour } from "./page-style.ts";

interface Point {
  readonly method: number;
  readonly confidence: number;
  readonly accuracy: number;
  /** The share of the method's answers that are about as sure. */
  readonly share: number;
}

/**
 * A calibration plot for one share of hidden cells: how often answers were right over how sure they were, a line per method; on the
 * diagonal probabilities mean what they say. Dots are as large as the share of answers behind them.
 */
export function reliabilityPlot({ methods }: Evaluation, rate: number): string {
  const points = methods.flatMap(({ reliability }, method): Point[] => {
    const { rows, confidence, right } = reliability[rate];
    const all = rows.reduce((sum, n) => sum + n, 0);
    return Array.from(rows, (n, bin) => ({
      method,
      confidence: confidence[bin] / n,
      accuracy: right[bin] / n,
      share: n / all,
    })).filter(({ share }) => share > 0);
  });
  const stroke = ({ method }: Point): string => seriesColour(method);
  return drawPlot({
    x: { label: "probability of the likeliest class", domain: [0, 1], tickFormat: "%" },
    y: { label: "right", domain: [0, 1], tickFormat: "%", grid: true },
    r: { domain: [0, 1], range: [1, 12] },
    marks: [
      Plot.line(
        [
          [0, 0],
          [1, 1],
        ],
        { stroke: "currentColor", strokeDasharray: "3,3", strokeOpacity: 0.5 },
      ),
      Plot.line(points, { x: "confidence", y: "accuracy", z: "method", stroke }),
      Plot.dot(points, { x: "confidence", y: "accuracy", r: "share", fill: stroke, fillOpacity: 0.7 }),
    ],
  });
}
