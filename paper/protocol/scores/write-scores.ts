import type { RepeatScores } from "../evaluate-repeat.ts";

/** The scores of every repeat as CSV: a line per repeat, number of missing columns and method, all digits of each number. */
export function writeScores(missing: readonly number[], repeats: readonly RepeatScores[]): string {
  const lines = repeats.flatMap((scores, repeat) =>
    missing.flatMap((count, at) =>
      Object.entries(scores).flatMap(([method, series]) => {
        const own = series[at];
        return own
          ? [`${repeat},${count},${method},${own.crossEntropy},${own.accuracy},${own.weightedF1}`]
          : [];
      }),
    ),
  );
  return `${["repeat,missing,method,cross_entropy,accuracy,weighted_f1", ...lines].join("\n")}\n`;
}
