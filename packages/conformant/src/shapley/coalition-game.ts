import { type Random, shuffle } from "../math/random.ts";
import type { Watch } from "../progress.ts";

/** A value for every set of players. Here players are features of a row, and the value is the prediction with only these known. */
export interface CoalitionGame {
  readonly players: number;
  /** The approximate cost of one value in multiply-adds. */
  readonly cost: number;
  /** Whether each value comes from a drawn row: then a rare row with another value may not have occurred yet. */
  readonly isDrawn: boolean;
  /** By how much values may differ where those drawn so far do not. */
  readonly range: number;
  /** v(S) of all 2ⁿ sets, player i being in S where bit i is set; undefined where there are too many. */
  readonly table: () => GameValues | undefined;
  /** v of the first 0, 1, …, n players of an order. `draw` seeds the random part, if any. */
  readonly along: (order: Int32Array, draw: number) => GameValues;
}

/** Values of several sets. */
export interface GameValues {
  readonly values: Float64Array;
  /** Standard errors of values that all draws share; absent where they are all 0. */
  readonly errors?: Float64Array | undefined;
}

/** The contribution of each player, n numbers, with standard errors where something was sampled. */
export interface Shares {
  readonly values: Float64Array;
  readonly standardErrors?: Float64Array;
  /** v of no and of all players. */
  readonly none: number;
  readonly all: number;
}

/** φ_i = Σ_{S ∌ i} |S|! (n − |S| − 1)! / n! · ( v(S ∪ i) − v(S) ), from the table of all v. */
export function shapleyOfTable({ values, errors }: GameValues, n: number): Shares {
  // The weight of a set by its size: w_0 = 1/n, w_{s+1} = w_s (s + 1) / (n − s − 1).
  const weights = new Float64Array(n);
  for (let s = 0; s < n; s++) weights[s] = s === 0 ? 1 / n : (weights[s - 1] * s) / (n - s);
  const shares = new Float64Array(n);
  const standardErrors = new Float64Array(n);
  for (let set = 0; set < values.length; set++) {
    const size = bitCount(set);
    for (let i = 0; i < n; i++) {
      const isIn = (set >> i) & 1;
      const weight = isIn ? weights[size - 1] : -weights[size];
      shares[i] += weight * values[set];
      // The errors may be dependent: the standard error of a sum is at most the sum of theirs.
      if (errors) standardErrors[i] += Math.abs(weight) * errors[set];
    }
  }
  const [none, all] = [values[0], values[values.length - 1]];
  return { values: shares, ...(errors && { standardErrors }), none, all };
}

function bitCount(x: number): number {
  let count = 0;
  for (let rest = x; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** When sampling of orders ends. */
export interface DrawOrders {
  /** The tolerance of the standard errors. */
  readonly tolerance: number;
  /** The largest number of pairs of orders; by default as many as take about 2³¹ multiply-adds. */
  readonly maxIterations: number | undefined;
  /** Seconds. */
  readonly timeLimit: number;
}

/** Pairs of orders before their spread is estimated. */
const FEWEST = 16;
/** The largest number of pairs of orders. */
const MOST = 100_000;
/** The share of one draw that all draws may have missed; it is included in every standard error. */
const UNSEEN = 0.5;
/** The largest number of multiply-adds, beyond the FEWEST pairs. */
const MOST_WORK = 2 ** 31;

/**
 * The mean contribution of players over random orders, each with its reverse (Mitchell et al. 2022), because pairs vary less than single
 * orders. Contributions add up to v(all) − v(none) in every draw.
 *
 * Sampling ends when all standard errors are within the tolerance, or at a limit. The result depends on the clock only if a time limit is
 * set.
 */
export function shapleyByOrders(
  game: CoalitionGame,
  { tolerance, maxIterations, timeLimit }: DrawOrders,
  generator: Random,
  watch: Watch,
): Shares {
  const n = game.players;
  const started = Date.now();
  const mean = new Float64Array(n + 2); // the players, then v(none) and v(all)
  const squares = new Float64Array(n + 2);
  const own = new Float64Array(n + 2);
  const noise = new Float64Array(n + 2); // sums of the errors that all draws share
  const order = Int32Array.from({ length: n }, (_, i) => i);
  let [least, largest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]; // of all v
  for (let pairs = 1; ; pairs++) {
    shuffle(order, generator);
    own.fill(0);
    for (const direction of [order, order.slice().reverse()]) {
      const { values: v, errors } = game.along(direction, pairs - 1);
      for (let j = 0; j < n; j++) own[direction[j]] += (v[j + 1] - v[j]) / 2;
      for (let j = 0; j <= n; j++) [least, largest] = [Math.min(least, v[j]), Math.max(largest, v[j])];
      own[n] += v[0] / 2;
      own[n + 1] += v[n] / 2;
      if (!errors) continue;
      for (let j = 0; j < n; j++) noise[direction[j]] += (errors[j + 1] + errors[j]) / 2;
      noise[n] += errors[0] / 2;
      noise[n + 1] += errors[n] / 2;
    }
    for (let i = 0; i < n + 2; i++) {
      const away = own[i] - mean[i];
      mean[i] += away / pairs;
      squares[i] += away * (own[i] - mean[i]);
    }
    const unseen = game.isDrawn ? (UNSEEN / pairs) * Math.max(game.range, largest - least) : 0;
    const spread = squares.map((sum) => Math.max(unseen, Math.sqrt(sum / pairs / Math.max(1, pairs - 1))));
    const worst = spread.reduce((most, x) => Math.max(most, x), 0);
    const most = maxIterations ?? Math.min(MOST, MOST_WORK / (2 * (n + 1) * game.cost));
    const passed = (Date.now() - started) / 1000;
    watch.step(Math.max(passed / timeLimit, pairs / most, (tolerance / worst) ** 2 || 0));
    if (pairs < Math.min(FEWEST, maxIterations ?? FEWEST)) continue;
    if (worst <= tolerance || passed > timeLimit || pairs >= most)
      return {
        values: mean.slice(0, n),
        standardErrors: spread.slice(0, n).map((error, i) => Math.hypot(error, noise[i] / pairs)),
        none: mean[n],
        all: mean[n + 1],
      };
  }
}
