import {
  type ChartPoint,
  drawLineChart,
  type Evaluation,
  type Metric,
  roundPercent,
} from "conformant-workbench";
import { metricTitle } from "../evaluation-text.ts";
import { seriesColor } from "./page-style.ts";

/** The half-width of a band in standard errors. */
const BAND = 2;

/** A line per method over the share of masked cells, starting at the rows as they are, with a band; an SVG element as text. */
export function metricPlot({ methods, rates, mechanism, classes }: Evaluation, metric: Metric): string {
  return drawLineChart({
    title: `${metricTitle(metric, classes)} over the share of masked cells`,
    x: {
      title: mechanism === "patterns" ? "rows with the pattern of another row" : "cells masked",
      ticks: [0, ...rates],
      format: roundPercent,
    },
    y: { title: "" },
    lines: methods.map(({ name, mean, standardError, unmasked }, method) => ({
      name,
      color: seriesColor(method),
      points: [
        { x: 0, y: unmasked[metric] },
        ...rates.map(
          (x, i): ChartPoint => ({ x, y: mean[metric][i], error: BAND * standardError[metric][i] }),
        ),
      ],
    })),
  });
}
