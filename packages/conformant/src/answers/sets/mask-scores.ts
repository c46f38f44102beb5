import { KeptWithin } from "../../kept-within.ts";
import { madeOnce } from "../../made-once.ts";
import type { Model } from "../../model/model.ts";
import { emptyLike, gapLike, isGapCell, type Table } from "../../schema/data.ts";
import { pickRows } from "../../schema/rows/pick-rows.ts";
import { predictColumns } from "../predict.ts";
import type { Calibration } from "./calibration.ts";

/** Numbers that are kept for masks that come again: 32 MB. */
const MOST_KEPT = 1 << 22;

/**
 * What a model says of the true class of calibration rows, with a mask put on them: P(y_i | x_i,known), ascending. Only rows in which all
 * of the known columns are known take part, so that all of them have the gaps of the mask and no others. One pass over them per mask; masks
 * that come again are remembered.
 */
export class MaskScores {
  readonly #model: Model;
  readonly #calibration: Calibration;
  readonly #kept = new KeptWithin<string, Float64Array>(MOST_KEPT);

  constructor(model: Model, calibration: Calibration) {
    this.#model = model;
    this.#calibration = calibration;
  }

  /** The scores for the gaps of row `row` of a table. */
  of(table: Table, row: number): Float64Array {
    const known = table.columns.map((cells) => !isGapCell(cells, row));
    const key = known.map(Number).join("");
    const found = this.#kept.get(key);
    if (found) return found;
    const scores = this.#compute(known);
    return this.#kept.keep(key, scores, scores.length);
  }

  #compute(known: readonly boolean[]): Float64Array {
    const { table, labels } = this.#calibration;
    const rows = Int32Array.from(labels.keys()).filter((r) =>
      table.columns.every((cells, i) => !known[i] || !isGapCell(cells, r)),
    );
    if (rows.length === 0) return new Float64Array(0);
    const picked = pickRows(table, rows);
    const columns = picked.columns.map((cells, i) =>
      known[i] ? cells : emptyLike(cells, rows.length).fill(gapLike(cells)[0]),
    );
    const { probabilities, classes } = predictColumns(this.#model, { ...picked, columns });
    return Float64Array.from(rows, (r, j) => probabilities[j * classes.length + labels[r]]).sort();
  }
}

const scoresOf = new WeakMap<Calibration, WeakMap<Model, MaskScores>>();

/** The scores of a calibration, whose masks are remembered as long as it and the model are there. */
export function maskScores(model: Model, calibration: Calibration): MaskScores {
  const byModel = madeOnce(scoresOf, calibration, () => new WeakMap<Model, MaskScores>());
  return madeOnce(byModel, model, () => new MaskScores(model, calibration));
}
