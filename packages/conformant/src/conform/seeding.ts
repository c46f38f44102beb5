import { type Random, random } from "../math/random.ts";
import type { Atoms } from "../model/atoms.ts";
import type { Table } from "../schema/data.ts";
import { atomCode } from "./atom-rows.ts";

/** Rows among which the seeds are sought: more would not find better ones, only later. */
const CANDIDATES = 2000;
/** The share of a row that goes to the component of its nearest seed; the rest is spread evenly. */
const NEAREST = 0.9;

/**
 * First shares of rows for M components, in the manner of k-means++ (Arthur and Vassilvitskii 2007): seeds are rows, each
 * drawn with probability proportional to its distance to the nearest seed so far; the distance is the share of columns known
 * in both rows that differ. Returns the expected counts per component, M × atoms.
 */
export function seedCounts(
  table: Table,
  atoms: Atoms,
  rows: Int32Array,
  weights: Float64Array,
  M: number,
  seed: number,
): Float64Array[] {
  const generator = random(seed);
  const sample = sampleRows(rows, weights, generator);
  const codes = sample.map((r) => Int32Array.from(table.columns, (_, i) => atomCode(table, atoms, i, r)));
  const { nearest } = chooseSeeds(
    codes,
    sample.map((r) => weights[r]),
    M,
    generator,
  );
  const counts = Array.from({ length: M }, () => new Float64Array(atoms.offsets[atoms.columns.length]));
  codes.forEach((code, s) => {
    const own = counts[nearest[s]];
    for (let i = 0; i < code.length; i++)
      if (code[i] >= 0) own[atoms.offsets[i] + code[i]] += weights[sample[s]];
  });
  const total = counts.reduce((sum, own) => sum.map((count, j) => count + own[j]));
  return counts.map((own) => own.map((count, j) => NEAREST * count + ((1 - NEAREST) / M) * total[j]));
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

function chooseSeeds(codes: readonly Int32Array[], weights: readonly number[], M: number, generator: Random) {
  const distance = new Float64Array(codes.length).fill(Number.POSITIVE_INFINITY);
  const nearest = new Int32Array(codes.length);
  let next = draw(weights, generator);
  for (let m = 0; m < M; m++) {
    for (let s = 0; s < codes.length; s++) {
      const d = difference(codes[s], codes[next]);
      if (d < distance[s]) [distance[s], nearest[s]] = [d, m];
    }
    next = draw(
      weights.map((w, s) => w * distance[s]),
      generator,
    );
  }
  return { nearest };
}

/** The share of the columns known in both rows in which they differ; 1 where no column is. */
function difference(a: Int32Array, b: Int32Array): number {
  let known = 0;
  let differ = 0;
  for (let i = 0; i < a.length; i++) {
    if (a[i] < 0 || b[i] < 0) continue;
    known++;
    if (a[i] !== b[i]) differ++;
  }
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
