import { type Random, random } from "conformant";

/** Chooses exactly `wanted` of `total` items that arrive one at a time, each with the same probability (Knuth's algorithm S). */
export class SeededChoice {
  #left: number;
  #wanted: number;
  readonly #random: Random;

  constructor(total: number, wanted: number, seed: number) {
    [this.#left, this.#wanted] = [total, wanted];
    this.#random = random(seed);
  }

  /** Whether the next one is chosen. */
  next(): boolean {
    const chosen = this.#wanted >= this.#left || this.#random.uniform() * this.#left < this.#wanted;
    this.#left--;
    if (chosen) this.#wanted--;
    return chosen && this.#wanted >= 0;
  }
}
