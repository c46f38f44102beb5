import type { Random } from "../../math/random.ts";
import { shuffle } from "../../math/shuffle.ts";
import type { Watch } from "../../watch.ts";

/** What every set of players is worth: here features of a row, and the probability of a class when only these are known. */
export interface CoalitionGame {
  readonly players: number;
  /** v(S) of all 2ⁿ sets, `values[S]` with player i in S where bit i is set; undefined where these are too many. */
  readonly values: () => Float64Array | undefined;
  /** v of the first 0, 1, …, n players of an order. Draw number `draw` decides what is random in it, if anything is. */
  readonly along: (order: Int32Array, draw: number) => Float64Array;
}

/** What each player is worth, n numbers, with their standard errors where they were drawn. */
export interface Worth {
  readonly values: Float64Array;
  readonly standardErrors?: Float64Array;
  /** v of no and of all players. */
  readonly none: number;
  readonly all: number;
  /** Pairs of orders that were drawn. */
  readonly pairs: number;
}

/** When drawing orders ends. */
export interface DrawOrders {
  /** The largest standard error that is small enough. */
  readonly tolerance: number;
  /** Milliseconds. */
  readonly timeLimit: number;
}

/** φ_i = Σ_{S ∌ i} |S|! (n − |S| − 1)! / n! · ( v(S ∪ i) − v(S) ), from the table of all v. */
export function shapleyOfTable(values: Float64Array, n: number): Float64Array {
  // The weight of a set by its size: w_0 = 1/n, w_{s+1} = w_s (s + 1) / (n − s − 1).
  const weights = new Float64Array(n);
  for (let s = 0; s < n; s++) weights[s] = s === 0 ? 1 / n : (weights[s - 1] * s) / (n - s);
  const shares = new Float64Array(n);
  for (let set = 0; set < values.length; set++) {
    const size = bitCount(set);
    for (let i = 0; i < n; i++) {
      if ((set >> i) & 1) shares[i] += weights[size - 1] * values[set];
      else shares[i] -= weights[size] * values[set];
    }
  }
  return shares;
}

function bitCount(x: number): number {
  let count = 0;
  for (let rest = x; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** Pairs of orders before anything is said about their spread. */
const FEWEST = 16;
/** Pairs of orders that are drawn at most. */
const MOST = 100_000;

/**
 * The mean of what players add along random orders, each with its reverse (Mitchell et al. 2022): what one order gives early the
 * other gives late, so that pairs spread less than orders. What players are worth adds up to v(all) − v(none) in every draw.
 */
export function shapleyByOrders(
  game: CoalitionGame,
  { tolerance, timeLimit }: DrawOrders,
  generator: Random,
  watch: Watch,
): Worth {
  const n = game.players;
  const started = Date.now();
  const mean = new Float64Array(n + 2); // the players, then v(none) and v(all)
  const squares = new Float64Array(n + 2);
  const own = new Float64Array(n + 2);
  const order = Int32Array.from({ length: n }, (_, i) => i);
  for (let pairs = 1; ; pairs++) {
    shuffle(order, generator);
    own.fill(0);
    for (const direction of [order, order.slice().reverse()]) {
      const v = game.along(direction, pairs - 1);
      for (let j = 0; j < n; j++) own[direction[j]] += (v[j + 1] - v[j]) / 2;
      own[n] += v[0] / 2;
      own[n + 1] += v[n] / 2;
    }
    for (let i = 0; i < n + 2; i++) {
      const away = own[i] - mean[i];
      mean[i] += away / pairs;
      squares[i] += away * (own[i] - mean[i]);
    }
    const errors = squares.map((sum) => Math.sqrt(sum / pairs / Math.max(1, pairs - 1)));
    const worst = errors.reduce((most, x) => Math.max(most, x), 0);
    const passed = Date.now() - started;
    watch.step(Math.max(passed / timeLimit, (tolerance / worst) ** 2 || 0));
    if (pairs < FEWEST) continue;
    if (worst <= tolerance || passed > timeLimit || pairs >= MOST)
      return {
        values: mean.slice(0, n),
        standardErrors: errors.slice(0, n),
        none: mean[n],
        all: mean[n + 1],
        pairs,
      };
  }
}
