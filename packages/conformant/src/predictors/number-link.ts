import { normalBelow, normalQuantile } from "../math/normal.ts";
import { logistic, logit } from "../math/softmax.ts";

/** How a sum η becomes a number: η itself, e^η, 1 / (1 + e^−η) or Φ(η), the standard normal's distribution function. */
export type NumberLink = "identity" | "log" | "logit" | "probit";

export const NUMBER_LINKS: readonly NumberLink[] = ["identity", "log", "logit", "probit"];

/** The number that belongs to a sum. It rises with the sum under every link. */
export function numberOf(link: NumberLink, sum: number): number {
  if (link === "identity") return sum;
  if (link === "log") return Math.exp(sum);
  return link === "logit" ? logistic(sum) : normalBelow(sum);
}

/** The sum that belongs to a number; ±Infinity for a number that no sum, or none of finite size, gives. */
export function sumOf(link: NumberLink, number: number): number {
  if (link === "identity") return number;
  if (link === "log") return number > 0 ? Math.log(number) : Number.NEGATIVE_INFINITY;
  if (number <= 0) return Number.NEGATIVE_INFINITY;
  if (number >= 1) return Number.POSITIVE_INFINITY;
  return link === "logit" ? logit(number) : normalQuantile(number);
}
