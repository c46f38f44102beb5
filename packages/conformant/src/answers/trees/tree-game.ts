import type { Feature } from "../../queries/explanation/features.ts";
import { gapLike, type Table } from "../../schema/data.ts";
import { expectationOf, ONE_ROW } from "./expectation/expected-answer.ts";
import type { TreeModel } from "./tree-model.ts";

/** Trees' expected answer for every subset of the known features of a row: P(k | y_S), each computed once. */
export class TreeGame {
  readonly K: number;
  readonly features: readonly Feature[];
  readonly #model: TreeModel;
  readonly #table: Table;
  readonly #before: () => void;
  readonly #answers = new Map<string, Float64Array>();

  /**
   * @param table one row
   * @param before called before each computation
   */
  constructor(model: TreeModel, table: Table, features: readonly Feature[], before: () => void) {
    this.#before = before;
    this.K = model.trees.classes.length;
    this.features = features;
    this.#model = model;
    this.#table = table;
  }

  /** K probabilities given the features with these positions. */
  value(known: readonly number[]): Float64Array {
    const sorted = [...known].sort((a, b) => a - b);
    const key = sorted.join();
    const found = this.#answers.get(key);
    if (found) return found;
    this.#before();
    const columns = new Set(sorted.flatMap((f) => this.features[f].columns));
    const table = {
      ...this.#table,
      columns: this.#table.columns.map((cells, i) => (columns.has(i) ? cells : gapLike(cells))),
    };
    const { probabilities } = expectationOf(this.#model).answer(table, 0, ONE_ROW);
    this.#answers.set(key, probabilities);
    return probabilities;
  }
}
