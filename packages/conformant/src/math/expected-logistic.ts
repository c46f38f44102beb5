import { normalBelow } from "./normal.ts";
import { logistic } from "./softmax.ts";

/** Ends of the sum over a standard normal: what lies beyond is below 1e-16. */
const NORMAL_REACH = 8.5;
/** The same of a logistic distribution, whose tails are e^{−|t|}; and the step of the sum over it. */
const LOGISTIC = { reach: 38, step: 0.5 } as const;
/** From this deviation on the sum over the logistic distribution is the shorter one. */
const WIDE = 6;

/**
 * E[σ(μ + s Z)] for a standard normal Z and σ(x) = 1/(1 + e^{−x}), by the trapezoidal rule, whose error falls exponentially in
 * 1/step for functions that are analytic near the line. Over Z it is e^{−2π² / (s·step)} for σ, whose poles are π/s away, and
 * e^{−2π² / step²} for the density, so that steps become more as s grows. σ is also the distribution function of a logistic L,
 *
 *     E[σ(μ + s Z)] = P(L ≤ μ + s Z) = E[Φ((μ − L) / s)],
 *
 * and the density of L has its poles at ±iπ whatever s is: e^{−2π² / step}. With the steps below all are under 1e-15.
 */
export function expectedLogistic(mean: number, deviation: number): number {
  if (deviation === 0) return logistic(mean);
  return deviation < WIDE ? overNormal(mean, deviation) : overLogistic(mean, deviation);
}

function overNormal(mean: number, deviation: number): number {
  const step = Math.min(0.5, 0.55 / deviation);
  const half = Math.ceil(NORMAL_REACH / step);
  let [sum, total] = [0, 0];
  for (let j = -half; j <= half; j++) {
    const z = j * step;
    const weight = Math.exp((-z * z) / 2);
    sum += weight * logistic(mean + deviation * z);
    total += weight;
  }
  return sum / total;
}

function overLogistic(mean: number, deviation: number): number {
  const half = LOGISTIC.reach / LOGISTIC.step;
  let [sum, total] = [0, 0];
  for (let j = -half; j <= half; j++) {
    const t = j * LOGISTIC.step;
    const weight = logistic(t) * logistic(-t);
    sum += weight * normalBelow((mean - t) / deviation);
    total += weight;
  }
  return sum / total;
}
