// exp, log, log1p, expm1, log2 and cos by the algorithms of fdlibm (Sun Microsystems, 1993; freely granted), which use additions,
// products and quotients alone: the same bits in every engine, where an engine's own functions differ by the last one.

const scratch = new Float64Array(1);
const words = new Int32Array(scratch.buffer);
/** Which of the two words of a double has sign and exponent. */
const HIGH = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 1 : 0;

function highWord(x: number): number {
  scratch[0] = x;
  return words[HIGH];
}

/** x with another high word. */
function withHighWord(x: number, high: number): number {
  scratch[0] = x;
  words[HIGH] = high;
  return scratch[0];
}

const [LN2_HIGH, LN2_LOW, PER_LN2] = [0.6931471803691238, 1.9082149292705877e-10, Math.LOG2E];
const [E1, E2, E3, E4, E5] = [
  0.16666666666666602, -0.0027777777777015593, 6.613756321437934e-5, -1.6533902205465252e-6,
  4.1381367970572385e-8,
];
const [HALF_LN2, MORE_THAN_LN2, TINY] = [0x3fd62e43, 0x3ff0a2b2, 0x3e300000].map((high) =>
  withHighWord(0, high),
);
/** 2^k for k from −1022 to 1023. */
const POWERS = Float64Array.from({ length: 2046 }, (_, k) => 2 ** (k - 1022));

/** e^x. */
export function exp(given: number): number {
  let x = given;
  const size = Math.abs(x);
  if (!(size < 709.78)) {
    if (Number.isNaN(x)) return x;
    if (x > 709.782712893384) return Number.POSITIVE_INFINITY;
    if (x < -745.1332191019411) return 0;
  }
  let [k, high, low] = [0, 0, 0];
  if (size >= HALF_LN2) {
    if (size < MORE_THAN_LN2) {
      if (x === 1) return Math.E;
      k = x > 0 ? 1 : -1;
    } else k = Math.trunc(PER_LN2 * x + (x < 0 ? -0.5 : 0.5));
    high = x - k * LN2_HIGH;
    low = k * LN2_LOW;
    x = high - low;
  } else if (size < TINY) return 1 + x;
  const t = x * x;
  const c = x - t * (E1 + t * (E2 + t * (E3 + t * (E4 + t * E5))));
  if (k === 0) return 1 - ((x * c) / (c - 2) - x);
  const y = 1 - (low - (x * c) / (2 - c) - high);
  if (k < -1021) return y * POWERS[k + 2022] * 2 ** -1000;
  return k === 1024 ? y * 2 * 2 ** 1023 : y * POWERS[k + 1022];
}

const [L1, L2, L3, L4, L5, L6, L7] = [
  0.6666666666666735, 0.3999999999940942, 0.2857142874366239, 0.22222198432149784, 0.1818357216161805,
  0.15313837699209373, 0.14798198605116586,
];

/** The polynomial that log and log1p share. */
function logTail(s: number): number {
  const z = s * s;
  const w = z * z;
  return z * (L1 + w * (L3 + w * (L5 + w * L7))) + w * (L2 + w * (L4 + w * L6));
}

/** The natural logarithm. */
export function log(given: number): number {
  let x = given;
  let high = highWord(x);
  let k = 0;
  if (high < 0x00100000) {
    if (x === 0) return Number.NEGATIVE_INFINITY;
    if (high < 0) return Number.NaN;
    k = -54;
    x *= 2 ** 54;
    high = highWord(x);
  }
  if (high >= 0x7ff00000) return x + x;
  k += (high >> 20) - 1023;
  high &= 0x000fffff;
  const i = (high + 0x95f64) & 0x100000;
  k += i >> 20;
  const f = withHighWord(x, high | (i ^ 0x3ff00000)) - 1;
  if ((0x000fffff & (2 + high)) < 3) {
    if (f === 0) return k === 0 ? 0 : k * LN2_HIGH + k * LN2_LOW;
    const r = f * f * (0.5 - 0.3333333333333333 * f);
    return k === 0 ? f - r : k * LN2_HIGH - (r - k * LN2_LOW - f);
  }
  const s = f / (2 + f);
  const r = logTail(s);
  if (((high - 0x6147a) | (0x6b851 - high)) <= 0)
    return k === 0 ? f - s * (f - r) : k * LN2_HIGH - (s * (f - r) - k * LN2_LOW - f);
  const half = 0.5 * f * f;
  return k === 0 ? f - (half - s * (half + r)) : k * LN2_HIGH - (half - (s * (half + r) + k * LN2_LOW) - f);
}

/** log(1 + x), by the logarithm of the double nearest to 1 + x, corrected for what was rounded away. */
export function log1p(x: number): number {
  const sum = 1 + x;
  if (sum === 1 || sum === Number.POSITIVE_INFINITY) return x;
  return sum <= 0 ? log(sum) : (log(sum) * x) / (sum - 1);
}

/** e^x − 1, in the same way. */
export function expm1(x: number): number {
  const power = exp(x);
  if (power === 1) return x;
  const rest = power - 1;
  return rest === -1 || power === Number.POSITIVE_INFINITY ? rest : (rest * x) / log(power);
}

/** The logarithm to base 2. */
export function log2(x: number): number {
  return log(x) / Math.LN2;
}

/** π / 2 in two parts: products of the first with small whole numbers are exact. */
const [QUARTER, QUARTER_REST] = [1.5707963267341256, 6.077100506506192e-11];
const COSINES = [
  0.0416666666666666, -0.001388888888887411, 2.480158728947673e-5, -2.7557314351390663e-7,
  2.087572321298175e-9, -1.1359647557788195e-11,
];
const SINES = [
  -0.16666666666666632, 0.00833333333332249, -0.0001984126982985795, 2.7557313707070068e-6,
  -2.5050760253406863e-8, 1.58969099521155e-10,
];

/** The cosine of an angle of a few turns at most. */
export function cos(x: number): number {
  const quarters = Math.round(x / (Math.PI / 2));
  const r = x - quarters * QUARTER - quarters * QUARTER_REST;
  const z = r * r;
  const along = (terms: readonly number[]): number => terms.reduceRight((sum, term) => sum * z + term, 0);
  const cosine = 1 - z / 2 + z * z * along(COSINES);
  const sine = r + r * z * along(SINES);
  return [cosine, -sine, -cosine, sine][((quarters % 4) + 4) % 4];
}

/**
 * Has all that runs in this thread compute with these functions. A model then is the same, byte for byte, whichever engine makes it;
 * for threads of our own only, where nothing else runs.
 */
export function usePortableMath(): void {
  Object.assign(Math, { exp, log, log1p, expm1, log2, cos });
}
