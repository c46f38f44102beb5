import {
  CHANCE,
  chanceOfYes,
  logistic,
  type World,
} from "../../packages/conformant/test/incomplete-training/missingness-worlds.ts";

/** Points of the sums that stand for integrals over a normal number, and their distance from its mean in standard deviations. */
const POINTS = 61;
const REACH = 4;

/** What is observed of a row; undefined where it is missing. */
export interface Observed {
  readonly a?: number | undefined;
  readonly b?: number | undefined;
  readonly c: number;
}

/** What follows for a row if the world is known. */
export interface Truth {
  /** P(y = "yes" | what is observed, and that the rest is missing). */
  readonly yes: number;
  /** E(a | the same). */
  readonly a: number;
}

/** A standard normal in points, with their weights. */
const NORMAL = Array.from({ length: POINTS }, (_, i) => {
  const x = -REACH + (2 * REACH * i) / (POINTS - 1);
  return { x, weight: Math.exp(-(x ** 2) / 2) };
});

/** The deviation of a and b from 0.6 times what they share. */
const SPREAD = 0.8;

/** The exact answer for a row, by sums over what a and b share, over a and, where it is missing, over b. */
export function truthOf(world: World, { a, b, c }: Observed): Truth {
  let [yes, total, sum] = [0, 0, 0];
  for (const { x: shared, weight } of NORMAL) {
    const chance = logistic(1.5 * shared);
    const prior = weight * (c === 1 ? chance : 1 - chance);
    for (const own of valuesOf(a, shared))
      for (const other of valuesOf(b, shared)) {
        const p = chanceOfYes(own.x, other.x, c);
        for (const y of [0, 1]) {
          const missing = CHANCE[world](own.x, c, y);
          const mass =
            prior *
            own.weight *
            other.weight *
            (y === 1 ? p : 1 - p) *
            (a === undefined ? missing : 1 - missing);
          total += mass;
          sum += mass * own.x;
          if (y === 1) yes += mass;
        }
      }
  }
  return { yes: yes / total, a: sum / total };
}

/** The values that a number may have, with their weights: one where it is observed. */
function valuesOf(observed: number | undefined, shared: number): { x: number; weight: number }[] {
  if (observed !== undefined)
    return [{ x: observed, weight: Math.exp(-(((observed - 0.6 * shared) / SPREAD) ** 2) / 2) }];
  return NORMAL.map(({ x, weight }) => ({ x: 0.6 * shared + SPREAD * x, weight }));
}
