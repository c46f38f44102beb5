import type { Distribution } from "../distribution/distribution.ts";
import { ConformantError, LARGEST } from "../errors.ts";
import type { Random } from "../math/random.ts";
import { kindOf } from "../model/kinds.ts";
import { answerTable, MANY_ROWS, type Precision } from "../predictors/expectation.ts";
import type { Predictor } from "../predictors/predictor.ts";
import { momentsOf } from "../predictors/spread.ts";
import { isDiscrete, isIndicatorColumn } from "../schema/column.ts";
import type { Table } from "../schema/data.ts";
import { pickRows } from "../schema/rows.ts";

/** Complete rows with cells hidden, and what the classifier says of them when nothing is. */
export interface MaskedRows {
  /** Row r under mask j is row r · masks + j. */
  readonly hidden: Table;
  readonly masks: number;
  /** F(x), rows × K. */
  readonly full: Float64Array;
}

/** The shares of cells that are hidden are spread evenly over this range. */
const [MIN_MASKED, MAX_MASKED] = [0.1, 0.9];

/**
 * Hides cells of complete rows. Each mask of a row has its own share of hidden cells, one from each part of the range, and
 * hides at least one cell.
 */
export function maskRows(
  { full }: Answering,
  table: Table,
  rows: Int32Array,
  masks: number,
  generator: Random,
): MaskedRows {
  const repeated = new Int32Array(rows.length * masks);
  for (let at = 0; at < repeated.length; at++) repeated[at] = rows[Math.floor(at / masks)];
  const hidden = pickRows(table, repeated);
  const { columns } = hidden;
  const gaps = table.schema.columns.map((column) => (isDiscrete(column) ? -1 : Number.NaN));
  // Indicators of missing values are known in every row.
  const maskable = Array.from(columns.keys()).filter((i) => !isIndicatorColumn(table.schema.columns[i]));
  for (let at = 0; at < repeated.length; at++) {
    const place = ((at % masks) + generator.uniform()) / masks;
    const rate = MIN_MASKED + (MAX_MASKED - MIN_MASKED) * place;
    const surely = maskable[generator.integer(maskable.length)];
    for (const i of maskable) {
      if (generator.uniform() < rate || i === surely) columns[i][at] = gaps[i];
    }
  }
  return { hidden, masks, full: full(pickRows(table, rows)) };
}

/**
 * What a model's answers to the hidden rows cost, the mean over the masks of each row: the cross entropy to the classifier's own
 * answer to the complete row, −Σ_k F_k(x) log P(k | x with the mask's cells hidden); of a number the squared difference from f(x), as a share
 * of the variance of f(x) over the rows.
 */
export function maskedLosses(
  model: Distribution,
  { hidden, masks, full }: MaskedRows,
  { expected, isNumber }: Answering,
): Float64Array {
  if (isNumber) return squaredErrors(expected(model, hidden), full, masks);
  const probabilities = expected(model, hidden);
  const K = probabilities.length / hidden.rows;
  const losses = new Float64Array(hidden.rows / masks);
  for (let at = 0; at < hidden.rows; at++) {
    const row = Math.floor(at / masks);
    let loss = 0;
    for (let k = 0; k < K; k++) {
      const p = full[row * K + k];
      if (p > 0) loss -= p * Math.log(Math.max(probabilities[at * K + k], Number.MIN_VALUE));
    }
    losses[row] += loss / masks;
  }
  return losses;
}

function squaredErrors(answers: Float64Array, full: Float64Array, masks: number): Float64Array {
  const unit = momentsOf(full).variance || 1;
  const losses = new Float64Array(full.length);
  for (let at = 0; at < answers.length; at++) {
    const row = Math.floor(at / masks);
    losses[row] += (answers[at] - full[row]) ** 2 / unit / masks;
  }
  return losses;
}

/** Whose answers candidates are scored by: a mixture is good where its answers to part of a row are those to the whole row. */
export interface Answering {
  readonly predictor: Predictor;
  /** Whether the answer is a number. */
  readonly isNumber: boolean;
  /** Positions of the columns that the predictor's own answer depends on. */
  readonly columns: readonly number[];
  /** The predictor's own answers to rows that have these columns, rows × K. */
  readonly full: (rows: Table) => Float64Array;
  /** The expected answers to rows with missing values under a candidate, rows × K. */
  readonly expected: (candidate: Distribution, rows: Table) => Float64Array;
  /** Whether expected answers are sampled. */
  readonly sampled: boolean;
  /** Answers of each candidate that are worth their time. */
  readonly most: number;
}

/** Sampled answers to score a candidate by: each costs about a millisecond. */
const ENOUGH_SAMPLED = 600;
/** They need not be as exact as what a user asks for: the differences of candidates are means over all of them. */
const ROUGHLY: Precision = { ...MANY_ROWS, tolerance: 0.03, work: 1 << 18, replicates: 8 };

/** Throws for answers whose squares overflow. */
function requireSquares(answers: Float64Array): Float64Array {
  const large = answers.find((answer) => !(Math.abs(answer) <= LARGEST));
  if (large === undefined) return answers;
  throw new ConformantError(
    "invalid-value",
    `the regressor must answer complete rows with numbers of at most ${LARGEST} in size, got ${large}`,
    { value: large },
  );
}

/** The answers of a predictor; undefined where it uses no column, for then all candidates give the same answer. */
export function answersOf(predictor: Predictor): Answering | undefined {
  const kind = kindOf(predictor);
  const columns = kind.columnsUsed(predictor);
  if (columns.length === 0) return undefined;
  const isNumber = kind.response(predictor).kind === "number";
  const full = (rows: Table): Float64Array => kind.evaluate(predictor, rows);
  return {
    predictor,
    isNumber,
    columns,
    full: isNumber ? (rows) => requireSquares(full(rows)) : full,
    expected: (candidate, rows) => answerTable(kind.expectation(predictor, candidate), rows, ROUGHLY),
    sampled: kind.sampled,
    most: kind.sampled ? ENOUGH_SAMPLED : Number.POSITIVE_INFINITY,
  };
}
