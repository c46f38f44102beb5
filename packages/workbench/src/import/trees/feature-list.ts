import { above, below, singleBelow, singleThreshold } from "conformant/trees";
import type { Affine } from "../affine.ts";
import type { Question } from "./tree-writer.ts";

/** The features that trees split on, in the order in which they occur. */
export class FeatureList {
  readonly names: string[] = [];
  private readonly places = new Map<string, number>();

  placeOf(name: string): number {
    const known = this.places.get(name);
    if (known !== undefined) return known;
    this.places.set(name, this.names.length);
    return this.names.push(name) - 1;
  }
}

/** How numbers are compared: `single` rounds them to single precision first. */
export interface Comparison {
  readonly operator: "<" | "<=" | ">" | ">=" | "=";
  readonly value: number;
  readonly single: boolean;
}

const ALL = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** An empty interval: only missing values match. */
export const NOTHING = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };

/** The doubles for which a comparison is true, as a closed interval. */
export function intervalOf({ operator, value, single }: Comparison): { from: number; to: number } {
  const most = (t: number): number => (single ? singleThreshold(t) : t);
  const less = (t: number): number =>
    Number.isFinite(t) ? most(single ? lessSingle(t) : below(t)) : t > 0 ? Number.MAX_VALUE : t;
  if (operator === "<=") return { ...ALL, to: most(value) };
  if (operator === "<") return { ...ALL, to: less(value) };
  if (operator === ">") return { ...ALL, from: next(most(value)) };
  if (operator === ">=") return { ...ALL, from: next(less(value)) };
  return { from: next(less(value)), to: most(value) };
}

/** The largest single-precision number below any double. */
function lessSingle(t: number): number {
  const near = Math.fround(t);
  return near < t ? near : singleBelow(near);
}

/**
 * Whether a number that is affine in one feature, c + w · x, lies in an interval, as a condition on the feature itself; undefined where
 * several features make the number.
 */
export function questionOf(
  number: Affine,
  comparison: Comparison,
  gap: boolean,
  features: FeatureList,
): Question | undefined {
  const { constant, terms, compute } = number;
  const [entry] = terms;
  if (terms.size !== 1 || entry[1] === 0 || !Number.isFinite(entry[1]) || !Number.isFinite(constant))
    return undefined;
  const [name, weight] = entry;
  const feature = features.placeOf(name);
  if (constant === 0 && weight === 1) return { feature, gap, ...intervalOf(comparison) };
  const round = comparison.single ? Math.fround : (x: number) => x;
  const value = (x: number): number => round(compute ? compute(x) : constant + weight * x);
  const { from, to } = intervalOf({ ...comparison, single: false });
  const near = (y: number): number => (y - constant) / weight;
  // Finds a value beyond an end of the interval and one inside: the comparison is monotone in x.
  return weight > 0
    ? {
        feature,
        gap,
        from: next(last((x) => value(x) < from, near(from))),
        to: last((x) => value(x) <= to, near(to)),
      }
    : {
        feature,
        gap,
        from: next(last((x) => value(x) > to, near(to))),
        to: last((x) => value(x) >= from, near(from)),
      };
}

/** The largest double for which a monotone condition holds; ±∞ where it always or never holds. */
function last(isTrue: (x: number) => boolean, guess: number): number {
  if (!Number.isFinite(guess)) return isTrue(0) ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  const first = Math.max(Math.abs(guess), Number.MIN_VALUE / Number.EPSILON) * Number.EPSILON;
  let [low, high] = [guess, guess];
  for (let step = first; !isTrue(low); step *= 2) {
    low -= step;
    if (!Number.isFinite(low)) return Number.NEGATIVE_INFINITY;
  }
  for (let step = first; isTrue(high); step *= 2) {
    high += step;
    if (!Number.isFinite(high)) return Number.POSITIVE_INFINITY;
  }
  for (;;) {
    const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return low;
    if (isTrue(middle)) low = middle;
    else high = middle;
  }
}

function next(t: number): number {
  return Number.isFinite(t) ? above(t) : t;
}
