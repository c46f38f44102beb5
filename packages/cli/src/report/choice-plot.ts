import * as Plot from "@observablehq/plot";
import type { ChoiceOfMixture } from "conformant";
import { numbersOf } from "../inspecting/choice-table.ts";
import { drawPlot } from "./draw-plot.ts";
import { seriesColour } from "./page-style.ts";

interface Point {
  readonly kind: string;
  readonly components: number;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The cross entropy of the candidates over their size, a line per kind, with the standard error of the difference from the best;
 * the one that was chosen has a ring.
 */
export function choicePlot({ curve, chosen }: ChoiceOfMixture): string {
  const points = curve.map((score): Point => {
    const [value, error] = [score.crossEntropy ?? Number.NaN, score.behind?.standardError ?? 0];
    return {
      kind: numbersOf(score),
      components: score.components,
      value,
      low: value - error,
      high: value + error,
    };
  });
  const kinds = [...new Set(points.map(({ kind }) => kind))];
  const stroke = ({ kind }: Point): string => seriesColour(kinds.indexOf(kind));
  const last = kinds.map((kind) => points.filter((point) => point.kind === kind).at(-1) as Point);
  return drawPlot({
    marginRight: 110,
    x: {
      label: "components",
      type: "log",
      base: 2,
      ticks: points.map(({ components }) => components),
      tickFormat: "d",
    },
    y: { label: "cross entropy", grid: true, nice: true },
    marks: [
      Plot.ruleX(points, { x: "components", y1: "low", y2: "high", stroke }),
      Plot.lineY(points, { x: "components", y: "value", z: "kind", stroke }),
      Plot.dot(points, { x: "components", y: "value", fill: stroke, r: 3 }),
      Plot.dot([points[chosen]], { x: "components", y: "value", stroke, r: 7, fill: "none" }),
      Plot.text(last, {
        x: "components",
        y: "value",
        text: "kind",
        fill: stroke,
        dx: 10,
        textAnchor: "start",
      }),
    ],
  });
}
