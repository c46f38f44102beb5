import type { CompletedScores } from "./completed-scores.ts";
import type { CompletionSpace } from "./completion-space.ts";
import { LogOddsGrid } from "./log-odds-grid.ts";

/** The distribution of the log-odds of class k of two. */
export function classGrid(
  space: CompletionSpace,
  { start, columns, numbers }: CompletedScores,
  k: number,
): LogOddsGrid {
  const values = columns.map((scores) =>
    Float64Array.from({ length: scores.length / 2 }, (_, v) => scores[2 * v + k] - scores[2 * v + 1 - k]),
  );
  return new LogOddsGrid(space, start[k] - start[1 - k], values, differences(numbers, k));
}

/** w_k − w_other per hidden normal number, of two classes. */
export function differences(numbers: Float64Array, k: number): Float64Array {
  return Float64Array.from(
    { length: numbers.length / 2 },
    (_, a) => numbers[2 * a + k] - numbers[2 * a + 1 - k],
  );
}
