import * as Plot from "@observablehq/plot";
import type { Evaluation, Metric } from "conformant-workbench";
import { drawPlot } from "./draw-plot.ts";
import { seriesColour } from "./page-style.ts";

interface Point {
  readonly method: number;
  readonly rate: number;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** A line per method over the share of hidden cells, with a band of two standard errors; an SVG element as text. */
export function metricPlot(evaluation: Evaluation, metric: Metric): string {
  const points = pointsOf(evaluation, metric);
  const stroke = (point: Point): string => seriesColour(point.method);
  return drawPlot({
    x: { label: "cells hidden", tickFormat: "%", ticks: [0, ...evaluation.rates] },
    y: { label: null, grid: true, nice: true },
    marks: [
      Plot.areaY(points, { x: "rate", y1: "low", y2: "high", z: "method", fill: stroke, fillOpacity: 0.15 }),
      Plot.lineY(points, {
        x: "rate",
        y: "value",
        z: "method",
        stroke,
        strokeWidth: (point: Point) => (point.method === 0 ? 2.5 : 1.5),
      }),
      Plot.dot(points, { x: "rate", y: "value", fill: stroke, r: 3 }),
    ],
  });
}

/** Each method starts from the rows as they are; what is not finite is left out. */
function pointsOf({ methods, rates }: Evaluation, metric: Metric): Point[] {
  return methods
    .flatMap(({ mean, standardError, unhidden }, method) => {
      const start = {
        method,
        rate: 0,
        value: unhidden[metric],
        low: unhidden[metric],
        high: unhidden[metric],
      };
      const others = rates.map((rate, i) => {
        const [value, error] = [mean[metric][i], standardError[metric][i] || 0];
        return { method, rate, value, low: value - 2 * error, high: value + 2 * error };
      });
      return [start, ...others];
    })
    .filter(({ value }) => Number.isFinite(value));
}
