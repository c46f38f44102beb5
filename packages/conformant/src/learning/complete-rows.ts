import { factorsOf, hiddenNormals } from "../factors/factors-of.ts";
import { hiddenSampler } from "../factors/hidden-normals.ts";
import type { Random } from "../math/random.ts";
import type { Model } from "../model/model.ts";
import { posteriorOfRow } from "../posterior/predict-row.ts";
import { emptyLike, isGapCell, type Table } from "../schema/data.ts";
import { isComplete, isKnown } from "../schema/rows/complete-rows.ts";

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

/** What is known of a row before its gaps are drawn. */
interface KnownRow {
  readonly row: number;
  /** P(m, k | y), where there are gaps. */
  readonly posterior: Float64Array | undefined;
  readonly normals: ReturnType<typeof hiddenNormals>;
}

/** Some rows of a table, with the weight of every row of it. */
interface GappyRows {
  readonly table: Table;
  readonly rows: Int32Array;
  readonly weights: Float64Array;
  /** The first so many columns are to be complete. */
  readonly learned: number;
}

/** Repeats every row with a gap `draws` times, completed each time by `draw`; complete rows stay as they are. */
export function completeRows(
  { table, rows, weights, learned }: GappyRows,
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

/** Draws from a model given the known columns and the class: a component, then the normal numbers together, then each other missing column. */
export function drawFromModel(model: Model, table: Table, classOf: Int32Array, generator: Random): DrawRow {
  const [M, K] = [model.components.length, model.classifier.classes.length];
  const all = Array.from(table.columns.keys());
  const listed = factorsOf(model).flatMap((factor) => factor.missingColumns(all));
  const columns = new Map(listed.map((column) => [column.index, column]));
  const knownOf = (row: number): KnownRow => ({
    row,
    posterior: isComplete(table, row) ? undefined : posteriorOfRow(model, table, row),
    normals: hiddenNormals(model, table, row),
  });
  // The draws of a row come one after the other, and what is known of it is the same for all of them.
  let known: KnownRow | undefined;
  return (row, out) => {
    if (known?.row !== row) known = knownOf(row);
    const { posterior, normals } = known;
    const k = classOf[row];
    const m = posterior ? pick(M, (c) => posterior[c * K + k], generator) : 0;
    const numbers = new Float64Array(normals.columns.length);
    if (posterior) hiddenSampler(normals)(m * K + k, generator, numbers);
    table.columns.forEach((cells, i) => {
      out[i] = cells[row];
      if (!isGapCell(cells, row)) return;
      const column = columns.get(i);
      if (column === undefined) out[i] = numbers[normals.columns.indexOf(i)];
      else {
        const weight = (v: number): number => column.conditional[v * M * K + m * K + k];
        out[i] = column.cellOf(pick(column.count, weight, generator));
      }
    });
  };
}

/** An index with probability proportional to its weight; the last one where all weights are zero. */
export function pick(count: number, weight: (index: number) => number, generator: Random): number {
  let total = 0;
  for (let j = 0; j < count; j++) total += weight(j);
  let left = generator.uniform() * total;
  for (let j = 0; j < count - 1; j++) {
    left -= weight(j);
    if (left < 0) return j;
  }
  return count - 1;
}
