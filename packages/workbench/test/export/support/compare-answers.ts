import { type Model, predictColumns, type Row } from "conformant";
import { decide } from "conformant/internal";
import { expect } from "vitest";
import type { ExportedAnswers, Question } from "./ask-exported.ts";
import { wrongLabels } from "./expected.ts";

/** Sums of some hundreds of doubles in another order, with exponentials of them. */
const EXACT = 1e-9;
/** Standard errors by which two independent samples may differ: the largest of some ten thousand is about 4. */
const ERRORS = 6;

/** Checks that an exported program answers as the library does: exactly where that is exact, else within the errors of both. */
export function compareAnswers({ name, model, rows }: Question, own: ExportedAnswers): void {
  const { probabilities, standardErrors } = libraryAnswers(model, rows);
  const K = model.response.outputs.length;
  expect(own.probabilities.length, name).toBe(probabilities.length);
  let [difference, errors, exactRows] = [0, 0, 0];
  for (let r = 0; r < rows.length; r++) {
    let largest = 0;
    for (let k = r * K; k < (r + 1) * K; k++) {
      const gap = Math.abs(own.probabilities[k] - probabilities[k]);
      largest = Math.max(largest, Number.isNaN(gap) ? 1 : gap);
    }
    const error = standardErrors?.[r] ?? 0;
    expect(own.errors[r] === 0, `${name}, row ${r} is exact`).toBe(error === 0);
    if (error === 0) [difference, exactRows] = [Math.max(difference, largest), exactRows + 1];
    else errors = Math.max(errors, largest / Math.hypot(error, own.errors[r]));
  }
  expect(exactRows, name).toBeGreaterThan(0);
  expect(difference, name).toBeLessThan(EXACT);
  expect(errors, name).toBeLessThan(ERRORS);
  // A label is that of the program's own probabilities, of which the last of tied ones wins.
  const decided = rows.map(
    (_, r) => model.response.outputs[decide(own.probabilities.slice(r * K, (r + 1) * K)).class],
  );
  expect(wrongLabels(own.labels, model, own.probabilities, EXACT), name).toBe(0);
  expect(own.labels.filter((label, r) => label !== decided[r]).length, name).toBe(0);
}

/** All rows by column: a column that no row has is missing in all. */
function libraryAnswers(model: Model, rows: readonly Row[]) {
  return predictColumns(model, rows, { extra: "ignore" });
}
