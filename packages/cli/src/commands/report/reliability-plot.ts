import { drawLineChart, type Evaluation, roundPercent } from "conformant-workbench";
import { seriesColor } from "./page-style.ts";

/** The sizes of dots for no predictions and for all of them. */
const [LEAST_DOT, LARGEST_DOT] = [1, 12];

/**
 * A calibration plot for one share of masked cells: accuracy over confidence, a line per method. On the diagonal probabilities are right.
 * The area of a dot is the share of predictions behind it.
 */
export function reliabilityPlot({ methods, rates }: Evaluation, rate: number): string {
  const share = { domain: [0, 1] as const, ticks: [0, 0.2, 0.4, 0.6, 0.8, 1], format: roundPercent };
  return drawLineChart({
    title: `How often answers were right over how sure they were, ${roundPercent(rates[rate])} masked`,
    x: { title: "probability of the likeliest class", ...share },
    y: { title: "right", ...share },
    diagonal: true,
    lines: methods.map(({ name, reliability }, method) => {
      const { rows, confidence, right } = reliability[rate];
      const all = rows.reduce((sum, n) => sum + n, 0);
      const points = Array.from(rows, (n, bin) => ({
        x: confidence[bin] / n,
        y: right[bin] / n,
        radius: LEAST_DOT + (LARGEST_DOT - LEAST_DOT) * Math.sqrt(n / all),
      })).filter(({ x }) => Number.isFinite(x));
      return { name, color: seriesColor(method), points };
    }),
  });
}
