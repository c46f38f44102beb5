import {
  askNext,
  type Estimate,
  explain,
  howSure,
  impute,
  type RegressionModel,
  type Row,
  surprise,
} from "conformant";
import { type AnswerCurve, type Certainty, type NumberReasons, type Outlook, pathError } from "./answer.ts";
import { type AnswerScale, drawnAnswers } from "./answer-scale.ts";
import { sampledReductions } from "./sampled-questions.ts";
import { within } from "./within.ts";

/** Seconds to search for a smallest sufficient explanation, and the standard error of sampled answers: that of tables. */
const [EXPLAIN_SECONDS, TOLERANCE] = [0.3, 0.01];
/** Milliseconds for the next questions, and for a range. */
const [AHEAD_MS, RANGE_MS] = [300, 600];
/** An end of the range may be off by this share of the scale; a range that is narrower than the second says no more than the answer. */
const [ROUGH, NARROW] = [0.02, 0.01];
/** Completions that are drawn for a range, one number after the other until it is exact enough or the time is over. */
const SAMPLES = [1000, 4000, 16_000];
/** Answers that are drawn for a curve, and its points. */
const [DRAWN, POINTS] = [2000, 96];

export function findNumberReasons(model: RegressionModel, row: Row): NumberReasons {
  const explanation = explain(model, row, { timeLimit: EXPLAIN_SECONDS, tolerance: TOLERANCE });
  return { explanation, standardError: pathError(model, row, explanation) };
}

/** What to ask next: what is expected to narrow the range most. */
export function findNumberOutlook(model: RegressionModel, row: Row): Outlook {
  const exact = within(AHEAD_MS, (watch) => askNext(model, row, watch));
  const reductions = exact
    ? exact.map(({ column, varianceReduction, standardDeviation }) => ({
        column,
        reduction: varianceReduction,
        variance: varianceReduction + standardDeviation ** 2,
      }))
    : sampledReductions(model, row);
  const questions = reductions.map(({ column, reduction, variance }) => ({
    column,
    narrows: variance > 0 ? 1 - Math.sqrt(Math.max(0, 1 - reduction / variance)) : 0,
  }));
  return { questions, likely: impute(model, row) };
}

/** How sure a number is, and how likely others are. */
export function findNumberCertainty(model: RegressionModel, row: Row, scale: AnswerScale): Certainty {
  const started = performance.now();
  const width = scale.high - scale.low;
  const isExactEnough = (ends: readonly Estimate[]): boolean =>
    ends.every(({ lower, upper }) => (upper - lower) / 2 <= ROUGH * width);
  let sure = howSure(model, row, { samples: SAMPLES[0] });
  for (const samples of SAMPLES.slice(1)) {
    if (isExactEnough(sure.interval) || 5 * (performance.now() - started) > RANGE_MS) break;
    sure = howSure(model, row, { samples });
  }
  const [low, high] = sure.interval;
  const isWorthIt = isExactEnough(sure.interval) && high.value - low.value >= NARROW * width;
  return {
    range: isWorthIt ? sure.interval : undefined,
    standardDeviation: sure.standardDeviation,
    surprise: surprise(model, row),
    curve: curveOf(model, row, scale),
  };
}

function curveOf(model: RegressionModel, row: Row, scale: AnswerScale): AnswerCurve {
  const now = drawnAnswers(model, row, DRAWN).sort();
  const [least, most] = [now[0], now[now.length - 1]];
  const isSpread = most - least > 1e-9 * (scale.high - scale.low);
  const [low, high] = [Math.min(scale.low, least), Math.max(scale.high, most)];
  const all = drawnAnswers(model, {}, DRAWN).sort();
  return { low, high, now: isSpread ? densityOf(now, low, high) : undefined, all: densityOf(all, low, high) };
}

/** A density at points of equal distance: that of a normal number about each draw, by Silverman's rule of thumb. */
export function densityOf(sorted: Float64Array, low: number, high: number): number[] {
  const n = sorted.length;
  const mean = sorted.reduce((sum, x) => sum + x, 0) / n;
  const deviation = Math.sqrt(sorted.reduce((sum, x) => sum + (x - mean) ** 2, 0) / n);
  const quartiles = sorted[Math.floor(0.75 * n)] - sorted[Math.floor(0.25 * n)];
  const spread = quartiles > 0 ? Math.min(deviation, quartiles / 1.34) : deviation;
  const step = (high - low) / (POINTS - 1);
  const width = Math.max(0.9 * spread * n ** -0.2, step);
  return Array.from({ length: POINTS }, (_, j) => {
    const x = low + j * step;
    let sum = 0;
    for (const draw of sorted) {
      const z = (x - draw) / width;
      if (Math.abs(z) < 5) sum += Math.exp(-0.5 * z * z);
    }
    return sum / (n * width * Math.sqrt(2 * Math.PI));
  });
}
