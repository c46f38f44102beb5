import { mean, type Results, type Series } from "../protocol/scores/results.ts";

/** A line of a file of scores. */
interface ScoreLine {
  readonly repeat: number;
  readonly missing: number;
  readonly method: string;
  readonly cross_entropy: number;
  readonly accuracy: number;
  readonly weighted_f1: number;
}

/**
 * The results over those repeats that every method has, from the scores of each: methods that differ little are compared on the
 * same rows with the same gaps, where the slow ones were not run in all repeats.
 */
export function pairedResults(result: Results, csv: string): Results {
  const repeats = Math.min(...Object.values(result.method_repeats));
  const lines = readScores(csv).filter(({ repeat }) => repeat < repeats);
  const found = new Map<string, ScoreLine[]>();
  for (const line of lines) {
    const key = `${line.method} ${line.missing}`;
    const own = found.get(key);
    if (own) own.push(line);
    else found.set(key, [line]);
  }
  const series = (measure: "cross_entropy" | "accuracy" | "weighted_f1"): Series =>
    Object.fromEntries(
      Object.keys(result.method_repeats).map((method) => [
        method,
        result.missing.map((missing) =>
          mean((found.get(`${method} ${missing}`) ?? []).map((line) => line[measure])),
        ),
      ]),
    );
  return {
    ...result,
    repeats,
    cross_entropy: series("cross_entropy"),
    accuracy: series("accuracy"),
    weighted_f1: series("weighted_f1"),
  };
}

function readScores(csv: string): ScoreLine[] {
  const [, ...lines] = csv.trim().split("\n");
  return lines.map((line) => {
    const [repeat, missing, method, entropy, accuracy, f1] = line.split(",");
    return {
      repeat: Number(repeat),
      missing: Number(missing),
      method,
      cross_entropy: Number(entropy),
      accuracy: Number(accuracy),
      weighted_f1: Number(f1),
    };
  });
}
