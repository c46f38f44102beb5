import type { ClassifierJson, NumberLink, RegressorJson } from "conformant";
import { UNNAMED_OUTPUT } from "./imported-classifier.ts";

/** A number that is affine in features, constant + Σ weight · feature: all that an additive model may compute before its logits or links. */
export interface Affine {
  readonly constant: number;
  /** By feature: a column, or `column=value` for whether the column has the value. */
  readonly terms: ReadonlyMap<string, number>;
  /** The same as the file computes it from its only column, rounding included; absent where that was not tracked. */
  readonly compute?: (x: number) => number;
}

export function constantOf(constant: number): Affine {
  return { constant, terms: new Map() };
}

export function featureOf(name: string): Affine {
  return { constant: 0, terms: new Map([[name, 1]]), compute: (x) => x };
}

/** A step that keeps numbers affine, and the same step as the file computes it. */
export function stepped(from: Affine, to: Affine, step: (value: number) => number): Affine {
  const { compute } = from;
  return compute ? { ...to, compute: (x) => step(compute(x)) } : to;
}

/** Σ_j weights_j · summands_j + constant. */
export function combine(
  summands: readonly Affine[],
  weights: ArrayLike<number>,
  constant = 0,
  from = 0,
): Affine {
  const terms = new Map<string, number>();
  let total = constant;
  summands.forEach((summand, j) => {
    const weight = weights[from + j];
    total += weight * summand.constant;
    for (const [feature, w] of summand.terms) terms.set(feature, (terms.get(feature) ?? 0) + weight * w);
  });
  return { constant: total, terms };
}

/** factor · x + shift. */
export function scaled(x: Affine, factor: number, shift = 0): Affine {
  return combine([x], [factor], shift);
}

/** The name of a column that is passed on unchanged; undefined for anything computed. */
export function columnOf({ constant, terms }: Affine): string | undefined {
  const [entry] = terms;
  return constant === 0 && terms.size === 1 && entry[1] === 1 ? entry[0] : undefined;
}

/** Logits per class as a classifier; for two classes only the difference is kept. */
export function classifierFromLogits(
  classes: readonly string[],
  logits: readonly Affine[],
  label?: string,
): ClassifierJson {
  const rows = classes.length === 2 ? [combine(logits, [-1, 1])] : logits;
  const features = [...new Set(rows.flatMap(({ terms }) => [...terms.keys()]))];
  return {
    classes,
    features,
    intercept: rows.map(({ constant }) => constant),
    coef: rows.map(({ terms }) => features.map((feature) => terms.get(feature) ?? 0)),
    ...(label && { label }),
  };
}

/** A number whose link is a sum, as a regressor. */
export function regressorFromSum(
  link: NumberLink,
  { constant, terms }: Affine,
  label?: string,
): RegressorJson {
  return {
    output: label ?? UNNAMED_OUTPUT,
    link,
    features: [...terms.keys()],
    intercept: constant,
    coef: [...terms.values()],
    ...(label && { label }),
  };
}
