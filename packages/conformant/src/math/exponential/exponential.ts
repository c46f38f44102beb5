import { FRACTIONS_OF_TWO } from "./fractions-of-two.ts";

/** Steps between one power of two and the next. */
const STEPS = 64;
const PER_STEP = STEPS / Math.LN2;
/** log 2 / 64 in two parts: products of the first with whole numbers below 2²⁰ are exact. */
const [STEP, STEP_REST] = [0.01083042286336422, 1.8328849257941169e-9];
/** Below this the exponential is taken for 0; it is 3e−308. */
const LEAST = -708;

const HALVES = Float64Array.from({ length: 1024 }, (_, e) => 2 ** -e);

/**
 * e^x for x not above 0. With x = (64 e + j) log 2 / 64 + r it is 2^e · 2^(j / 64) · e^r, and six terms give e^r for |r| ≤ log 2 / 128: within
 * 2 units of the last place of `Math.exp`, by operations that the kernels can do on several numbers at once.
 */
export function exponential(x: number): number {
  if (x < LEAST) return 0;
  const n = Math.floor(x * PER_STEP + 0.5);
  const r = x - n * STEP - n * STEP_REST;
  const tail = r * (1 + r * (1 / 2 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120)))));
  const fraction = FRACTIONS_OF_TWO[n & (STEPS - 1)];
  return (fraction + fraction * tail) * HALVES[-(n >> 6)];
}
