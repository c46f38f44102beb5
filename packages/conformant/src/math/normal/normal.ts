import { errorFunction, scaledComplement } from "./error-function.ts";

/** 1 / √(2π). */
const DENSITY_AT_ZERO = 0.3989422804014327;
/** ½ log 2π. */
export const HALF_LOG_TWO_PI = 0.9189385332046727;
/** Up to here from the middle P(0 ≤ X ≤ x) is computed, beyond it what is left above x: 0.46875 √2. */
const MIDDLE = 0.6629126073623882;

/** The density at x. */
export function normalDensity(x: number): number {
  return DENSITY_AT_ZERO * Math.exp((-x * x) / 2);
}

/** P(X ≤ x) of a standard normal X, to nearly full precision also where it is tiny. */
export function normalBelow(x: number): number {
  if (Math.abs(x) <= MIDDLE) return 0.5 + fromZero(x);
  return x < 0 ? tail(-x) : 1 - tail(x);
}

/** P(X ≥ x). */
export function normalAbove(x: number): number {
  return normalBelow(-x);
}

/** log P(X ≥ x), for any x. */
export function logNormalAbove(x: number): number {
  if (x > MIDDLE) return -(x * x) / 2 + Math.log(scaledComplement(x * Math.SQRT1_2) / 2);
  return x < -MIDDLE ? Math.log1p(-tail(-x)) : Math.log(0.5 - fromZero(x));
}

/** P(X ≥ x) for x beyond the middle. */
function tail(x: number): number {
  return (Math.exp((-x * x) / 2) * scaledComplement(x * Math.SQRT1_2)) / 2;
}

/** P(0 ≤ X ≤ x), with the sign of x. */
function fromZero(x: number): number {
  const far = Math.abs(x);
  return far <= MIDDLE ? errorFunction(x * Math.SQRT1_2) / 2 : Math.sign(x) * (0.5 - tail(far));
}

/** log P(|X − z| ≤ half): the mass of an interval, also far out and for very narrow ones. */
export function logNormalInterval(z: number, half: number): number {
  const from = Math.abs(z) - half;
  if (half < 1e-4) {
    // φ is a parabola here: the mean of φ over the interval is φ(z) (1 + half² (z² − 1) / 6).
    return (
      Math.log(2 * half) -
      (z * z) / 2 -
      HALF_LOG_TWO_PI +
      Math.log1p(Math.max(-0.5, (half * half * (z * z - 1)) / 6))
    );
  }
  if (from <= 0) return Math.log(Math.max(0, fromZero(Math.abs(z) + half) - fromZero(from)));
  const [above, beyond] = [logNormalAbove(from), logNormalAbove(Math.abs(z) + half)];
  return above + Math.log(-Math.expm1(beyond - above));
}
