/**
 * The error function by rational approximations, within a few units of the last place (W. J. Cody, "Rational Chebyshev
 * approximations for the error function", Mathematics of Computation 23, 1969). Coefficients from the highest power down.
 */
const NEAR: Rational = [
  [0.18577770618460315, 3.1611237438705655, 113.86415415105016, 377.485237685302, 3209.3775891384694],
  [1, 23.601290952344122, 244.02463793444417, 1282.6165260773723, 2844.236833439171],
];
const MIDDLE: Rational = [
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
  if (x <= 4) return ratio(MIDDLE, x);
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
