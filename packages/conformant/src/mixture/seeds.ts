import { type Atoms, atomCode } from "../distribution/atoms.ts";
import { type Distribution, joinParts } from "../distribution/distribution.ts";
import { mixtureScores } from "../distribution/score-rows.ts";
import type { FactorInFit, FactorSums } from "../gaussian/factor-in-fit.ts";
import type { ManyRowsContext } from "../gaussian/many-rows.ts";
import { type Random, random } from "../math/random.ts";
import { softmaxInPlace } from "../math/softmax.ts";
import type { Table } from "../schema/data.ts";
import { pickRows, type WeightedRows } from "../schema/rows.ts";
import { type FactorFrames, factorsInFit } from "./mixture-problem.ts";

/** Rows among which the seeds are sought: more would not find better ones, only later. */
const CANDIDATES = 2000;
/** The share of a row that goes to the component of its nearest seed; the rest is spread evenly. */
const NEAREST = 0.9;

/** What EM starts from. */
export interface Seeds extends FactorSums {
  /** Expected counts per component, M × atoms. */
  readonly counts: readonly Float64Array[];
}

/**
 * First shares of rows for M components, in the manner of k-means++ (Arthur and Vassilvitskii 2007): seeds are rows, each
 * drawn with probability proportional to its distance to the nearest seed so far. The distance is the mean over the columns
 * known in both rows of 1 where they differ; for a factor that is not atoms, of half the squared difference of its places, which
 * is 1 for two rows at random as well.
 */
export function seedComponents(
  { table, rows, weights }: WeightedRows,
  atoms: Atoms,
  M: number,
  seed: number,
  frames: FactorFrames = {},
): Seeds {
  const factors = factorsInFit(frames);
  const generator = random(seed);
  const sample = sampleRows(rows, weights, generator);
  const codes = sample.map(() => new Int32Array(table.columns.length));
  // Column by column, so that a column is read while it is in the cache.
  table.columns.forEach((cells, i) => {
    for (let s = 0; s < sample.length; s++) codes[s][i] = atomCode(atoms, i, cells[sample[s]]);
  });
  const own = sample.map((r) => weights[r]);
  const points = codes.map((code, s) => ({
    code,
    places: factors.map((factor) => factor.placeOf(table, sample[s])),
  }));
  const nearest = chooseSeeds(points, own, M, generator);
  const counts = Array.from({ length: M }, () => new Float64Array(atoms.offsets[atoms.columns.length]));
  codes.forEach((code, s) => {
    const mine = counts[nearest[s]];
    for (let i = 0; i < code.length; i++) if (code[i] >= 0) mine[atoms.offsets[i] + code[i]] += own[s];
  });
  return {
    counts: spread(counts),
    ...joinParts(factors.map((factor) => seedSums(factor, factor.cellsOf(table, sample), own, nearest, M))),
  };
}

/** Each component keeps most of what is nearest to it; the rest is spread evenly. */
function spread(own: readonly Float64Array[]): Float64Array[] {
  const total = own.reduce((sum, mine) => sum.map((x, j) => x + mine[j]));
  return own.map((mine) => mine.map((x, j) => NEAREST * x + ((1 - NEAREST) / own.length) * total[j]));
}

/** The sums of another factor over the sample. */
function seedSums(
  factor: FactorInFit,
  cells: Float64Array,
  weights: readonly number[],
  nearest: Int32Array,
  M: number,
): FactorSums {
  const seeds = factor.seed(M);
  weights.forEach((weight, s) => {
    seeds.add(nearest[s], cells, s, weight);
  });
  return seeds.sums(spread);
}

/** A row as seeding sees it: its codes, and its places in the other factors. */
interface Point {
  readonly code: Int32Array;
  readonly places: readonly Float64Array[];
}

function sampleRows(rows: Int32Array, weights: Float64Array, generator: Random): number[] {
  const all = Array.from(rows).filter((r) => weights[r] > 0);
  const size = Math.min(CANDIDATES, all.length);
  // A partial Fisher–Yates shuffle: the first `size` are a sample without repetition.
  for (let s = 0; s < size; s++) {
    const other = s + generator.integer(all.length - s);
    [all[s], all[other]] = [all[other], all[s]];
  }
  return all.slice(0, size);
}

/** Chooses M rows as seeds and returns for every row which of them is nearest. */
function chooseSeeds(
  points: readonly Point[],
  weights: readonly number[],
  M: number,
  generator: Random,
): Int32Array {
  const distance = new Float64Array(points.length).fill(Number.POSITIVE_INFINITY);
  const nearest = new Int32Array(points.length);
  let next = draw(weights, generator);
  for (let m = 0; m < M; m++) {
    for (let s = 0; s < points.length; s++) {
      const d = difference(points[s], points[next]);
      if (d < distance[s]) [distance[s], nearest[s]] = [d, m];
    }
    next = draw(
      weights.map((w, s) => w * distance[s]),
      generator,
    );
  }
  return nearest;
}

/** The mean difference of the columns known in both rows; 1 where no column is. A column of another factor has but one code. */
function difference(a: Point, b: Point): number {
  const [x, y] = [a.code, b.code];
  let known = 0;
  let differ = 0;
  for (let i = 0; i < x.length; i++) {
    // By their signs: no branch would foresee where rows differ.
    const both = ~(x[i] | y[i]) >>> 31;
    const change = x[i] ^ y[i];
    known += both;
    differ += both & ((change | -change) >>> 31);
  }
  a.places.forEach((own, f) => {
    for (let i = 0; i < own.length; i++) {
      const d = own[i] - b.places[f][i];
      if (!Number.isNaN(d)) differ += (d * d) / 2;
    }
  });
  return known === 0 ? 1 : differ / known;
}

/** An index with probability proportional to its weight; any index where all weights are zero. */
function draw(weights: readonly number[], generator: Random): number {
  const total = weights.reduce((sum, w) => sum + w, 0);
  let left = generator.uniform() * total;
  if (!(total > 0)) return generator.integer(weights.length);
  for (let s = 0; s < weights.length; s++) {
    left -= weights[s];
    if (left < 0) return s;
  }
  return weights.length - 1;
}

/** Rows whose shares are found together. */
const BATCH = 256;
/** A share of a row below this tells a start nothing. */
const NEGLIGIBLE = 1e-3;

/**
 * What EM starts from where an earlier mixture of the same size says how much of a row falls to each component.
 *
 * @param earlier the rows in the columns of the earlier mixture
 * @param table the same rows in the columns of the new one
 */
export function seedsFrom(
  model: Distribution,
  { table: earlier, rows, weights }: WeightedRows,
  table: Table,
  atoms: Atoms,
  frames: FactorFrames,
  context: ManyRowsContext,
): Seeds {
  const [M, K] = [model.components.length, model.tilt.intercept.length];
  const others = factorsInFit(frames).map((factor) => ({ factor, seeds: factor.seed(M) }));
  const counts = Array.from({ length: M }, () => new Float64Array(atoms.offsets[atoms.columns.length]));
  const scores = new Float64Array(BATCH * M * K);
  for (let start = 0; start < rows.length; start += BATCH) {
    const own = rows.subarray(start, start + BATCH);
    mixtureScores(model, pickRows(earlier, own), 0, own.length, scores, context);
    const cells = others.map(({ factor }) => factor.cellsOf(table, own));
    own.forEach((r, s) => {
      softmaxInPlace(scores, s * M * K, M * K);
      const codes = table.columns.map((_, i) => atomCode(atoms, i, table.columns[i][r]));
      for (let m = 0; m < M; m++) {
        let share = 0;
        for (let k = 0; k < K; k++) share += weights[r] * scores[(s * M + m) * K + k];
        if (share < NEGLIGIBLE * weights[r]) continue;
        codes.forEach((code, i) => {
          if (code >= 0) counts[m][atoms.offsets[i] + code] += share;
        });
        others.forEach(({ seeds }, f) => {
          seeds.add(m, cells[f], s, share);
        });
      }
    });
  }
  return { counts, ...joinParts(others.map(({ seeds }) => seeds.sums())) };
}
