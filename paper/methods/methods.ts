import { authorsEm, authorsMice } from "./authors-imputers.ts";
import { max, mean, median, min } from "./constants.ts";
import { em } from "./em.ts";
import { knn } from "./knn.ts";
import type { Method } from "./method.ts";
import { mice } from "./mice.ts";
import { mixture } from "./mixture.ts";
import { nacl } from "./nacl.ts";
import { naclColumns } from "./nacl-columns.ts";
import { naiveBayes } from "./naive-bayes.ts";
import { reduced } from "./reduced.ts";

/** The methods in the order of the tables: the paper's five, and those it does not have. Another one is entered here. */
export const METHODS: readonly Method[] = [
  min,
  max,
  mean,
  median,
  nacl,
  naclColumns,
  naiveBayes,
  authorsEm,
  authorsMice,
  em,
  mice,
  knn,
  reduced,
  mixture,
];

/** The five of the paper's tables. */
export const PAPER_METHODS: readonly string[] = [min, max, mean, median, nacl].map(({ name }) => name);

export const METHOD_NAMES: readonly string[] = METHODS.map(({ name }) => name);

/** The method of a name. */
export function methodOf(name: string): Method {
  const found = METHODS.find((method) => method.name === name);
  if (found) return found;
  throw new Error(`a method must be one of ${METHOD_NAMES.join(", ")}, got ${JSON.stringify(name)}`);
}
