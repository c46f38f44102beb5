import { fallingOrder } from "../../math/falling-order.ts";
import type { Evidence } from "./evidence.ts";

/** Positions of features: all of them with the largest effect first, and the two sides in the same order. */
export interface Sides {
  readonly order: readonly number[];
  readonly support: readonly number[];
  readonly opposing: readonly number[];
}

/**
 * Definition 5 of the paper. For F ≥ ½ (the second class) a feature supports the decision if removing it does not raise F,
 * otherwise only if removing it does raise F. More classes: if removing it does not raise the probability of the class.
 */
export function sidesOf({ K, rounding }: Evidence, c: number, logOdds: Float64Array): Sides {
  const strict = K === 2 && c === 0;
  const size = new Float64Array(logOdds.length);
  for (let f = 0; f < size.length; f++) size[f] = Math.abs(logOdds[f]);
  const sides = { order: [] as number[], support: [] as number[], opposing: [] as number[] };
  const falling = fallingOrder(size);
  for (let at = 0; at < falling.length; at++) {
    const f = falling[at];
    const supports = strict ? logOdds[f] > rounding : logOdds[f] >= -rounding;
    sides.order.push(f);
    (supports ? sides.support : sides.opposing).push(f);
  }
  return sides;
}
