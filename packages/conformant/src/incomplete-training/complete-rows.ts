import { factorsOf, missingNormals } from "../distribution/completion-space.ts";
import type { Distribution } from "../distribution/distribution.ts";
import { mixtureScores, posteriorOfRow, rejectInfinite } from "../distribution/score-rows.ts";
import { requireFunction, requireMade } from "../errors.ts";
import { missingSampler } from "../gaussian/condition.ts";
import { manyRows } from "../gaussian/many-rows.ts";
import { drawIndex, type Random } from "../math/random.ts";
import { softmaxInPlace } from "../math/softmax.ts";
import { emptyLike, isMissingCell, type Table } from "../schema/data.ts";
import { isComplete, isKnown } from "../schema/rows.ts";

/** Rows whose gaps were filled by draws, each draw a row of its own with its share of the weight. */
export interface CompletedRows {
  readonly table: Table;
  /** Per completed row. */
  readonly weights: Float64Array;
  /** Per completed row the row it was made from. */
  readonly source: Int32Array;
  /** How many of the rows had a gap. */
  readonly rowsCompleted: number;
}

/** Draws the missing cells of a row: writes the value of each column, known or drawn, to `out`. */
export type DrawRow = (row: number, out: Float64Array) => void;

type NormalSampler = ReturnType<typeof missingSampler>;

/** What is known of a row before its gaps are drawn. */
interface KnownRow {
  readonly row: number;
  /** P(m, k | y), where there are gaps. */
  readonly posterior: Float64Array | undefined;
  /** Draws of its jointly normal columns, by component, as far as they were needed. */
  readonly samplers: Map<number, { readonly columns: readonly number[]; readonly draw: NormalSampler }>;
}

/** Some rows of a table, with the weight of every row of it. */
interface IncompleteRows {
  readonly table: Table;
  readonly rows: Int32Array;
  readonly weights: Float64Array;
  /** The first so many columns are to be complete. */
  readonly learned: number;
}

/** Repeats every row with a gap `draws` times, completed each time by `draw`; complete rows stay as they are. */
export function completeRows(
  { table, rows, weights, learned }: IncompleteRows,
  draws: number,
  draw: DrawRow,
): CompletedRows {
  const needed = Array.from({ length: learned }, (_, i) => i);
  const complete = (r: number): boolean => isKnown(table, r, needed);
  const source = Int32Array.from(
    [...rows].flatMap((r) => (complete(r) ? [r] : new Array<number>(draws).fill(r))),
  );
  const columns = table.columns.map((cells) => emptyLike(cells, source.length));
  const values = new Float64Array(table.columns.length);
  const shares = new Float64Array(source.length);
  for (let s = 0; s < source.length; s++) {
    const r = source[s];
    shares[s] = complete(r) ? weights[r] : weights[r] / draws;
    draw(r, values);
    for (let i = 0; i < columns.length; i++) columns[i][s] = values[i];
  }
  return {
    table: { schema: table.schema, rows: source.length, columns, unseen: [] },
    weights: shares,
    source,
    rowsCompleted: rows.filter((r) => !complete(r)).length,
  };
}

/** Rows whose posteriors are computed together where many rows are completed. */
const TOGETHER = 2048;

/**
 * Draws from a model given the known columns and the class: a component, then the normal numbers together, then each other missing column.
 *
 * @param many whether many rows follow one another, so that their posteriors are computed together, in another order of sums
 */
export function drawFromModel(
  model: Distribution,
  table: Table,
  classOf: Int32Array,
  generator: Random,
  many = false,
): DrawRow {
  const [M, K] = [model.components.length, model.tilt.intercept.length];
  const all = Array.from(table.columns.keys());
  const listed = factorsOf(model).flatMap((factor) => factor.missingColumns(all));
  const columns = new Map(listed.map((column) => [column.index, column]));
  const posteriorOf = many
    ? posteriorsTogether(model, table)
    : (r: number) => posteriorOfRow(model, table, r);
  // Of one component and a known class there is nothing to find out.
  const certain = new Float64Array(K).fill(1);
  const only = (row: number): Float64Array | undefined =>
    M === 1 && classOf[row] >= 0 ? certain : undefined;
  const knownOf = (row: number): KnownRow => ({
    row,
    posterior: isComplete(table, row) ? undefined : (only(row) ?? posteriorOf(row)),
    samplers: new Map(),
  });
  // The draws of a row come one after the other, and what is known of it is the same for all of them.
  let known: KnownRow | undefined;
  return (row, out) => {
    if (known?.row !== row) known = knownOf(row);
    const { posterior, samplers } = known;
    table.columns.forEach((cells, i) => {
      out[i] = cells[row];
    });
    if (!posterior) return;
    const [m, k] = drawOutcome(posterior, M, K, classOf[row], generator);
    let sampler = samplers.get(m);
    if (!sampler) {
      const normals = missingNormals(model, table, row, m);
      sampler = { columns: normals.columns, draw: missingSampler(normals) };
      samplers.set(m, sampler);
    }
    const numbers = new Float64Array(sampler.columns.length);
    sampler.draw(k, generator, numbers);
    for (let a = 0; a < numbers.length; a++) out[sampler.columns[a]] = numbers[a];
    table.columns.forEach((cells, i) => {
      const column = columns.get(i);
      if (column === undefined || !isMissingCell(cells, row)) return;
      const weight = (v: number): number => column.conditional[v * M * K + m * K + k];
      out[i] = column.cellOf(drawIndex(generator, column.count, weight));
    });
  };
}

/** P(m, k | y) of rows that are asked for in their order, M × K each, valid until the next call. */
function posteriorsTogether(model: Distribution, table: Table): (row: number) => Float64Array {
  const outcomes = model.components.length * model.tilt.intercept.length;
  const scores = new Float64Array(TOGETHER * outcomes);
  let [start, end] = [0, 0];
  return (row) => {
    if (row < start || row >= end) {
      [start, end] = [row, Math.min(table.rows, row + TOGETHER)];
      mixtureScores(model, table, start, end, scores.subarray(0, (end - start) * outcomes), manyRows);
      for (let r = 0; r < end - start; r++)
        if (!Number.isFinite(softmaxInPlace(scores, r * outcomes, outcomes)))
          rejectInfinite(table, start + r);
    }
    return scores.subarray((row - start) * outcomes, (row - start + 1) * outcomes);
  };
}

/** A component given the known columns and the class, or both where the class, −1, is missing. */
function drawOutcome(
  posterior: Float64Array | undefined,
  M: number,
  K: number,
  k: number,
  generator: Random,
): [component: number, k: number] {
  if (!posterior) return [0, Math.max(0, k)];
  if (k >= 0) return [drawIndex(generator, M, (m) => posterior[m * K + k]), k];
  const outcome = drawIndex(generator, M * K, (a) => posterior[a]);
  return [Math.floor(outcome / K), outcome % K];
}

/**
 * A table without missing features: each missing cell is drawn from the model given the known columns of its row and, where it
 * is known, its class.
 *
 * @param table the model's columns and, last, the label, which stays missing where it is
 */
export function completeTable(
  model: Distribution,
  table: Table,
  generator: Random,
): { readonly table: Table; readonly rowsCompleted: number } {
  requireMade("model", model);
  requireMade("table", table);
  requireFunction("generator.uniform", (generator as Partial<Random> | null)?.uniform);
  const features: Table = {
    ...table,
    schema: model.schema,
    columns: table.columns.slice(0, -1),
  };
  const columns = table.columns.map((cells) => cells.slice());
  const draw = drawFromModel(model, features, Int32Array.from(table.columns[columns.length - 1]), generator);
  const values = new Float64Array(features.columns.length);
  let rowsCompleted = 0;
  for (let r = 0; r < table.rows; r++) {
    if (isComplete(features, r)) continue;
    draw(r, values);
    for (let i = 0; i < values.length; i++) columns[i][r] = values[i];
    rowsCompleted++;
  }
  return { table: { ...table, columns }, rowsCompleted };
}
