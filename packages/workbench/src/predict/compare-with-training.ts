import type { ColumnSummary } from "../columns/column-summary.ts";

/** New rows of a column that are missing, and that have a category which no training row has or a number beyond all of theirs. */
export interface ColumnAbsence {
  readonly name: string;
  readonly missing: number;
  readonly unseen: number;
}

/** A share of new rows that differs from that of training by more than chance explains. */
export interface Drift {
  readonly column: string;
  readonly kind: "missing" | "unseen";
  readonly share: number;
  /** Of the training rows: the missing ones, or those whose value no other row has, which it would not have been seen without. */
  readonly trainingShare: number;
  readonly pValue: number;
}

/** The probability that one or more columns are named though nothing has changed. */
const FALSE_ALARM = 0.01;

/**
 * Compares new rows with the training rows, column by column: Fisher's exact test of the missing rows, two-sided, and of the rows with an
 * unseen value, one-sided. The values that one training row has alone are what unseen values are compared with: without that row they
 * would be unseen (Good 1953). Holm's correction bounds the probability of any false alarm over all columns.
 *
 * @param rows how many new rows there are
 * @param trainingRows how many rows the model was fitted on
 */
export function compareWithTraining(
  columns: readonly ColumnAbsence[],
  rows: number,
  summaries: readonly ColumnSummary[],
  trainingRows: number,
): Drift[] {
  const known = new Map(summaries.map((summary) => [summary.name, summary]));
  const tests = columns.flatMap(({ name, missing, unseen }): Drift[] => {
    const summary = known.get(name);
    if (!summary) return [];
    const before = Math.round(summary.missing * trainingRows);
    const [fewer, more] = tailsOf(missing, rows, before, trainingRows);
    const ofMissing: Drift = {
      column: name,
      kind: "missing",
      share: missing / rows,
      trainingShare: before / trainingRows,
      pValue: Math.min(1, 2 * Math.min(fewer, more)),
    };
    if (!summary.counts && summary.minimum === undefined) return [ofMissing];
    // Without the row of the smallest number, or of the largest, that number would be beyond the range.
    const alone = summary.counts?.filter((count) => count === 1).length ?? Math.min(2, trainingRows);
    const [, moreUnseen] = tailsOf(unseen, rows, alone, trainingRows);
    const ofUnseen: Drift = {
      column: name,
      kind: "unseen",
      share: unseen / rows,
      trainingShare: alone / trainingRows,
      pValue: moreUnseen,
    };
    return [ofMissing, ofUnseen];
  });
  tests.sort((a, b) => a.pValue - b.pValue);
  const kept = tests.findIndex(({ pValue }, at) => pValue * (tests.length - at) > FALSE_ALARM);
  return kept < 0 ? tests : tests.slice(0, kept);
}

/**
 * P(X ≤ x) and P(X ≥ x), where X of the x + y marked rows are among the n, and the others among the m, as a random division has it
 * (hypergeometric).
 */
export function tailsOf(x: number, n: number, y: number, m: number): [lower: number, upper: number] {
  const marked = x + y;
  const log = logChoose(n, x) + logChoose(m, y) - logChoose(n + m, marked);
  const at = Math.exp(log);
  // The tail that x lies in is summed; the other one is the rest, because its sum would begin with terms too small for a double.
  let [tail, term] = [at, at];
  if (x * (n + m) > marked * n) {
    // P(X = k + 1) / P(X = k) = (marked − k) (n − k) / ((k + 1) (m − marked + k + 1))
    for (let k = x; k < Math.min(n, marked) && term > 1e-18 * tail; k++) {
      term *= ((marked - k) * (n - k)) / ((k + 1) * (m - marked + k + 1));
      tail += term;
    }
    return [Math.min(1, 1 - tail + at), Math.min(1, tail)];
  }
  for (let k = x; k > Math.max(0, marked - m) && term > 1e-18 * tail; k--) {
    term *= (k * (m - marked + k)) / ((marked - k + 1) * (n - k + 1));
    tail += term;
  }
  return [Math.min(1, tail), Math.min(1, 1 - tail + at)];
}

function logChoose(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}

/** log n!, by Stirling's series from 20 on, where its error is below 1e-15. */
function logFactorial(n: number): number {
  if (n < 20) {
    let product = 1;
    for (let k = 2; k <= n; k++) product *= k;
    return Math.log(product);
  }
  const inverse = 1 / n;
  const series = inverse / 12 - inverse ** 3 / 360 + inverse ** 5 / 1260 - inverse ** 7 / 1680;
  return n * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI * n) + series;
}
