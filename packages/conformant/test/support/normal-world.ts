import type { Row } from "../../src/index.ts";
import { type Random, random } from "../../src/math/random.ts";

/** Columns, and the correlation of any two. */
const [COLUMNS, CORRELATION] = [5, 0.65];
/** Completions over which the Bayes answer is a mean; quasi-random ones would need fewer, and prove less. */
const DRAWS = 400;

/** How likely a cell is to be missing, by its value. */
export type Missing = (x: number) => number;

/** A quarter of the cells, whatever they are. */
export const atRandom: Missing = () => 0.25;

/** Some 28 % of the cells: hardly any of the low ones and most of the high ones. */
export const wherePeopleAreHigh: Missing = (x) => logistic(3 * x - 2);

/**
 * Rows of five standard normal columns with correlation 0.65 and a label by a logistic regression on them whose weights are drawn by the
 * seed (arXiv 2507.13024), with cells missing.
 */
export class NormalWorld {
  readonly #generator: Random;
  readonly #weights: readonly number[];
  readonly #missing: Missing;

  constructor(seed: number, missing: Missing) {
    this.#generator = random(seed);
    this.#weights = Array.from({ length: COLUMNS }, () => this.#generator.normal());
    this.#missing = missing;
  }

  rows(count: number): Row[] {
    const g = this.#generator;
    return Array.from({ length: count }, () => {
      const shared = g.normal();
      const x = this.#weights.map(() => this.#near(shared));
      const y = g.uniform() < logistic(this.#score(x)) ? "yes" : "no";
      const cells = x.map((value, i) => [`x${i}`, g.uniform() < this.#missing(value) ? null : value]);
      return { ...Object.fromEntries(cells), y };
    });
  }

  /** P(yes | the known cells, and that the others are missing), by draws: x_i = √ρ f + √(1 − ρ) e_i with f given the known cells. */
  bayes(row: Row): number {
    const g = this.#generator;
    const cells = this.#weights.map((_, i) => row[`x${i}`] as number | null);
    const known = cells.filter((x) => x !== null);
    const precision = 1 + (known.length * CORRELATION) / (1 - CORRELATION);
    const mean =
      (known.reduce((sum, x) => sum + x, 0) * Math.sqrt(CORRELATION)) / (1 - CORRELATION) / precision;
    let [yes, all] = [0, 0];
    for (let draw = 0; draw < DRAWS; draw++) {
      const shared = mean + g.normal() / Math.sqrt(precision);
      let weight = 1;
      const x = cells.map((value) => {
        if (value !== null) return value;
        const drawn = this.#near(shared);
        weight *= this.#missing(drawn);
        return drawn;
      });
      all += weight;
      yes += weight * logistic(this.#score(x));
    }
    return yes / all;
  }

  #near(shared: number): number {
    return Math.sqrt(CORRELATION) * shared + Math.sqrt(1 - CORRELATION) * this.#generator.normal();
  }

  #score(x: readonly number[]): number {
    return x.reduce((sum, value, i) => sum + value * this.#weights[i], 0);
  }
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
