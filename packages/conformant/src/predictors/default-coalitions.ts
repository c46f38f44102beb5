import { finiteLogit } from "../math/softmax.ts";
import type { Schema } from "../schema/column.ts";
import type { Cells } from "../schema/read-row.ts";
import {
  type Coalitions,
  type Expectation,
  type Expected,
  type FeatureSet,
  type LeaveOneOut,
  ONE_ROW,
  type Precision,
  type SetValues,
} from "./expectation.ts";
import { type Feature, hide } from "./features.ts";

/** Sets of features in a table at most. */
const MOST_SETS = 1 << 10;
/** Multiply-adds of a table at most: about a second. */
const MOST_WORK = 1 << 25;
/** Answers that differ by no more than this share, of 1 or of a larger number, differ by rounding. */
const ROUNDING = 1e-12;
/** Standard errors beyond which a difference is more than noise. */
const ERRORS = 3;

/** The coalitions of any predictor: {@link hide} says what a row is without a feature, and `expect` what is answered then. */
export class ExpectedCoalitions implements Coalitions {
  readonly features: readonly Feature[];
  readonly #expectation: Pick<Expectation, "expect" | "cost" | "K">;
  readonly #schema: Schema;
  readonly #cells: Cells;
  readonly #before: () => void;
  readonly #precision: Precision;
  readonly #values = new Map<string, Expected>();
  #sampled = false;

  constructor(
    expectation: Pick<Expectation, "expect" | "cost" | "K">,
    schema: Schema,
    cells: Cells,
    features: readonly Feature[],
    before: () => void = () => undefined,
    precision: Precision = ONE_ROW,
  ) {
    this.features = features;
    this.#expectation = expectation;
    this.#schema = schema;
    this.#cells = cells.slice();
    this.#before = before;
    this.#precision = precision;
  }

  get sampled(): boolean {
    return this.#sampled;
  }

  get cost(): number {
    return this.#sampled ? this.#precision.work : this.#expectation.cost;
  }

  value(set: FeatureSet): Expected {
    const key = [...set].sort((a, b) => a - b).join();
    const found = this.#values.get(key);
    if (found) return found;
    this.#before();
    const known = new Set(set);
    const cells = this.#cells.slice();
    this.features.forEach(({ columns }, f) => {
      if (!known.has(f)) hide(this.#schema, cells, columns);
    });
    const value = this.#expectation.expect(cells, this.#precision);
    if (value.standardError > 0) this.#sampled = true;
    this.#values.set(key, value);
    return value;
  }

  leaveOneOut(output: number): LeaveOneOut {
    const all = this.features.map((_, f) => f);
    const full = this.value(all);
    const n = all.length;
    const [scores, values] = [new Float64Array(n), new Float64Array(n)];
    const sign = new Int8Array(n);
    const now = full.values[output];
    for (let f = 0; f < n; f++) {
      const without = this.value(all.filter((g) => g !== f));
      const then = without.values[output];
      scores[f] = this.#scoreOf(now) - this.#scoreOf(then);
      values[f] = now - then;
      const rounding = ROUNDING * (this.#isNumber ? Math.max(Math.abs(now), Math.abs(then)) : 1);
      const noise = rounding + ERRORS * Math.hypot(full.standardError, without.standardError);
      if (Math.abs(values[f]) > noise) sign[f] = Math.sign(values[f]);
    }
    return { scores, values, sign };
  }

  table(output: number): SetValues | undefined {
    const n = this.features.length;
    if (2 ** n > Math.min(MOST_SETS, MOST_WORK / this.#expectation.cost)) return undefined;
    const sets = Array.from({ length: 2 ** n }, (_, set) =>
      this.value(this.features.flatMap((_, f) => ((set >> f) & 1 ? [f] : []))),
    );
    return this.#setValues(sets, output);
  }

  along(order: ArrayLike<number>, output: number): SetValues {
    const all = Array.from(order);
    return this.#setValues(
      Array.from({ length: all.length + 1 }, (_, j) => this.value(all.slice(0, j))),
      output,
    );
  }

  #setValues(sets: readonly Expected[], output: number): SetValues {
    const scores = Float64Array.from(sets, ({ values }) => this.#scoreOf(values[output]));
    if (sets.every(({ standardError }) => standardError === 0)) return { scores };
    return { scores, errors: Float64Array.from(sets, ({ standardError }) => standardError) };
  }

  /** One output is a number, which is its own score; several are probabilities. */
  get #isNumber(): boolean {
    return this.#expectation.K === 1;
  }

  #scoreOf(value: number): number {
    return this.#isNumber ? value : finiteLogit(value);
  }
}
