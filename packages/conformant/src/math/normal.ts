/** 1 / √(2π). */
const DENSITY_AT_ZERO = 0.3989422804014327;
/** ½ log 2π. */
const HALF_LOG_TWO_PI = 0.9189385332046727;
/** Below it the series converges fast, above it the continued fraction. */
const MIDDLE = 3;

/** P(X ≤ x) of a standard normal X, to nearly full precision also where it is tiny. */
export function normalBelow(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x < -MIDDLE) return Math.exp(logNormalAbove(-x));
  if (x > MIDDLE) return 1 - Math.exp(logNormalAbove(x));
  return 0.5 + fromZero(x);
}

/** P(X ≥ x). */
export function normalAbove(x: number): number {
  return normalBelow(-x);
}

/** log P(X ≥ x), for any x; far out by Laplace's continued fraction of Mills' ratio. */
export function logNormalAbove(x: number): number {
  if (x <= MIDDLE) return Math.log(0.5 - fromZero(Math.max(x, -40)));
  if (x === Number.POSITIVE_INFINITY) return Number.NEGATIVE_INFINITY;
  let tail = x;
  const terms = Math.ceil(20 + 600 / (x * x));
  for (let n = terms; n >= 1; n--) tail = x + n / tail;
  return -(x * x) / 2 - HALF_LOG_TWO_PI - Math.log(tail);
}

/** P(0 ≤ X ≤ x), with the sign of x: φ(x) Σ_n x^{2n+1} / (2n+1)!!. */
function fromZero(x: number): number {
  if (Math.abs(x) > 9) return Math.sign(x) / 2;
  let [term, sum] = [x, x];
  for (let n = 3; Math.abs(term) > 1e-18 * Math.abs(sum); n += 2) {
    term *= (x * x) / n;
    sum += term;
  }
  return DENSITY_AT_ZERO * Math.exp((-x * x) / 2) * sum;
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
