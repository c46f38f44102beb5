import type { Measure, Results } from "../protocol/scores/results.ts";

/** What we found for a method with so many columns missing; null where it was not run. */
export function ourValue(result: Results, measure: Measure, method: string, missing: number): number | null {
  return result[measure][method]?.[result.missing.indexOf(missing)] ?? null;
}

/** The title without what stands in brackets. */
export function shortTitle({ title }: Pick<Results, "title">): string {
  return title.replace(/ \(.*/, "");
}

/** "20 %" for tables, "160" for images: how a number of missing columns is called. */
export function missingInWords({ rates, measure }: Results, missing: number): string {
  const rate = rates.indexOf(missing);
  return rate >= 0 && measure === "weighted_f1" ? `${20 * (rate + 1)} %` : String(missing);
}

/** The measures as they are called in tables. */
export const MEASURE_NAMES: Readonly<Record<Measure, string>> = {
  cross_entropy: "cross entropy",
  accuracy: "accuracy",
  weighted_f1: "weighted F1",
};

/** Whether a larger number is better. */
export function isGain(measure: Measure): boolean {
  return measure !== "cross_entropy";
}
