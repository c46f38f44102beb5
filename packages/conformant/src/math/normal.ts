/** 1 / √(2π). */
const DENSITY_AT_ZERO = 0.3989422804014327;
/** ½ log 2π. */
export const HALF_LOG_TWO_PI = 0.9189385332046727;
/** Up to here from the middle P(0 ≤ X ≤ x) is computed, beyond it what is left above x: 0.46875 √2. */
const CENTRAL = 0.6629126073623882;

/** The density at x. */
export function normalDensity(x: number): number {
  return DENSITY_AT_ZERO * Math.exp((-x * x) / 2);
}

/** P(X ≤ x) of a standard normal X, to nearly full precision also where it is tiny. */
export function normalBelow(x: number): number {
  if (Math.abs(x) <= CENTRAL) return 0.5 + fromZero(x);
  return x < 0 ? tail(-x) : 1 - tail(x);
}

/** P(X ≥ x). */
export function normalAbove(x: number): number {
  return normalBelow(-x);
}

/** log P(X ≥ x), for any x. */
export function logNormalAbove(x: number): number {
  if (x > CENTRAL) return -(x * x) / 2 + Math.log(scaledComplement(x * Math.SQRT1_2) / 2);
  return x < -CENTRAL ? Math.log1p(-tail(-x)) : Math.log(0.5 - fromZero(x));
}

/** P(X ≥ x) for x beyond the middle. */
function tail(x: number): number {
  return (Math.exp((-x * x) / 2) * scaledComplement(x * Math.SQRT1_2)) / 2;
}

/** P(0 ≤ X ≤ x), with the sign of x. */
function fromZero(x: number): number {
  const far = Math.abs(x);
  return far <= CENTRAL ? errorFunction(x * Math.SQRT1_2) / 2 : Math.sign(x) * (0.5 - tail(far));
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

/**
 * The error function by rational approximations, within a few units of the last place (W. J. Cody, "Rational Chebyshev
 * approximations for the error function", Mathematics of Computation 23, 1969). Coefficients from the highest power down.
 */
const NEAR: Rational = [
  [0.18577770618460315, 3.1611237438705655, 113.86415415105016, 377.485237685302, 3209.3775891384694],
  [1, 23.601290952344122, 244.02463793444417, 1282.6165260773723, 2844.236833439171],
];
const MIDDLE_RATIO: Rational = [
  [
    2.1531153547440383e-8, 0.5641884969886701, 8.883149794388377, 66.11919063714163, 298.6351381974001,
    881.952221241769, 1712.0476126340707, 2051.0783778260716, 1230.3393547979972,
  ],
  [
    1, 15.744926110709835, 117.6939508913125, 537.1811018620099, 1621.3895745666903, 3290.7992357334597,
    4362.619090143247, 3439.3676741437216, 1230.3393548037495,
  ],
];
const FAR: Rational = [
  [
    0.016315387137302097, 0.30532663496123236, 0.36034489994980445, 0.12578172611122926, 0.016083785148742275,
    0.0006587491615298378,
  ],
  [1, 2.568520192289822, 1.8729528499234673, 0.5279051029514285, 0.06051834131244132, 0.0023352049762686918],
];
/** 1 / √π. */
const INVERSE_ROOT_PI = 0.5641895835477563;

/** A polynomial over another, of the same degree. */
type Rational = readonly [numerator: readonly number[], denominator: readonly number[]];

/** erf x, for |x| ≤ 0.46875. */
export function errorFunction(x: number): number {
  return x * ratio(NEAR, x * x);
}

/** e^{x²} erfc x, for x ≥ 0.46875. */
export function scaledComplement(x: number): number {
  if (x <= 4) return ratio(MIDDLE_RATIO, x);
  const inverse = 1 / (x * x);
  return (INVERSE_ROOT_PI - inverse * ratio(FAR, inverse)) / x;
}

function ratio([numerator, denominator]: Rational, x: number): number {
  let [above, below] = [0, 0];
  for (let j = 0; j < numerator.length; j++) {
    above = above * x + numerator[j];
    below = below * x + denominator[j];
  }
  return above / below;
}

/** Coefficients of the three rational functions of algorithm AS 241 (Wichura 1988), highest power first. */
const [MIDDLE_ABOVE, MIDDLE_BELOW] = [
  [
    2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946,
    1971.5909503065513, 133.14166789178438, 3.3871328727963665,
  ],
  [
    5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751,
    687.1870074920579, 42.31333070160091, 1,
  ],
];
const [NEAR_ABOVE, NEAR_BELOW] = [
  [
    0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045,
    5.769497221460691, 4.630337846156546, 1.4234371107496835,
  ],
  [
    1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008, 0.6897673349851,
    1.6763848301838038, 2.053191626637759, 1,
  ],
];
const [FAR_ABOVE, FAR_BELOW] = [
  [
    2.0103343992922881e-7, 2.7115555687434876e-5, 0.0012426609473880784, 0.026532189526576124,
    0.29656057182850487, 1.7848265399172913, 5.463784911164114, 6.657904643501103,
  ],
  [
    2.0442631033899397e-15, 1.421511758316446e-7, 1.8463183175100548e-5, 0.0007868691311456133,
    0.014875361290850615, 0.1369298809227358, 0.599832206555888, 1,
  ],
];

/** The p-quantile of the standard normal distribution, to about 1e-15 of itself; ±∞ for 0 and 1. */
export function normalQuantile(p: number): number {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return (q * polynomial(MIDDLE_ABOVE, r)) / polynomial(MIDDLE_BELOW, r);
  }
  const tail = q < 0 ? p : 1 - p;
  if (!(tail > 0)) return q < 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const r = Math.sqrt(-Math.log(tail));
  const x =
    r <= 5
      ? polynomial(NEAR_ABOVE, r - 1.6) / polynomial(NEAR_BELOW, r - 1.6)
      : polynomial(FAR_ABOVE, r - 5) / polynomial(FAR_BELOW, r - 5);
  return q < 0 ? -x : x;
}

function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (let j = 0; j < coefficients.length; j++) sum = sum * x + coefficients[j];
  return sum;
}
