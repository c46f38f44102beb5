import { decide } from "conformant/internal";

/** A class and its probability. */
export type RankedClass = readonly [name: string, probability: number];

/** The classes by falling probability; of tied ones that for which the tie counts comes first, as in every answer. */
export function rankClasses(
  classes: readonly string[],
  probabilities: Readonly<Record<string, number>>,
): RankedClass[] {
  const best = classes[decide(classes.map((name) => probabilities[name])).class];
  const others = classes.filter((name) => name !== best).sort((a, b) => probabilities[b] - probabilities[a]);
  return [best, ...others].map((name) => [name, probabilities[name]]);
}
