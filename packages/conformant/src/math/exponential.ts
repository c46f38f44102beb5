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

/**
 * 2^(j / 64) for j from 0 to 63, the nearest doubles. They stand here as an engine's own power is off by a bit in some of them, each
 * engine's in others, and answers are to be the same in all.
 */
export const FRACTIONS_OF_TWO = Float64Array.of(
  1,
  1.0108892860517005,
  1.0218971486541166,
  1.0330248790212284,
  1.0442737824274138,
  1.0556451783605572,
  1.0671404006768237,
  1.0787607977571199,
  1.0905077326652577,
  1.102382583307841,
  1.1143867425958924,
  1.1265216186082418,
  1.1387886347566916,
  1.1511892299529827,
  1.1637248587775775,
  1.1763969916502812,
  1.189207115002721,
  1.202156731452703,
  1.215247359980469,
  1.22848053610687,
  1.241857812073484,
  1.255380757024691,
  1.2690509571917332,
  1.2828700160787783,
  1.2968395546510096,
  1.3109612115247644,
  1.3252366431597413,
  1.339667524053303,
  1.3542555469368927,
  1.3690024229745905,
  1.383909881963832,
  1.3989796725383112,
  Math.SQRT2,
  1.42961333839197,
  1.4451808069770467,
  1.460917794180647,
  1.4768261459394993,
  1.4929077282912648,
  1.5091644275934228,
  1.5255981507445384,
  1.5422108254079407,
  1.559004400237837,
  1.5759808451078865,
  1.593142151342267,
  1.6104903319492543,
  1.6280274218573478,
  1.645755478153965,
  1.6636765803267364,
  1.681792830507429,
  1.7001063537185235,
  1.718619298122478,
  1.7373338352737062,
  1.7562521603732995,
  1.7753764925265212,
  1.7947090750031072,
  1.8142521755003989,
  1.8340080864093424,
  1.8539791250833855,
  1.8741676341103,
  1.8945759815869656,
  1.9152065613971474,
  1.9360617934922943,
  1.9571441241754002,
  1.978456026387951,
);
