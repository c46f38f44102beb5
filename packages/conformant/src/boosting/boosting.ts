import { eachValue, type GrownTree, type GrowthSettings, growTree } from "./grow-tree.ts";
import type { BinnedColumn } from "./histogram.ts";
import type { BoostingLoss } from "./loss.ts";

/** Rows in bins, and the loss of what is said of them. */
export interface LabelledRows {
  readonly columns: readonly BinnedColumn[];
  /** How many there are. */
  readonly rows: number;
  readonly loss: BoostingLoss;
  /** The rows that are scored, whether they are trained on or tested on. */
  readonly usable: Int32Array;
}

/** Trees while they are boosted: each step adds one per sum, on the gradients and curvatures of the loss. */
export class Boosting {
  /** Where the sums start: S numbers. */
  readonly base: Float64Array;
  readonly #rows: LabelledRows;
  readonly #train: Int32Array;
  readonly #settings: GrowthSettings;
  readonly #S: number;
  /** All rows × S. */
  readonly #scores: Float64Array;
  readonly #grown: GrownTree[] = [];

  /** @param train the rows to learn from */
  constructor(rows: LabelledRows, train: Int32Array, settings: GrowthSettings) {
    this.#rows = rows;
    this.#train = train;
    this.#settings = settings;
    this.#S = rows.loss.sums;
    this.base = rows.loss.base(train);
    this.#scores = new Float64Array(rows.rows * this.#S);
    for (const r of rows.usable) this.#scores.set(this.base, r * this.#S);
  }

  /** How many steps have been made. */
  get steps(): number {
    return this.#grown.length / this.#S;
  }

  /** The trees of the first steps. */
  trees(steps: number): GrownTree[] {
    return this.#grown.slice(0, steps * this.#S);
  }

  /** Makes a step; false where no tree found anything to split. */
  step(): boolean {
    const [rows, train, settings, S, scores] = [
      this.#rows,
      this.#train,
      this.#settings,
      this.#S,
      this.#scores,
    ];
    const { columns, usable, loss } = rows;
    const gradient = new Float64Array(rows.rows);
    const curvature = new Float64Array(rows.rows);
    const prepared = loss.prepare(scores, train);
    const trees = Array.from({ length: S }, (_, s) => {
      loss.derive(s, prepared, train, gradient, curvature);
      return growTree(columns, train, { gradient, curvature }, settings);
    });
    trees.forEach((tree, s) => {
      eachValue(tree, columns, usable, (r, value) => {
        scores[r * S + s] += value;
      });
    });
    this.#grown.push(...trees);
    return trees.some(({ kind }) => kind !== "leaf");
  }

  /** Σ weight · loss of some rows. */
  loss(some: Int32Array): number {
    return this.#rows.loss.total(this.#scores, some);
  }

  /** Weight · loss of each of some rows. */
  losses(some: Int32Array): Float64Array {
    return Float64Array.from(some, (r) => this.loss(Int32Array.of(r)));
  }
}
