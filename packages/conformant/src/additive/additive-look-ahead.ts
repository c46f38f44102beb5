import { completionSpace } from "../distribution/completion-space.ts";
import type { Distribution, MissingColumn } from "../distribution/distribution.ts";
import type { Tilt } from "../distribution/factor.ts";
import { logPosteriorOfRow } from "../distribution/score-rows.ts";
import { type MissingNumber, missingNumber } from "../gaussian/condition.ts";
import { integrate } from "../math/integrate.ts";
import { HALF_LOG_TWO_PI } from "../math/normal.ts";
import { mixtureBetween, normalBreaks } from "../math/normal-mixture.ts";
import { bisect } from "../math/search.ts";
import { softmaxInPlace } from "../math/softmax.ts";
import type { Ahead, LookAhead } from "../predictors/expectation.ts";
import { indicatorOf } from "../schema/indicators.ts";
import { type Cells, tableOfRow } from "../schema/read-row.ts";

/** The error of integrals where none is asked for. */
const TOLERANCE = 1e-11;

/** What an additive classifier answers as missing columns become known: a sum over values, or an integral for a normal number. */
export function additiveLookAhead(
  distribution: Distribution,
  cells: Cells,
  now: Float64Array,
  tolerance = TOLERANCE,
): LookAhead {
  const { schema } = distribution;
  const { missing, normals, posterior } = completionSpace(distribution, tableOfRow(schema, cells), 0);
  const places = new Map(missing.map((column) => [column.index, column]));
  /** log P(m, k | y), up to a constant, once column i is known not to be missing; undefined where that has no indicator. */
  const logLearned = (i: number): Float64Array | undefined => {
    const indicator = indicatorOf(schema, i);
    if (indicator === undefined) return undefined;
    const known = cells.slice();
    known[indicator] = 0;
    return logPosteriorOfRow(distribution, tableOfRow(schema, known), 0);
  };
  return {
    now,
    column: (i) => {
      const column = places.get(i);
      const learned = logLearned(i);
      if (column) return overValues(column, posterior, learned, now);
      const number = missingNumber(normals, normals.columns.indexOf(i));
      if (learned) softmaxInPlace(learned);
      return overLine(number, posterior, learned ?? posterior, now, tolerance);
    },
  };
}

/** Values of less probability change no expectation; beside large weights their answers would have no digits left. */
const IMPOSSIBLE = 1e-200;

/**
 * With p_kv = P(k, x = v | y) = Σ_m P(m, k | y) P_m(v | k), the answer for value v is p_kv / p_v.
 *
 * @param learned log P(m, k | y) once the column is known not to be missing, where that differs
 */
function overValues(
  { count, conditional, logConditional, cellOf }: MissingColumn,
  posterior: Float64Array,
  learned: Float64Array | undefined,
  now: Float64Array,
): Ahead {
  const K = now.length;
  const joint = jointOf(conditional, posterior, count, K);
  const answers = learned ? answersOfLogs(logConditional, learned, count, K) : joint;
  const shares = new Float64Array(count);
  for (let at = 0; at < joint.length; at++) shares[Math.floor(at / K)] += joint[at];
  const given = new Float64Array(K);
  const answerFor = (v: number): Float64Array => {
    let sum = 0;
    for (let k = 0; k < K; k++) sum += answers[v * K + k];
    for (let k = 0; k < K; k++) given[k] = answers[v * K + k] / sum;
    return given;
  };
  const over = (each: (v: number) => number): number => {
    let sum = 0;
    for (let v = 0; v < count; v++) if (shares[v] > IMPOSSIBLE) sum += shares[v] * each(v);
    return sum;
  };
  return {
    mean: (g) => ({ value: over((v) => g(answerFor(v), now)) }),
    share: (test) => over((v) => Number(test(answerFor(v)))),
    tilted: ({ of }) =>
      sharesOfLogs(
        joint.map((p, at) => Math.log(p) + of(cellOf(Math.floor(at / K)))),
        K,
      ),
  };
}

/** Σ_m P(m, k | y) P_m(v | k): values × K. */
function jointOf(conditional: Float64Array, posterior: Float64Array, count: number, K: number): Float64Array {
  const joint = new Float64Array(count * K);
  for (let v = 0, at = 0; v < count; v++)
    for (let a = 0; a < posterior.length; a++) joint[v * K + (a % K)] += posterior[a] * conditional[at++];
  return joint;
}

/** P(k | y, v) = Σ_m P(m, k | y) P_m(v | k) / p_v from logarithms, values × K: no product is too small for a number. */
function answersOfLogs(
  logConditional: Float64Array,
  logPosterior: Float64Array,
  count: number,
  K: number,
): Float64Array {
  const A = logPosterior.length;
  const answers = new Float64Array(count * K);
  for (let v = 0; v < count; v++)
    answers.set(
      sharesOfLogs(
        logPosterior.map((log, a) => log + logConditional[v * A + a]),
        K,
      ),
      v * K,
    );
  return answers;
}

/** Sums by class of numbers given by their logarithms, classes running fastest, as shares of the whole. */
function sharesOfLogs(logs: Float64Array, K: number): Float64Array {
  const most = logs.reduce((high, log) => Math.max(high, log), Number.NEGATIVE_INFINITY);
  const out = new Float64Array(K);
  for (let at = 0; at < logs.length; at++) out[at % K] += Math.exp(logs[at] - most);
  const sum = out.reduce((all, x) => all + x, 0);
  return out.map((x) => x / sum);
}

/** Outcomes of less weight are left out. */
const NEGLIGIBLE = 1e-14;

/**
 * A missing normal number, x ~ Σ_mk P(m, k | y) N(μ_mk, σ_m²): means are integrals along the line (adaptive Gauss–Kronrod); a test
 * holds on intervals whose ends are found by bisection and whose mass is a difference of normal distributions.
 */
function overLine(
  { means, deviations }: MissingNumber,
  posterior: Float64Array,
  learned: Float64Array,
  now: Float64Array,
  tolerance: number,
): Ahead {
  const K = now.length;
  const outcomes = Array.from(posterior.keys()).filter((a) => posterior[a] > NEGLIGIBLE);
  const given = new Float64Array(K);
  /** Writes P(k | y, x) and returns the density of x. */
  const givenAt = (x: number): number => {
    given.fill(0);
    let density = 0;
    for (const a of outcomes) {
      const s = deviations[Math.floor(a / K)];
      const z = (x - means[a]) / s;
      const own = Math.exp((-z * z) / 2 - HALF_LOG_TWO_PI) / s;
      given[a % K] += learned[a] * own;
      density += posterior[a] * own;
    }
    const sum = given.reduce((all, p) => all + p, 0);
    for (let k = 0; k < K; k++) given[k] /= sum;
    return density;
  };
  const mixture = {
    weights: Float64Array.from(outcomes, (a) => posterior[a]),
    means: Float64Array.from(outcomes, (a) => means[a]),
    standardDeviations: Float64Array.from(outcomes, (a) => deviations[Math.floor(a / K)]),
  };
  const breaks = normalBreaks(mixture.means, mixture.standardDeviations);
  let nodes: readonly number[] | undefined;
  const mean = (g: Parameters<Ahead["mean"]>[0]): { value: number; error: number } => {
    const found = integrate(
      (x) => {
        const density = givenAt(x);
        return density > 0 ? density * g(given, now) : 0;
      },
      breaks,
      tolerance,
    );
    nodes = found.nodes;
    return { value: found.value, error: found.error };
  };
  return {
    mean,
    share: (test) => {
      // The nodes of an integral lie where answers change; without one the changes of the first class decide.
      if (!nodes) mean((values) => values[0]);
      const holds = (x: number): boolean => givenAt(x) > 0 && test(given);
      return intervalsWhere(holds, nodes ?? []).reduce(
        (sum, [from, to]) => sum + mixtureBetween(mixture, from, to),
        0,
      );
    },
    // A tilt e^{dx} of a normal distribution multiplies its mass by e^{dμ + ½ d² σ²}.
    tilted: ({ of, slope }: Tilt) => {
      const origin = of(0);
      return sharesOfLogs(
        means.map(
          (m, a) =>
            Math.log(posterior[a]) + origin + slope * m + (slope * deviations[Math.floor(a / K)]) ** 2 / 2,
        ),
        K,
      );
    },
  };
}

/** The intervals on which a test holds, seen at ascending nodes and traced to the last bit in between; open at both ends. */
function intervalsWhere(test: (x: number) => boolean, nodes: readonly number[]): [number, number][] {
  const intervals: [number, number][] = [];
  let inside = test(nodes[0]);
  let from = Number.NEGATIVE_INFINITY;
  for (let j = 1; j < nodes.length; j++) {
    const here = test(nodes[j]);
    if (here === inside) continue;
    const [, crossing] = bisect((x) => test(x) === here, nodes[j - 1], nodes[j]);
    if (inside) intervals.push([from, crossing]);
    [from, inside] = [crossing, here];
  }
  if (inside) intervals.push([from, Number.POSITIVE_INFINITY]);
  return intervals;
}
