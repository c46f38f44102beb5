import type { Row } from "../../src/index.ts";
import { random } from "../../src/math/random.ts";

/** Why the values of column `a` are missing: by chance, by what another column shows, by the value itself, or by the outcome. */
export type World = "by chance" | "another value" | "the value itself" | "the outcome";

/** P(a is missing): a third of the rows in each world. */
export const CHANCE: Readonly<Record<World, (a: number, c: number, y: number) => number>> = {
  "by chance": () => 0.33,
  "another value": (_, c) => logistic(-1.8 + 2 * c),
  "the value itself": (a) => logistic(-0.9 + 1.5 * a),
  "the outcome": (_a, _c, y) => logistic(-1.5 + 1.5 * y),
};

/**
 * Rows whose truth is known: a and b are normal and correlated, c is 1 more often where they are large, and the log-odds of y = "yes" are
 * 1.5 a − b + c − 0.5. Values of a are missing as the world has it, a fifth of those of b by chance.
 */
export function rowsOf(world: World, count: number, seed: number): Row[] {
  const g = random(seed);
  return Array.from({ length: count }, () => {
    const shared = g.normal();
    const a = 0.6 * shared + 0.8 * g.normal();
    const b = 0.6 * shared + 0.8 * g.normal();
    const c = g.uniform() < logistic(1.5 * shared) ? 1 : 0;
    const y = g.uniform() < chanceOfYes(a, b, c) ? 1 : 0;
    const isMissing = g.uniform() < CHANCE[world](a, c, y);
    return { a: isMissing ? null : a, b: g.uniform() < 0.2 ? null : b, c, y: y === 1 ? "yes" : "no" };
  });
}

/** P(y = "yes" | a, b, c). */
export function chanceOfYes(a: number, b: number, c: number): number {
  return logistic(1.5 * a - b + c - 0.5);
}

export function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
