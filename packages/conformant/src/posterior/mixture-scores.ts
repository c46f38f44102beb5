import { ClassScorer } from "../classifier/class-scorer.ts";
import { sameGaps } from "../classifier/classify-rows.ts";
import { scoreRow } from "../classifier/score-row.ts";
import { useManyRows } from "../factors/many-rows.ts";
import { scoresOf } from "../factors/scores-of.ts";
import { Scratch } from "../math/scratch.ts";
import type { Model } from "../model/model.ts";
import type { Table } from "../schema/data.ts";
import { cellsOfRow } from "../schema/rows/read-row.ts";

/** log q_m of the rows that are scored together. */
const work = new Scratch();

/** What all rows of a model have in common. */
interface Prepared {
  /** Gaps are worth nothing to the class scores of the known columns. */
  readonly noGaps: Float64Array;
  /** log π_m − log Z_m. */
  readonly constants: Float64Array;
}

const prepared = new WeakMap<Model, Prepared>();
/** Of the known columns alone. */
const scorers = new WeakMap<Model, ClassScorer>();

function preparedFor(model: Model): Prepared {
  const known = prepared.get(model);
  if (known) return known;
  const { classifier, components } = model;
  const noGaps = sameGaps(classifier, 0);
  const constants = Float64Array.from(
    components,
    ({ logWeight, logNormaliser }) => logWeight - logNormaliser,
  );
  const made = { noGaps, constants };
  prepared.set(model, made);
  return made;
}

/**
 * log P(m, k, y) for rows `start` to `end`, components first, with f the factors:
 *
 *     log π_m − log Z_m + b_k + Σ_{i known} s_ki(y_i) + Σ_f ( log q_mf(y_o) + log ∫ q_mf(x_h | y_o) e^{s_k(x_h)} dx_h )
 *
 * The class scores of the known columns are common to all components and added once. The scores are given up to a constant
 * per row, so that no density, however small, drowns the class scores.
 *
 * @param out (end − start) × (M·K), overwritten
 */
export function mixtureScores(
  model: Model,
  table: Table,
  start: number,
  end: number,
  out: Float64Array,
): void {
  if (end - start === 1) {
    rowScores(model, table, start, out);
    return;
  }
  useManyRows();
  const { classifier } = model;
  const scorer = scorers.get(model) ?? new ClassScorer(classifier, preparedFor(model).noGaps);
  scorers.set(model, scorer);
  const classScores = new Float64Array((end - start) * classifier.classes.length);
  scorer.score(table, start, end, classScores);
  addFactors(model, table, start, classScores, out);
}

/** The same for one row, M·K numbers: equal to the last bit, without what pays for many rows only. */
export function rowScores(model: Model, table: Table, row: number, out: Float64Array): void {
  const { classifier } = model;
  const classScores = new Float64Array(classifier.classes.length);
  scoreRow(classifier, preparedFor(model).noGaps, cellsOfRow(table, row), classScores);
  addFactors(model, table, row, classScores, out);
}

/** @param classScores b_k + Σ_{i known} s_ki(y_i) of rows from `start` on, rows × K */
function addFactors(
  model: Model,
  table: Table,
  start: number,
  classScores: Float64Array,
  out: Float64Array,
): void {
  const { constants } = preparedFor(model);
  const [M, K] = [constants.length, model.classifier.classes.length];
  const rows = classScores.length / K;
  const density = work.take(rows * M);
  for (let r = 0; r < rows; r++) density.set(constants, r * M);
  out.fill(0, 0, rows * M * K);
  for (const factor of scoresOf(model)) factor.addScores(table, start, rows, density, out);
  for (let r = 0; r < rows; r++) {
    const most = largest(density, r * M, (r + 1) * M);
    for (let m = r * M, to = m * K; m < (r + 1) * M; m++) {
      const score = density[m] - most;
      for (let k = 0; k < K; k++) out[to++] += score + classScores[r * K + k];
    }
  }
}

function largest(values: Float64Array, start: number, end: number): number {
  let most = values[start];
  for (let at = start + 1; at < end; at++) if (values[at] > most) most = values[at];
  return most;
}
