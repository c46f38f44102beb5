import { type Random, random } from "../../../math/random.ts";

/**
 * Latin hypercube samples (McKay, Beckman and Conover 1979): n points of which every coordinate has one in each of n equal
 * intervals. Their mean is unbiased for any function, and free of the noise of what is additive in the coordinates.
 */
export class Hypercubes {
  readonly #generator: Random;
  #order: Int32Array;

  constructor(seed: number) {
    this.#generator = random(seed);
    this.#order = new Int32Array(0);
  }

  /** Writes n points of d coordinates, n × d, into `out`. */
  fill(n: number, d: number, out: Float64Array): void {
    const generator = this.#generator;
    if (this.#order.length !== n) this.#order = new Int32Array(n);
    const order = this.#order;
    for (let j = 0; j < d; j++) {
      for (let p = 0; p < n; p++) {
        const other = generator.integer(p + 1);
        order[p] = order[other];
        order[other] = p;
      }
      for (let p = 0; p < n; p++) out[p * d + j] = (order[p] + generator.uniform()) / n;
    }
  }
}
