import type { CompletedScores } from "./completed-scores.ts";
import type { CompletionSpace } from "./completion-space.ts";
import { LogOddsGrid } from "./log-odds-grid.ts";

/** The distribution of the log-odds of class k of two. */
export function classGrid(
  space: CompletionSpace,
  { start, columns }: CompletedScores,
  k: number,
): LogOddsGrid {
  const values = columns.map((scores) =>
    Float64Array.from({ length: scores.length / 2 }, (_, v) => scores[2 * v + k] - scores[2 * v + 1 - k]),
  );
  return new LogOddsGrid(space, start[k] - start[1 - k], values);
}
