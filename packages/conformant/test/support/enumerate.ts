import { classify, logEvidence, type Model, type Row } from "../../src/index.ts";
import { completions } from "./random-model.ts";

/** A completion of a row: its probability given the row, and the classifier's answer for it. */
export interface Completed {
  readonly row: Row;
  readonly probability: number;
  readonly answer: Readonly<Record<string, number>>;
}

/** Every completion of a row with P(completion | row), from nothing but the model's log P of complete rows. */
export function completed(model: Model, row: Row): Completed[] {
  const all = [...completions(model, row)].map((full) => ({
    row: full,
    probability: Math.exp(logEvidence(model, full)),
    answer: classify(model.predictor, full),
  }));
  const total = all.reduce((sum, { probability }) => sum + probability, 0);
  return all.map((one) => ({ ...one, probability: one.probability / total }));
}

/** The least value with at least probability p at or below it. */
export function quantileOf(values: readonly { value: number; probability: number }[], p: number): number {
  const sorted = [...values].sort((a, b) => a.value - b.value);
  let sum = 0;
  for (const { value, probability } of sorted) {
    sum += probability;
    if (sum >= p) return value;
  }
  return sorted[sorted.length - 1].value;
}

/** The class with the highest probability; of tied ones the last. */
export function topClass(answer: Readonly<Record<string, number>>): string {
  const most = Math.max(...Object.values(answer));
  const tied = Object.entries(answer).filter(([, p]) => p >= most - 1e-12);
  return tied[tied.length - 1][0];
}
